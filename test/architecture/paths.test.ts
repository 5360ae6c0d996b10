import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { sources } from '../support/imports.js';
import { root } from '../support/tree.js';

/** The prefixes of our paths stand in one file; a route gives the rest of its path. */
const home = 'http/paths.ts';

const excepted = [
  'data/upstreams/flows/nansen-client.ts', // the path of another server
  // The client types the paths that it is given: another one does not compile.
  ...sources.filter((file) => file.startsWith('web/')),
  'service/knowledge/library.ts', // the text of a page; a service does not know http
];

/** A path from the root of a server. One below `https://…` is another server's. */
const pathOfOurs = /(?<!https?:\/\/[\w.-]+)\/(?:api\/v\d|kb\/api)\b/;

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/gm, '');

test('the prefixes of paths stand in one place', () => {
  const written = sources.filter((file) => file !== home && !excepted.includes(file) && !/\/generated\//.test(file));
  const guilty = written.filter((file) => pathOfOurs.test(withoutComments(readFileSync(join(root, file), 'utf8'))));
  assert.deepEqual(guilty, []);
});
