import assert from 'node:assert/strict';
import test from 'node:test';
import { backtestOverfitting, deflatedSharpeRatio, SplitMix64, sharpeSample } from '../../engine/statistics/index.js';
import { inSingle, noiseRows, trialsOf } from '../support/noise.js';
import { runs } from '../support/scale.js';

/**
 * The probability of overfitting against its definition, and both judgements of a sweep where the
 * truth is known.
 */

const mean = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length;

function sharpe(values: readonly number[]): number {
  const centre = mean(values);
  const deviation = Math.sqrt(values.reduce((sum, x) => sum + (x - centre) ** 2, 0) / (values.length - 1));
  return deviation >= 1e-15 ? centre / deviation : 0;
}

/** All ways to choose `count` of the numbers from `from` to `to - 1`. */
function choices(from: number, to: number, count: number): number[][] {
  if (count === 0) return [[]];
  if (to - from < count) return [];
  const having = choices(from + 1, to, count - 1).map((rest) => [from, ...rest]);
  return [...having, ...choices(from + 1, to, count)];
}

function naive(rows: readonly Float64Array[], blockCount: number) {
  const length = rows[0].length;
  const blockOf = (t: number) =>
    Array.from({ length: blockCount }, (_, b) => b).findIndex((b) => t < Math.floor(((b + 1) * length) / blockCount));
  const outcomes = choices(0, blockCount, blockCount / 2).map((chosen) => {
    const inSample = rows.map((row) => sharpe([...row].filter((_, t) => chosen.includes(blockOf(t)))));
    const outOfSample = rows.map((row) => sharpe([...row].filter((_, t) => !chosen.includes(blockOf(t)))));
    const best = inSample.indexOf(Math.max(...inSample));
    const sorted = [...outOfSample].sort((a, b) => a - b);
    const rank = (sorted.indexOf(outOfSample[best]) + sorted.lastIndexOf(outOfSample[best])) / 2 + 1;
    const omega = rank / (rows.length + 1);
    return { x: inSample[best], y: outOfSample[best], logit: Math.log(omega / (1 - omega)) };
  });
  const logits = outcomes.map(({ logit }) => logit).sort((a, b) => a - b);
  const xMean = mean(outcomes.map(({ x }) => x));
  const covariance = mean(outcomes.map(({ x, y }) => (x - xMean) * y));
  return {
    splitCount: outcomes.length,
    pbo: mean(logits.map((logit) => (logit < 1e-12 ? 1 : 0))), // this formula does not give an exact 0
    median: (logits[(logits.length - 1) >> 1] + logits[logits.length >> 1]) / 2,
    lossProbability: mean(outcomes.map(({ y }) => (y < 0 ? 1 : 0))),
    slope: covariance / mean(outcomes.map(({ x }) => (x - xMean) ** 2)),
  };
}

test('the measured overfitting is that of the definition', () => {
  for (let seed = 0; seed < runs(25, 500); seed++) {
    const random = new SplitMix64(seed);
    const blockCount = 2 * (1 + random.below(4));
    const rows = noiseRows(random, 2 + random.below(6), 2 * blockCount + random.below(40), 0.003 * random.below(3));
    if (random.below(2) === 0) rows.push(rows[0].slice(), new Float64Array(rows[0].length)); // a tie and no trades
    if (random.below(3) === 0) rows[1].fill(0, 0, rows[1].length >> 1); // trades in one half only
    const actual = backtestOverfitting(trialsOf(rows), blockCount)!;
    const expected = naive(inSingle(rows), blockCount);
    assert.equal(actual.splitCount, expected.splitCount, `seed ${seed}`);
    assert.equal(actual.pbo, expected.pbo, `seed ${seed}`);
    assert.equal(actual.lossProbability, expected.lossProbability, `seed ${seed}`);
    assert.ok(Math.abs(actual.logits.p50 - expected.median) < 1e-12, `seed ${seed}`);
    if (Number.isNaN(expected.slope)) {
      assert.equal(actual.degradationSlope, null, `seed ${seed}`); // no configuration beats no trades
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
  const sweepCount = runs(60, 1_000);
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
    const overfitting = backtestOverfitting(trialsOf(rows))!;
    assert.ok(overfitting.pbo < 0.02, `seed ${seed}: ${overfitting.pbo}`);
    assert.ok(overfitting.lossProbability < 0.02, `seed ${seed}: ${overfitting.lossProbability}`);
    assert.ok(deflateBest(rows) > 0.95, `seed ${seed}: ${deflateBest(rows)}`);
  }
});

test('the order of the configurations changes nothing', () => {
  const rows = noiseRows(new SplitMix64(9), 8, 100);
  assert.deepEqual(backtestOverfitting(trialsOf([...rows].reverse()), 8), backtestOverfitting(trialsOf(rows), 8));
});
