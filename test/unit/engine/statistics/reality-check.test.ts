import assert from 'node:assert/strict';
import test from 'node:test';
import { realityCheck, SplitMix64, stationaryBootstrap } from '../../../../engine/statistics/index.js';
import { noiseRows } from '../../../support/noise.js';

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
  assert.ok(Math.abs(drawn.length / blocks - 8) < 0.3, `${drawn.length / blocks}`); // 1 block in 100 continues by chance
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

const check = (rows: readonly Float64Array[], seed = 1, resampleCount = 500, benchmark?: Float64Array) =>
  realityCheck(rows, {
    random: new SplitMix64(seed),
    meanBlock: 5,
    resampleCount,
    ...(benchmark === undefined ? {} : { benchmark }),
  });

test('a real edge among noise has a small p-value', () => {
  const rows = noiseRows(new SplitMix64(6), 20, 500, 0, 0, 0.003);
  const result = check(rows)!;
  assert.equal(result.best, 2);
  assert.ok(Math.abs(result.bestMeanExcess - 0.003) < 0.0015, String(result.bestMeanExcess));
  assert.ok(result.pValue < 0.01, String(result.pValue));
});

test('the benchmark is subtracted from every strategy', () => {
  const [benchmark, ...rows] = noiseRows(new SplitMix64(7), 6, 300, 0.01);
  const excess = rows.map((row) => row.map((x, t) => x - benchmark[t]));
  assert.deepEqual(check(rows, 1, 200, benchmark), check(excess, 1, 200));
  assert.equal(check(rows, 1, 200, benchmark)!.pValue, 1);
});

test('strategies equal to the benchmark prove nothing', () => {
  const [benchmark] = noiseRows(new SplitMix64(8), 1, 100);
  assert.deepEqual(check([benchmark, benchmark], 1, 100, benchmark), { best: 0, bestMeanExcess: 0, pValue: 1 });
});

test('the same seed gives the same p-value and another seed another', () => {
  const rows = noiseRows(new SplitMix64(9), 5, 200);
  assert.deepEqual(check(rows, 1), check(rows, 1));
  assert.notEqual(check(rows, 1)!.pValue, check(rows, 2)!.pValue);
});

test('by default 1000 resamples are drawn', () => {
  const rows = noiseRows(new SplitMix64(10), 3, 50);
  const result = realityCheck(rows, { random: new SplitMix64(1), meanBlock: 5 });
  assert.deepEqual(result, check(rows, 1, 1_000));
});

test('no strategies or one period give null', () => {
  assert.equal(check([]), null);
  assert.equal(check([Float64Array.of(0.1)]), null);
});

test('rows of different lengths, no resamples and blocks below 1 are refused', () => {
  const rows = noiseRows(new SplitMix64(11), 2, 20);
  assert.throws(() => check([rows[0], new Float64Array(19)]), RangeError);
  assert.throws(() => check(rows, 1, 10, new Float64Array(19)), RangeError);
  for (const count of [0, 1.5, NaN]) assert.throws(() => check(rows, 1, count), RangeError);
  assert.throws(() => realityCheck(rows, { random: new SplitMix64(1), meanBlock: 0 }), RangeError);
});
