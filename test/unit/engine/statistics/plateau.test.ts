import assert from 'node:assert/strict';
import test from 'node:test';
import { bestPlateau, plateauAt } from '../../../../engine/statistics/index.js';

// 3 x 4, the last axis fastest: a peak at row 0, a plateau in the corner of rows 1 and 2
const grid = Float64Array.of(9, 0, 0, 0, 0, 2, 4, 4, 0, 2, 4, 4);
const sizes = [3, 4];

test('a point inside has its neighbours along both axes', () => {
  assert.deepEqual(plateauAt(sizes, grid, 6), {
    point: 6,
    value: 4,
    neighbourCount: 4,
    neighbourMean: (0 + 4 + 2 + 4) / 4,
    difference: 1.5,
    ratio: 0.625,
  });
});

test('a point at the edge has fewer neighbours, and rows do not run into each other', () => {
  assert.deepEqual(plateauAt(sizes, grid, 0), {
    point: 0,
    value: 9,
    neighbourCount: 2,
    neighbourMean: 0,
    difference: 9,
    ratio: 0,
  });
  assert.equal(plateauAt(sizes, grid, 3).neighbourMean, (0 + 4) / 2);
  assert.equal(plateauAt(sizes, grid, 4).neighbourMean, (9 + 0 + 2) / 3);
});

test('the best point by plateau is not the lonely peak', () => {
  const best = bestPlateau(sizes, grid)!;
  assert.equal(best.point, 11);
  assert.equal(best.ratio, 1);
  assert.equal(best.difference, 0);
});

test('neighbours without a metric are left out, and an isolated point has none', () => {
  const metric = Float64Array.of(1, NaN, 3, Infinity);
  assert.deepEqual(plateauAt([2, 2], metric, 0), {
    point: 0,
    value: 1,
    neighbourCount: 1,
    neighbourMean: 3,
    difference: -2,
    ratio: 3,
  });
  assert.deepEqual(plateauAt([2, 2], metric, 1), {
    point: 1,
    value: null,
    neighbourCount: 1,
    neighbourMean: 1,
    difference: null,
    ratio: null,
  });
  const alone = { point: 0, value: 5, neighbourCount: 0, neighbourMean: null, difference: null, ratio: null };
  assert.deepEqual(plateauAt([1, 1], Float64Array.of(5), 0), alone);
  assert.deepEqual(plateauAt([], Float64Array.of(5), 0), alone);
});

test('a ratio to 0 or to a loss is undefined', () => {
  assert.equal(plateauAt([2], Float64Array.of(0, 1), 0).ratio, null);
  assert.equal(plateauAt([2], Float64Array.of(-1, 1), 0).ratio, null);
  assert.equal(plateauAt([2], Float64Array.of(-1, 1), 0).difference, -2);
});

test('of equal plateaus the higher value wins, then the first', () => {
  assert.equal(bestPlateau([3], Float64Array.of(1, 2, 1))!.point, 0);
  assert.equal(bestPlateau([5], Float64Array.of(1, 2, 3, 2, 3))!.point, 3);
  assert.equal(bestPlateau([2, 2], Float64Array.of(1, 4, 4, 1))!.point, 0);
  assert.equal(bestPlateau([4], Float64Array.of(2, 5, 3, 5))!.point, 2);
  assert.equal(bestPlateau([5], Float64Array.of(6, 1, 7, 6, 7))!.point, 3);
});

test('a grid without two neighbouring values has no best plateau', () => {
  assert.equal(bestPlateau([1], Float64Array.of(1)), null);
  assert.equal(bestPlateau([3], Float64Array.of(1, NaN, 1)), null);
  assert.equal(bestPlateau([2, 0], new Float64Array(0)), null);
});

test('a metric that does not fit its grid, and a point outside, are refused', () => {
  assert.throws(() => plateauAt([2, 3], grid, 0), RangeError);
  assert.throws(() => bestPlateau([2.5, 4.8], grid), RangeError);
  assert.throws(() => bestPlateau([-3, -4], grid), RangeError);
  for (const point of [-1, 12, 0.5, NaN]) assert.throws(() => plateauAt(sizes, grid, point), RangeError);
});
