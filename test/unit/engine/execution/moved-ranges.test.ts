import assert from 'node:assert/strict';
import test from 'node:test';
import { simulate, simulateByStep } from '../../../../engine/execution/index.js';
import { MovedRanges } from '../../../../engine/execution/moved-ranges.js';
import { maskWithBars } from '../../../../engine/series/index.js';
import { configOf } from '../../../support/execution.js';
import { randomBars } from '../../../support/random.js';

const rangesOf = (length: number, ...added: readonly (readonly [number, number])[]) => {
  const moved = new MovedRanges();
  for (const [from, to] of added) moved.add(from, to);
  return Array.from(moved.finish(length));
};

test('ranges begin with the first value, are joined where they touch, and end with the curve', () => {
  assert.deepEqual(rangesOf(10), [0, 1]);
  assert.deepEqual(rangesOf(0), [0, 0]);
  assert.deepEqual(rangesOf(10, [1, 3]), [0, 3]);
  assert.deepEqual(rangesOf(10, [2, 3]), [0, 1, 2, 3]);
  assert.deepEqual(rangesOf(10, [2, 6], [4, 5]), [0, 1, 2, 6]);
  assert.deepEqual(rangesOf(10, [2, 4], [4, 7], [8, 11]), [0, 1, 2, 7, 8, 10]);
});

test('there may be any number of ranges', () => {
  const added = Array.from({ length: 500 }, (_, i) => [3 * i + 2, 3 * i + 3] as const);
  assert.deepEqual(rangesOf(2_000, ...added), [0, 1, ...added.flat()]);
});

test('equity is written into the given memory, and refused where it does not fit', () => {
  const bars = randomBars({ seed: 4, barCount: 300 });
  const config = configOf({ stop_loss_calculation: 'fixed' });
  const entry = maskWithBars(300, [10, 60, 150]);
  const exit = maskWithBars(300, [40, 100]);
  const input = { bars, first: 0, entry, exit, config };
  const { equity: expected, movedRanges } = simulate(input);
  /** The values that a lender may read. */
  const measuredOf = (values: Float64Array, ranges: Int32Array) => {
    const wanted = new Set([values.length - 1]);
    for (let r = 0; r < ranges.length; r += 2) {
      for (let k = Math.max(0, ranges[r] - 1); k < ranges[r + 1]; k++) wanted.add(k);
    }
    return [...wanted].map((k) => values[k]);
  };
  for (const run of [simulate, simulateByStep]) {
    const equity = new Float64Array(300).fill(7);
    assert.equal(run({ ...input, equity }).equity, equity);
    assert.deepEqual(measuredOf(equity, movedRanges), measuredOf(expected, movedRanges));
    assert.throws(() => run({ ...input, equity: new Float64Array(299) }), /room for 300 bars, had 299/);
  }
});
