import assert from 'node:assert/strict';
import test from 'node:test';
import { bootstrapReturns, percentileBands, reshuffleTrades, SplitMix64 } from '../../../../engine/statistics/index.js';
import { noiseRows } from '../../../support/noise.js';

const options = (seed = 1, pathCount = 200) => ({ random: new SplitMix64(seed), pathCount });
const [noise] = noiseRows(new SplitMix64(5), 1, 250, 0.001);

test('percentiles are those of type 7', () => {
  // numpy.percentile([15, 20, 35, 40, 50], [5, 25, 50, 75, 95])
  const bands = percentileBands(Float64Array.of(50, 15, 40, 20, 35));
  assert.deepEqual(bands, { p5: 16, p25: 20, p50: 35, p75: 40, p95: 48 });
  assert.deepEqual(percentileBands(Float64Array.of(7)), { p5: 7, p25: 7, p50: 7, p75: 7, p95: 7 });
});

test('with two trades, one lost, each order has its drawdown, in half of the paths', () => {
  const result = reshuffleTrades(Float64Array.of(-0.5, 1), { ...options(1, 1_000), ruinFraction: 0.5 })!;
  assert.deepEqual(result.maxDrawdown, { p5: 0.5, p25: 0.5, p50: 0.5, p75: 0.5, p95: 0.5 });
  assert.deepEqual(result.finalGrowth, { p5: 1, p25: 1, p50: 1, p75: 1, p95: 1 });
  // Lost first.
  assert.ok(Math.abs(result.ruinProbability - 0.5) < 0.06, String(result.ruinProbability));
  assert.deepEqual(result.fan[0], { step: 0, p5: 1, p25: 1, p50: 1, p75: 1, p95: 1 });
  assert.equal(result.fan[1].p5, 0.5);
  assert.equal(result.fan[1].p95, 2);
});

test('no returns give no paths, and zero paths are refused', () => {
  const nothing = new Float64Array(0);
  assert.equal(reshuffleTrades(nothing, options()), null);
  assert.equal(bootstrapReturns(nothing, { ...options(), meanBlock: 2 }), null);
  for (const pathCount of [0, 2.5, NaN]) {
    assert.throws(() => reshuffleTrades(noise, { random: new SplitMix64(1), pathCount }), RangeError);
  }
  assert.throws(() => bootstrapReturns(noise, { ...options(), meanBlock: 0.5 }), RangeError);
});
