import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  bootstrapReturns,
  deflatedSharpeRatio,
  expectedMaxSharpe,
  inverseNormalCdf,
  backtestOverfitting as judge,
  marketLine,
  minBacktestLengthYears,
  minTrackRecordLength,
  normalCdf,
  percentileBands,
  reshuffleTrades,
  returnPeriods,
  SplitMix64,
  sharpeSample,
} from '../../../../engine/statistics/index.js';
import { assertClose } from '../../../support/execution.js';
import { noiseRows, normal, trialsOf } from '../../../support/noise.js';
import { runs } from '../../../support/scale.js';

test('days are periods of their own up to 256 days, and are joined evenly beyond', () => {
  const of = (days: number) => Object.values(returnPeriods(days));
  assert.deepEqual(of(0), [0, 1]);
  assert.deepEqual(of(1), [1, 1]);
  assert.deepEqual(of(256), [256, 1]);
  assert.deepEqual(of(257), [129, 2]);
  assert.deepEqual(of(2_900), [242, 12]);
  for (let days = 1; days < 5_000; days += 7) {
    const { count, daysEach } = returnPeriods(days);
    assert.ok(count <= 256 && count * daysEach >= days && (count - 1) * daysEach < days);
  }
});

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

const draw = (random: SplitMix64, length: number, mean = 0) =>
  Float64Array.from({ length }, () => mean + 0.01 * normal(random));

test('on returns without skill, the p-values are spread over all values', () => {
  const sweeps = runs(400, 5_000);
  let below = 0;
  for (let seed = 0; seed < sweeps; seed++) {
    const random = new SplitMix64(seed);
    const market = draw(random, 250, 0.002);
    if (
      marketLine(
        draw(random, 250).map((x, t) => x + 0.8 * market[t]!),
        market,
      )!.pValue <= 0.05
    )
      below++;
  }
  assert.ok(below / sweeps < 0.05 + 3 * Math.sqrt(0.0475 / sweeps) + 0.01, String(below / sweeps));
  assert.ok(below / sweeps > 0.02, String(below / sweeps));
});

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

const assertRelative = (actual: number, expected: number, relative: number, label: string): void =>
  assert.ok(Math.abs(actual - expected) <= relative * Math.abs(expected), `${label}: ${actual} is not ${expected}`);

/**
 * x, probability of at most x: rounded from arithmetic with 30 digits. The first digits are those
 * of printed tables.
 */
const table: readonly (readonly [x: number, probability: number])[] = [
  [-37, 5.725571222524577e-300],
  [-20, 2.7536241186062337e-89],
  [-10, 7.619853024160525e-24],
  [-6, 9.86587645037698e-10],
  [-3, 0.0013498980316300946],
  [-2, 0.02275013194817921],
  [-1, 0.15865525393145705],
  [-0.5, 0.3085375387259869],
  [0, 0.5],
  [0.5, 0.6914624612740131],
  [1, 0.8413447460685429],
  [1.96, 0.9750021048517795],
  [3, 0.9986501019683699],
];

test('the distribution function has the values of the tables, in the tails too', () => {
  for (const [x, probability] of table) assertRelative(normalCdf(x), probability, 1e-15, `at ${x}`);
});

test('the inverse has the three values that Wichura gives to check it', () => {
  assertRelative(inverseNormalCdf(0.25), -0.6744897501960817, 1e-15, '0.25');
  assertRelative(inverseNormalCdf(0.001), -3.090232306167814, 1e-15, '0.001');
  assertRelative(inverseNormalCdf(1e-20), -9.262340089798409, 1e-15, '1e-20');
});

/** The numerical example of Bailey and López de Prado 2014: five years of days, a year of 250. */
const YEAR_DAYS = 250;
const published = {
  observationCount: 5 * YEAR_DAYS,
  sharpe: 2.5 / Math.sqrt(YEAR_DAYS),
  skewness: -3,
  kurtosis: 10,
};
const trialVariance = 1 / 2 / YEAR_DAYS;
const normalReturns = { skewness: 0, kurtosis: 3 };

