/**
 * Writes the types of the REST API for openapi-fetch, from our own document and without a server:
 * for the clients of the library, and beside the example of a client.
 */
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import openapiTypescript, { astToString, COMMENT_HEADER, type OpenAPI3 } from 'openapi-typescript';
import { openApiDocument } from '../http/openapi.js';
import { routes } from '../http/routes.js';

const root = resolve(import.meta.dirname, '..');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
// Our type of the document is more precise than the one that the generator takes.
const types = await openapiTypescript(openApiDocument(routes, version) as unknown as OpenAPI3);
mkdirSync(join(root, 'library/client/generated'), { recursive: true });
const text = COMMENT_HEADER + astToString(types);
for (const target of ['library/client/generated/api.ts', 'examples/clients/api.d.ts']) {
  const path = join(root, target);
  // The same text again only says that it was checked: the compiler looks at the content.
  if (existsSync(path) && readFileSync(path, 'utf8') === text) utimesSync(path, new Date(), new Date());
  else writeFileSync(path, text);
}
