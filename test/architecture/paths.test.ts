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
  'service/knowledge/reference.ts', // the text of a page; a service does not know http
];

/** A path from the root of a server. One below `https://…` is another server's. */
const pathOfOurs = /(?<!https?:\/\/[\w.-]+)\/(?:api\/v\d|kb\/api)\b/;

const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*/gm, '');

test('paths of ours are told from those of other servers', () => {
  for (const code of ["'/api/v1/health'", '}/api/v2`', "'/kb/api/'"]) assert.match(code, pathOfOurs);
  for (const code of ["'https://api.example.com/api/v3'", "'/v1/chat'"]) assert.doesNotMatch(code, pathOfOurs);
  assert.doesNotMatch(withoutComments('f(); // as /api/v1\n/* or /kb/api */'), pathOfOurs);
});

test('the prefixes of paths stand in one place', () => {
  const written = sources.filter((file) => file !== home && !excepted.includes(file) && !/\/generated\//.test(file));
  const guilty = written.filter((file) => pathOfOurs.test(withoutComments(readFileSync(join(root, file), 'utf8'))));
  assert.deepEqual(guilty, []);
});
