import assert from 'node:assert/strict';
import test from 'node:test';
import { backtestOverfitting as judge, SplitMix64 } from '../../../../engine/statistics/index.js';
import { noiseRows, trialsOf } from '../../../support/noise.js';

const backtestOverfitting = (rows: readonly Float64Array[], blockCount?: number) => judge(trialsOf(rows), blockCount);
const rows = (...values: number[][]): Float64Array[] => values.map((row) => Float64Array.from(row));

test('two blocks and two configurations give the split and its mirror', () => {
  // Sharpe ratios of the halves: 0.7 and -0.7 for the first, -2.1 and 2.1 for the second
  const overfitting = backtestOverfitting(rows([2, 0, 0, -2], [-2, -1, 2, 1]), 2)!;
  assert.equal(overfitting.splitCount, 2);
  assert.equal(overfitting.pbo, 1);
  assert.equal(overfitting.lossProbability, 1);
  assert.ok(Math.abs(overfitting.logits.p50 - Math.log(1 / 2)) < 1e-15);
  // from (1 / r, -1 / r) to (3 / r, -3 / r)
  assert.ok(Math.abs(overfitting.degradationSlope! + 1) < 1e-12);
});

test('one configuration, or fewer periods than blocks, give null', () => {
  assert.equal(backtestOverfitting([]), null);
  assert.equal(backtestOverfitting(noiseRows(new SplitMix64(4), 1, 100)), null);
  assert.equal(backtestOverfitting(noiseRows(new SplitMix64(4), 5, 11)), null);
  assert.notEqual(backtestOverfitting(noiseRows(new SplitMix64(4), 5, 12)), null);
});
