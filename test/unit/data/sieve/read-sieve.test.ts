import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { readSieve, sievePath } from '../../../../data/sieve/index.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { root } from '../../../support/tree.js';

const sampleDir = join(root, 'sample');
const MODEL_BYTES_MAX = 2_000_000;

test('the bundled model is whole, small, and the one whose figures the page shows', () => {
  const stored = readSieve(sampleDir);
  assert.ok(stored !== null);
  assert.ok(statSync(sievePath(sampleDir)).size < MODEL_BYTES_MAX);
  const wrong = Object.values(stored.model.weights).filter(
    (weights) => weights.length !== 4 || !weights.every(Number.isSafeInteger),
  );
  assert.deepEqual(wrong, []);
  assert.match(stored.version, /^barline-sieve-1:[0-9a-f]{12}$/);
  assert.ok(readFileSync(join(root, 'docs/sieve.md'), 'utf8').includes(`\`${stored.version}\``));
});

test('a folder without a model has none, and a broken file is named', () => {
  const folder = temporaryFolder('sieve');
  assert.equal(readSieve(folder), null);
  for (const text of ['{', '{"weights":{}}', '{"name":"x","weights":null}', 'null']) {
    writeFileSync(sievePath(folder), text);
    assert.throws(() => readSieve(folder), /sieve\.json is not a model of the sieve/);
  }
});
