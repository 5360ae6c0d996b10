/**
 * Writes the types of the REST API for openapi-fetch, from our own document and without a server.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import openapiTypescript, { astToString, COMMENT_HEADER, type OpenAPI3 } from 'openapi-typescript';
import { openApiDocument } from '../http/openapi.js';
import { routes } from '../http/routes/index.js';

const root = resolve(import.meta.dirname, '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const target = join(root, 'examples/clients/api.d.ts');
// Our type of the document is more precise than the one that the generator takes.
const types = await openapiTypescript(openApiDocument(routes, version) as unknown as OpenAPI3);
writeFileSync(target, COMMENT_HEADER + astToString(types));
