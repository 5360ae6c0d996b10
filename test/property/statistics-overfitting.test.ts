import assert from 'node:assert/strict';
import test from 'node:test';
import { backtestOverfitting, deflatedSharpeRatio, SplitMix64, sharpeSample } from '../../engine/statistics/index.js';
import { mean, overfitting } from '../reference/statistics.js';
import { inSingle, noiseRows, trialsOf } from '../support/noise.js';
import { runs } from '../support/scale.js';

/**
 * The probability of overfitting against its definition, and both judgements of a sweep where the
 * truth is known.
 */

test('the measured overfitting is that of the definition', () => {
  for (let seed = 0; seed < runs(13, 500); seed++) {
    const random = new SplitMix64(seed);
    const blockCount = 2 * (1 + random.below(4));
    const rows = noiseRows(random, 2 + random.below(6), 2 * blockCount + random.below(40), 0.003 * random.below(3));
    // A tie and no trades.
    if (random.below(2) === 0) rows.push(rows[0].slice(), new Float64Array(rows[0].length));
    if (random.below(3) === 0) rows[1].fill(0, 0, rows[1].length >> 1); // trades in one half only
    const actual = backtestOverfitting(trialsOf(rows), blockCount)!;
    const expected = overfitting(inSingle(rows), blockCount);
    assert.equal(actual.splitCount, expected.splitCount, `seed ${seed}`);
    assert.equal(actual.pbo, expected.pbo, `seed ${seed}`);
    assert.equal(actual.lossProbability, expected.lossProbability, `seed ${seed}`);
    assert.ok(Math.abs(actual.logits.p50 - expected.median) < 1e-12, `seed ${seed}`);
    if (Number.isNaN(expected.slope)) {
      // No configuration beats no trades.
      assert.equal(actual.degradationSlope, null, `seed ${seed}`);
      continue;
    }
    const slack = 1e-9 * Math.max(1, Math.abs(expected.slope));
    assert.ok(Math.abs(actual.degradationSlope! - expected.slope) < slack, `seed ${seed}`);
  }
});

/** Deflated Sharpe ratio of the best of independent trials. */
function deflateBest(rows: readonly Float64Array[]): number {
  const samples = rows.map((row) => sharpeSample(row)!);
  const ratios = samples.map((sample) => sample.sharpe);
  const variance = mean(ratios.map((ratio) => (ratio - mean(ratios)) ** 2)) * (rows.length / (rows.length - 1));
  return deflatedSharpeRatio(samples[ratios.indexOf(Math.max(...ratios))], rows.length, variance)!;
}

test('sweeps over noise are overfit half the time, and at most one in twenty looks like skill', () => {
  const sweepCount = runs(30, 1_000);
  const pbo: number[] = [];
  let convinced = 0;
  for (let seed = 0; seed < sweepCount; seed++) {
    const rows = noiseRows(new SplitMix64(seed), 50, 500);
    pbo.push(backtestOverfitting(trialsOf(rows))!.pbo);
    if (deflateBest(rows) > 0.95) convinced++;
  }
  assert.ok(mean(pbo) > 0.4 && mean(pbo) < 0.6, `mean ${mean(pbo)}`);
  assert.ok(convinced <= 0.05 * sweepCount, `${convinced} of ${sweepCount}`);
});

test('one configuration that is truly better is found and not called overfit', () => {
  for (let seed = 0; seed < runs(5, 100); seed++) {
    const rows = noiseRows(new SplitMix64(seed), 50, 500, 0.004);
    const { pbo, lossProbability } = backtestOverfitting(trialsOf(rows))!;
    assert.ok(pbo < 0.02, `seed ${seed}: ${pbo}`);
    assert.ok(lossProbability < 0.02, `seed ${seed}: ${lossProbability}`);
    assert.ok(deflateBest(rows) > 0.95, `seed ${seed}: ${deflateBest(rows)}`);
  }
});

test('the order of the configurations changes nothing', () => {
  const rows = noiseRows(new SplitMix64(9), 8, 100);
  assert.deepEqual(backtestOverfitting(trialsOf([...rows].reverse()), 8), backtestOverfitting(trialsOf(rows), 8));
});
