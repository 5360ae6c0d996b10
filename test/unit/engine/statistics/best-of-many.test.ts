import assert from 'node:assert/strict';
import test from 'node:test';
import { SplitMix64, testBestOfMany } from '../../../../engine/statistics/index.js';
import { noiseRows, normal, trialsOf } from '../../../support/noise.js';

const judge = (
  rows: readonly Float64Array[],
  more: { seed?: number; resampleCount?: number; market?: Float64Array } = {},
) =>
  testBestOfMany(trialsOf(rows), {
    random: new SplitMix64(more.seed ?? 1),
    meanBlock: 3,
    resampleCount: more.resampleCount ?? 500,
    ...(more.market === undefined ? {} : { market: more.market }),
  });

test('step by step, every planted edge among noise is found', () => {
  const { own } = judge(noiseRows(new SplitMix64(7), 100, 500, 0.003, 0.0025, 0.003, 0.0028))!;
  const found = own.steps.filter(({ pValue }) => pValue <= 0.05).map(({ row }) => row);
  assert.deepEqual(found.sort(), [0, 1, 2, 3]);
});

test('what the market explains is no skill', () => {
  const random = new SplitMix64(9);
  const market = Float64Array.from({ length: 300 }, () => 0.004 + 0.01 * normal(random));
  const rows = noiseRows(random, 50, 300).map((row, i) => row.map((x, t) => x / 2 + (i / 50) * market[t]!));
  const { own, beyondMarket } = judge(rows, { market })!;
  assert.ok(own.superiorP < 0.05, String(own.superiorP));
  assert.ok(beyondMarket!.superiorP > 0.05, String(beyondMarket!.superiorP));
  const skilled = [...rows, rows[0]!.map((x, t) => x + 0.004 + market[t]!)];
  const { beyondMarket: found } = judge(skilled, { market })!;
  assert.equal(found!.steps[0]!.row, 50);
  assert.ok(found!.steps[0]!.pValue < 0.01);
});

test('no trials or one period give null', () => {
  assert.equal(judge([]), null);
  assert.equal(judge([Float64Array.of(0.1)]), null);
});

test('no resamples and blocks below 1 are refused', () => {
  const rows = noiseRows(new SplitMix64(14), 2, 20);
  for (const resampleCount of [0, 1.5, NaN]) assert.throws(() => judge(rows, { resampleCount }), RangeError);
  assert.throws(() => testBestOfMany(trialsOf(rows), { random: new SplitMix64(1), meanBlock: 0 }), RangeError);
});