test('the deflated Sharpe ratio has the values of the published example', () => {
  assert.equal(expectedMaxSharpe(100, trialVariance).toFixed(4), '0.1132');
  assert.equal(deflatedSharpeRatio(published, 100, trialVariance)?.toFixed(4), '0.9004');
  assert.equal(deflatedSharpeRatio(published, 46, trialVariance)?.toFixed(4), '0.9505');
  assert.equal(deflatedSharpeRatio({ ...published, ...normalReturns }, 88, trialVariance)?.toFixed(4), '0.9505');
});

test('five years are enough for 45 independent configurations and not for 46, as published', () => {
  assert.ok(minBacktestLengthYears(45) <= 5);
  assert.ok(minBacktestLengthYears(45) > 4.99);
  assert.ok(minBacktestLengthYears(46) > 5);
  assertClose(minBacktestLengthYears(45, 2), minBacktestLengthYears(45) / 4, 'twice the ratio');
});

test('a Sharpe ratio of 2 is above 1 after 2.73 years of days, 2.83 of weeks, 3.24 of months, as published', () => {
  const years = (perYear: number) => {
    const root = Math.sqrt(perYear);
    return (minTrackRecordLength({ sharpe: 2 / root, ...normalReturns }, 1 / root)! / perYear).toFixed(2);
  };
  assert.deepEqual([years(252), years(52), years(12)], ['2.73', '2.83', '3.24']);
});

test('the sample of returns has their moments', () => {
  // skewness as in the documentation of scipy.stats.skew; mean 4.125, squares 128.875
  const sample = sharpeSample(Float64Array.from([2, 8, 0, 4, 1, 9, 9, 0]))!;
  assert.equal(sample.observationCount, 8);
  assertClose(sample.sharpe, 4.125 / Math.sqrt(110.875 / 7), 'sharpe');
  assertClose(sample.skewness, 0.2650554122698573, 'skewness');
  const two = sharpeSample(Float64Array.from([1, 3]))!;
  assertClose(two.sharpe, Math.SQRT2, 'sharpe of two');
  assert.deepEqual([two.skewness, two.kurtosis], [0, 1]);
});

const bits = (random: SplitMix64): bigint => {
  random.next();
  return (BigInt(random.high) << 32n) | BigInt(random.low);
};

/** The published definition, in integers of any size. */
function reference(seed: bigint): () => bigint {
  const mask = (1n << 64n) - 1n;
  let state = seed & mask;
  return () => {
    state = (state + 0x9e3779b97f4a7c15n) & mask;
    let z = state;
    z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & mask;
    z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & mask;
    return z ^ (z >> 31n);
  };
}

test('seed 42 gives the published numbers', () => {
  const random = new SplitMix64(42);
  assert.deepEqual(
    [bits(random), bits(random), bits(random)],
    [0xbdd732262feb6e95n, 0x28efe333b266f103n, 0x47526757130f9f52n],
  );
  assert.equal(new SplitMix64(42).uniform(), 0.7415648787718233);
  const digits = new SplitMix64(42);
  assert.deepEqual(
    Array.from({ length: 5 }, () => digits.below(10)),
    [7, 1, 2, 3, 0],
  );
});

test('every draw is that of the definition in integers, for any seed', () => {
  const seeds = [0n, 1n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 53n - 1n, 2n ** 63n, 2n ** 64n - 1n];
  const mixed = new SplitMix64(7);
  for (let k = 0; k < runs(200, 20_000); k++) seeds.push(bits(mixed));
  for (const seed of seeds) {
    const random = new SplitMix64(seed);
    const expected = reference(seed);
    for (let k = 0; k < 20; k++) assert.equal(bits(random), expected(), `seed ${seed}, draw ${k}`);
    assert.equal(random.uniform(), Number(expected() >> 11n) / 2 ** 53, `seed ${seed}`);
  }
});

test('a seed is taken modulo 2^64, given as number or bigint', () => {
  const first = (seed: bigint | number) => bits(new SplitMix64(seed));
  assert.equal(first(Number.MAX_SAFE_INTEGER), first(2n ** 53n - 1n));
  assert.equal(first(2n ** 64n + 5n), first(5));
  assert.equal(first(-1), first(2n ** 64n - 1n));
  assert.equal(first(9_007_199_254_740_991n * 1_000_003n + 3n), reference(9_007_199_254_740_991n * 1_000_003n + 3n)());
});
