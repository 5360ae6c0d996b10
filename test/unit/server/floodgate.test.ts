import assert from 'node:assert/strict';
import test from 'node:test';
import { Floodgate } from '../../../server/log-lines.js';

test('so many pass in a window, and the first of the next tells how many were left out', () => {
  const gate = new Floodgate(2, 1_000);
  assert.deepEqual(
    [0, 1, 2, 999].map((ms) => gate.pass(ms)),
    [0, 0, null, null],
  );
  assert.deepEqual(
    [1_000, 1_001, 1_002].map((ms) => gate.pass(ms)),
    [2, 0, null],
  );
  assert.equal(gate.pass(2_500), 1);
});
