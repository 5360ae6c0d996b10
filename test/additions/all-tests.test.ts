/**
 * Runs all tests in a copy of the tree that has one more of everything, so that none of them asks
 * for an edit that the recipes do not name. It takes the machine for a quarter of an hour.
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import { additions } from '../support/additions/index.js';
import { copyTree } from '../support/tree-copy.js';

test('all tests pass with a setting, an indicator, a signal, an endpoint and a provider added', async () => {
  const copy = copyTree();
  copy.apply(additions.flatMap(({ edits }) => edits));
  await copy.writeReference();
  const output = await copy.testAll();
  assert.match(output, /^# fail 0$/m);
  assert.match(output, /^ok .* column_rising agrees with the reference/m);
  assert.match(output, /^ok .* the month that is counted is told/m);
  assert.match(output, /^ok .* the example of get \/api\/v1\/usage\/month succeeds/m);
});
