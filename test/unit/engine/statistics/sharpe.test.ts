import assert from 'node:assert/strict';
import test from 'node:test';
import {
  deflatedSharpeRatio,
  expectedMaxNormal,
  expectedMaxSharpe,
  independentShare,
  independentTrials,
  minBacktestLengthYears,
  minTrackRecordLength,
  probabilisticSharpeRatio,
  sharpeSample,
} from '../../../../engine/statistics/index.js';
import { assertClose } from '../../../support/execution.js';

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

test('the best of ten trials is expected at 1.57, as published', () => {
  assert.equal(expectedMaxSharpe(10, 1).toFixed(2), '1.57');
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

test('after the minimum track record the probability equals the confidence', () => {
  for (const confidence of [0.5, 0.9, 0.95, 0.999]) {
    const observationCount = minTrackRecordLength(published, 0.05, confidence)!;
    if (confidence === 0.5) assert.equal(observationCount, 1);
    else assertClose(probabilisticSharpeRatio({ ...published, observationCount }, 0.05)!, confidence, `${confidence}`);
  }
});

test('no track record proves a ratio that is not above the benchmark', () => {
  assert.equal(minTrackRecordLength(published, published.sharpe), null);
  assert.equal(minTrackRecordLength(published, 1), null);
});

test('a confidence below one half, or of 1, is refused', () => {
  for (const confidence of [0.49, 1, NaN]) {
    assert.throws(() => minTrackRecordLength(published, 0, confidence), RangeError);
  }
});

test('the probabilistic ratio is one half at the benchmark and needs two observations', () => {
  assert.equal(probabilisticSharpeRatio(published, published.sharpe), 0.5);
  assert.equal(probabilisticSharpeRatio({ ...published, observationCount: 1 }, 0), null);
});

test('impossible combinations of skewness and kurtosis give null', () => {
  const impossible = { observationCount: 100, sharpe: 1, skewness: 3, kurtosis: 1 };
  assert.equal(probabilisticSharpeRatio(impossible, 0), null);
  assert.equal(deflatedSharpeRatio(impossible, 10, 1), null);
  assert.equal(minTrackRecordLength(impossible, 0), null);
});

test('at most one trial leaves no room for luck', () => {
  for (const count of [0, 1, 1.2]) {
    assert.equal(expectedMaxSharpe(count, 1), 0);
    assert.equal(minBacktestLengthYears(count), 0);
  }
  assert.equal(deflatedSharpeRatio(published, 1, trialVariance), probabilisticSharpeRatio(published, 0));
  assert.equal(expectedMaxSharpe(100, 0), 0);
});

test('more trials never lower the ratio expected by luck', () => {
  for (let count = 1; count < 5; count += 0.01) {
    assert.ok(expectedMaxSharpe(count + 0.01, 1) >= expectedMaxSharpe(count, 1), String(count));
  }
  assert.ok(expectedMaxSharpe(1e15, 1) < expectedMaxSharpe(1e16, 1));
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

test('returns that do not differ give no sample', () => {
  for (const values of [[], [0.01], [0, 0, 0], [0.1, 0.1, 0.1]]) {
    assert.equal(sharpeSample(Float64Array.from(values)), null, String(values));
  }
});

const assertNear = (actual: number, expected: number): void =>
  assert.ok(Math.abs(actual / expected - 1) < 1e-9, `${actual} is not ${expected}`);

test('the number of independent trials is read from the best that luck gives them', () => {
  for (const count of [2, 10, 500, 100_000, 1e9]) assertNear(independentTrials(expectedMaxNormal(count)), count);
  for (const maximum of [0, -1, NaN]) assert.equal(independentTrials(maximum), 1);
});

test('the chance that one of many draws is high keeps its digits', () => {
  assertNear(independentShare(1, 1.6448536269514722), 0.05);
  assertNear(independentShare(100, 3), 1 - (1 - 0.0013498980316300933) ** 100);
  assertNear(independentShare(10, 10), 7.61985302416e-23);
});
