import assert from 'node:assert/strict';
import test from 'node:test';
import {
  luckyShare,
  luckyT,
  SplitMix64,
  stationaryBootstrap,
  testBestOfMany,
} from '../../../../engine/statistics/index.js';
import { noiseRows, normal, trialsOf } from '../../../support/noise.js';

function indices(seed: number, length: number, meanBlock: number, count = length): Int32Array {
  const out = new Int32Array(count);
  stationaryBootstrap(new SplitMix64(seed), length, meanBlock, out);
  return out;
}

test('a resample starts anywhere and is drawn block by block', () => {
  const random = new SplitMix64(1);
  const expected = [random.below(7)];
  while (expected.length < 50) {
    expected.push(random.uniform() < 1 / 3 ? random.below(7) : (expected[expected.length - 1] + 1) % 7);
  }
  assert.deepEqual([...indices(1, 7, 3, 50)], expected);
});

test('blocks have the requested mean length, and every period is equally likely', () => {
  const drawn = indices(2, 100, 8, 200_000);
  const counts = new Int32Array(100);
  let blocks = 1;
  drawn.forEach((index, k) => {
    counts[index]++;
    if (k > 0 && index !== (drawn[k - 1] + 1) % 100) blocks++;
  });
  // 1 block in 100 continues by chance.
  assert.ok(Math.abs(drawn.length / blocks - 8) < 0.3, `${drawn.length / blocks}`);
  for (const count of counts) assert.ok(Math.abs(count - 2_000) < 600, String(count));
});

test('an endless block is the series itself, rotated', () => {
  const drawn = indices(3, 10, Infinity);
  assert.deepEqual(
    [...drawn],
    Array.from({ length: 10 }, (_, k) => (drawn[0] + k) % 10),
  );
});

test('one period can only be repeated, and blocks below 1 are refused', () => {
  assert.deepEqual([...indices(4, 1, 5, 4)], [0, 0, 0, 0]);
  for (const meanBlock of [0.99, -1, NaN]) assert.throws(() => indices(5, 10, meanBlock), RangeError);
});

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

test('a real edge among noise has small p-values, and its trial leads the steps', () => {
  const { own } = judge(noiseRows(new SplitMix64(6), 200, 400, 0, 0, 0.003))!;
  for (const p of [own.realityCheckP, own.superiorP, own.steps[0]!.pValue]) assert.ok(p < 0.01, String(p));
  assert.equal(own.steps[0]!.row, 2);
  assert.ok(Math.abs(own.steps[0]!.t - 6) < 2.5, String(own.steps[0]!.t));
  assert.ok(own.steps[1]!.pValue > 0.05, 'the second is noise');
});

test('step by step, every planted edge among noise is found', () => {
  const { own } = judge(noiseRows(new SplitMix64(7), 100, 500, 0.003, 0.0025, 0.003, 0.0028))!;
  const found = own.steps.filter(({ pValue }) => pValue <= 0.05).map(({ row }) => row);
  assert.deepEqual(found.sort(), [0, 1, 2, 3]);
});

test('p-values of later steps are never smaller, and there are ten at most', () => {
  for (const rowCount of [1, 9, 10, 11, 64, 65, 200]) {
    const { own } = judge(noiseRows(new SplitMix64(rowCount), rowCount, 100))!;
    assert.equal(own.steps.length, Math.min(10, rowCount));
    for (const [k, step] of own.steps.entries()) {
      assert.equal(step.t, own.ts[step.row]);
      if (k > 0) assert.ok(step.pValue >= own.steps[k - 1]!.pValue && step.t <= own.steps[k - 1]!.t);
    }
    assert.equal(own.steps[0]!.t, Math.max(...own.ts));
    assert.equal(luckyShare(own, own.steps[0]!.t), own.steps[0]!.pValue);
  }
});

test('trials that are clearly bad do not dilute the test of the good one', () => {
  const [good, ...bad] = noiseRows(new SplitMix64(8), 60, 300, 0.0016, ...new Array(59).fill(-0.01));
  const { own } = judge([good!, ...bad])!;
  assert.ok(own.superiorP < 0.03, String(own.superiorP));
  assert.ok(own.superiorP < own.steps[0]!.pValue);
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

test('trials that never differ prove nothing', () => {
  const { own } = judge([new Float64Array(100), new Float64Array(100)])!;
  assert.deepEqual([own.realityCheckP, own.superiorP, own.steps], [1, 1, []]);
  assert.equal(luckyT(own), 0);
});

test('copies of a trial have no more luck than one of them', () => {
  const [one] = noiseRows(new SplitMix64(10), 1, 200);
  const single = judge([one!])!.own;
  const many = judge(new Array(500).fill(one))!.own;
  assert.equal(many.steps[0]!.pValue, single.steps[0]!.pValue);
  assert.equal(luckyT(many), luckyT(single));
  assert.ok(luckyT(judge(noiseRows(new SplitMix64(11), 500, 200))!.own) > 2.5);
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
