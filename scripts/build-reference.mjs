/**
 * Writes what follows from the registries and is committed: the files of docs/reference, the list of
 * functions in docs/formulas.md, and the message of the execution settings. Tests compare them.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { legacyCooldownFields } from '../dist/engine/execution/index.js';
import { indicatorFunctions } from '../dist/engine/indicators/index.js';
import { registries } from '../dist/server/open-knowledge.js';
import { requiredFields } from '../dist/service/backtests/index.js';
import { settingsProto } from '../dist/service/config/index.js';
import { referenceEntries, referenceFiles } from '../dist/service/knowledge/index.js';

const folder = resolve(import.meta.dirname, '../docs/reference');
mkdirSync(folder, { recursive: true });
const read = (name) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : '');
const files = referenceFiles(referenceEntries(registries()), read);
for (const { name, content } of files) writeFileSync(join(folder, name), content);
for (const name of readdirSync(folder)) if (!files.some((file) => file.name === name)) rmSync(join(folder, name));

const guide = resolve(import.meta.dirname, '../docs/formulas.md');
const functions = [...indicatorFunctions].map(([name, { takesColumn, params, meaning }]) => {
  const args = params.map((param) => param.name);
  return `| \`${name}(${(takesColumn ? ['x', ...args] : args).join(', ')})\` | ${meaning} |\n`;
});
const list = /(?<=\n## Functions\n[\s\S]*\|---\|---\|\n)(?:\|.*\n)+/;
writeFileSync(
  guide,
  readFileSync(guide, 'utf8').replace(list, () => functions.join('')),
);

const proto = resolve(import.meta.dirname, '../protos/barline/v1/settings.proto');
const before = readFileSync(proto, 'utf8');
const after = settingsProto(before, [...requiredFields, ...legacyCooldownFields]);
if (after !== before) {
  writeFileSync(proto, after);
  await import('./build-contract.mjs'); // which the documents are made from
}
