/** Writes the files of docs/reference from the registries; a test compares them. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { registries } from '../dist/server/open-knowledge.js';
import { referenceEntries, referenceFiles } from '../dist/service/knowledge/index.js';

const folder = resolve(import.meta.dirname, '../docs/reference');
mkdirSync(folder, { recursive: true });
const files = referenceFiles(referenceEntries(registries()));
for (const { name, content } of files) writeFileSync(join(folder, name), content);
for (const name of readdirSync(folder)) if (!files.some((file) => file.name === name)) rmSync(join(folder, name));
