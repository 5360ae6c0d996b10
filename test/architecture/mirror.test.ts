import assert from 'node:assert/strict';
import { basename, dirname } from 'node:path';
import test from 'node:test';
import { sources } from '../support/imports.js';
import { typescriptBelow } from '../support/sources.js';

/** `test/unit` mirrors the rooms: the path of a test says which folder or file it is about. */

/** Folders of tests about things that are no source of ours. */
const others = [
  'deployment', // the Dockerfile, compose.yaml and the files of the package
  'docs', // pages that name what the code has
  'reference', // the naive implementation in test/reference
];

/** Every folder with sources, at any depth. */
const folders = new Set(
  sources.flatMap((file) => file.split('/').flatMap((_, i, names) => (i === 0 ? [] : [names.slice(0, i).join('/')]))),
);

/** The reason why a test, named from `test/unit` without its ending, stands in the wrong place. */
function misplaced(path: string): string | null {
  const folder = dirname(path);
  if (others.includes(folder) || sources.includes(`${path}.ts`)) return null;
  if (!folders.has(folder)) return `there is no folder ${folder}`;
  if (folders.has(path)) return `it is about the folder ${path}`;
  const below = sources.find((file) => file.startsWith(`${folder}/`) && basename(file) === `${basename(path)}.ts`);
  return below === undefined ? null : `it is about ${below}`;
}

test('a test below another folder than that of its subject is found', () => {
  assert.equal(misplaced('engine/simd/kernels'), null);
  assert.equal(misplaced('engine/signals/records'), null); // a topic of the whole folder
  assert.match(misplaced('data/state/backtests') ?? '', /the folder/);
  assert.match(misplaced('data/state/vector-index') ?? '', /data\/state\/assistant\/vector-index\.ts/);
  assert.match(misplaced('engine/kernels/ema') ?? '', /no folder/);
});

test('every unit test stands in the folder that it is about', () => {
  const tests = typescriptBelow(['test/unit']).map((file) => file.slice('test/unit/'.length));
  const names = tests.filter((file) => file.endsWith('.test.ts')).map((file) => file.slice(0, -'.test.ts'.length));
  assert.ok(names.length > 0);
  assert.deepEqual(
    names.flatMap((name) => (misplaced(name) === null ? [] : [`${name}: ${misplaced(name)}`])),
    [],
  );
});
