import assert from 'node:assert/strict';
import test from 'node:test';
import {
  deflatedSharpeRatio,
  expectedMaxSharpe,
  minBacktestLengthYears,
  minTrackRecordLength,
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
