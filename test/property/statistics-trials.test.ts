import assert from 'node:assert/strict';
import test from 'node:test';
import { effectiveTrials, SplitMix64 } from '../../engine/statistics/index.js';
import { noiseRows } from '../support/noise.js';
import { runs } from '../support/scale.js';

const mean = (values: Float64Array): number => values.reduce((sum, x) => sum + x, 0) / values.length;

function correlation(a: Float64Array, b: Float64Array): number {
  const products = (x: Float64Array, y: Float64Array) => mean(x.map((_, t) => (x[t] - mean(x)) * (y[t] - mean(y))));
  return products(a, b) / Math.sqrt(products(a, a) * products(b, b));
}

test('the mean correlation is that of all pairs', () => {
  for (let seed = 0; seed < runs(30, 1_000); seed++) {
    const random = new SplitMix64(seed);
    const [market, ...own] = noiseRows(random, 3 + random.below(8), 3 + random.below(60), 0.02);
    const common = random.uniform() * 2;
    const rows = own.map((row) => row.map((x, t) => x + common * market[t]));
    const pairs = rows.flatMap((a, i) => rows.slice(i + 1).map((b) => correlation(a, b)));
    const expected = pairs.reduce((sum, x) => sum + x, 0) / pairs.length;
    const { trialCount, meanCorrelation, effectiveCount } = effectiveTrials([...rows, new Float64Array(market.length)]);
    assert.equal(trialCount, rows.length);
    assert.ok(Math.abs(meanCorrelation! - expected) < 1e-12, `seed ${seed}: ${meanCorrelation} is not ${expected}`);
    const trials = Math.min(expected + (1 - expected) * rows.length, rows.length);
    assert.ok(Math.abs(effectiveCount - trials) < 1e-9, `seed ${seed}: ${effectiveCount} is not ${trials}`);
  }
});
