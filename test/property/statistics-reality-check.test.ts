import assert from 'node:assert/strict';
import test from 'node:test';
import { realityCheck, SplitMix64, stationaryBootstrap } from '../../engine/statistics/index.js';
import { noiseRows } from '../support/noise.js';
import { runs } from '../support/scale.js';

/**
 * White's statistic as published: the largest root-n mean, against the largest root-n mean less
 * that of the data.
 */
function naive(rows: readonly Float64Array[], seed: number, meanBlock: number, resampleCount: number): number {
  const random = new SplitMix64(seed);
  const length = rows[0].length;
  const mean = (row: Float64Array) => row.reduce((sum, x) => sum + x, 0) / length;
  const observed = Math.max(...rows.map((row) => Math.sqrt(length) * mean(row)));
  const indices = new Int32Array(length);
  let asGood = 0;
  for (let b = 0; b < resampleCount; b++) {
    stationaryBootstrap(random, length, meanBlock, indices);
    const drawn = rows.map((row) => Math.sqrt(length) * (mean(Float64Array.from(indices, (t) => row[t])) - mean(row)));
    if (Math.max(...drawn) >= observed) asGood++;
  }
  return asGood / resampleCount;
}

test('the p-value is that of the definition', () => {
  for (let seed = 0; seed < runs(30, 500); seed++) {
    const random = new SplitMix64(seed);
    const rows = noiseRows(random, 1 + random.below(6), 2 + random.below(80), 0.002 * random.below(3));
    const meanBlock = 1 + random.uniform() * random.below(20);
    const options = { random: new SplitMix64(seed), meanBlock, resampleCount: 50 };
    assert.equal(realityCheck(rows, options)!.pValue, naive(rows, seed, meanBlock, 50), `seed ${seed}`);
  }
});

test('resamples that do not fit into memory at once are drawn in batches', () => {
  const rows = noiseRows(new SplitMix64(1), 1, 300_000);
  const options = { random: new SplitMix64(2), meanBlock: 1, resampleCount: 5 };
  assert.equal(realityCheck(rows, options)!.pValue, naive(rows, 2, 1, 5));
});

test('the p-values of noise are spread over all values', () => {
  const sweeps = runs(100, 1_000);
  const values = Array.from({ length: sweeps }, (_, seed) => {
    const random = new SplitMix64(seed);
    return realityCheck(noiseRows(random, 10, 200), { random, meanBlock: 2, resampleCount: 200 })!.pValue;
  });
  const mean = values.reduce((sum, x) => sum + x, 0) / sweeps;
  const shareBelow = (bound: number) => values.filter((value) => value <= bound).length / sweeps;
  assert.ok(mean > 0.4 && mean < 0.6, `mean ${mean}`);
  assert.ok(shareBelow(0.05) < 0.15, `${shareBelow(0.05)}`);
  assert.ok(shareBelow(0.25) > 0.1 && shareBelow(0.25) < 0.4, `${shareBelow(0.25)}`);
  assert.ok(shareBelow(0.75) > 0.6 && shareBelow(0.75) < 0.9, `${shareBelow(0.75)}`);
});
