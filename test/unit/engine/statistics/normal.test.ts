import assert from 'node:assert/strict';
import test from 'node:test';
import { inverseNormalCdf, normalCdf } from '../../../../engine/statistics/index.js';

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
