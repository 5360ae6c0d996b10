import assert from 'node:assert/strict';
import test from 'node:test';
import { bestPlateau, plateauAt, SplitMix64 } from '../../engine/statistics/index.js';
import { runs } from '../support/scale.js';

/** Coordinates of every point, the last axis fastest. */
const pointsOf = (sizes: readonly number[]): number[][] =>
  sizes.reduce<number[][]>(
    (points, size) => points.flatMap((point) => Array.from({ length: size }, (_, k) => [...point, k])),
    [[]],
  );

const distance = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, x, axis) => sum + Math.abs(x - b[axis]), 0);

test('the plateau of a point is the mean over the points at distance one, in any number of axes', () => {
  for (let seed = 0; seed < runs(40, 1_000); seed++) {
    const random = new SplitMix64(seed);
    const sizes = Array.from({ length: 1 + random.below(4) }, () => 1 + random.below(4));
    const points = pointsOf(sizes);
    const metric = Float64Array.from(points, () => (random.below(5) === 0 ? NaN : random.below(7) - 2));
    const scores = points.map((here) => {
      const values = [...metric].filter((x, k) => distance(points[k], here) === 1 && !Number.isNaN(x));
      return values.length === 0 ? null : values.reduce((sum, x) => sum + x, 0) / values.length;
    });
    scores.forEach((score, point) => {
      assert.equal(plateauAt(sizes, metric, point).neighbourMean, score, `seed ${seed}, point ${point}`);
    });
    const known = points.flatMap((_, k) => (scores[k] === null || Number.isNaN(metric[k]) ? [] : [k]));
    known.sort((a, b) => scores[b]! - scores[a]! || metric[b] - metric[a] || a - b);
    assert.equal(bestPlateau(sizes, metric)?.point, known[0], `seed ${seed}`);
  }
});
