import assert from 'node:assert/strict';
import test from 'node:test';
import { betaLine } from '../../../../engine/metrics/beta-line.js';
import { seededRandom } from '../../../support/random.js';

const random = seededRandom(5);
const market = Float64Array.from({ length: 250 }, () => 0.02 * (random() - 0.5));

test('a return beyond the market is found, with the slope on it', () => {
  const returns = market.map((value) => 0.001 + 0.5 * value + 0.001 * (random() - 0.5));
  const line = betaLine(returns, market);
  assert.ok(line !== null);
  assert.ok(Math.abs(line.beta - 0.5) < 0.02 && Math.abs(line.alpha - 0.001) < 1e-4 && line.t > 20);
});

test('no line goes through fewer than 20 periods, a market that never moves, or an account that only follows it', () => {
  assert.equal(betaLine(market.subarray(20, 39), market.subarray(0, 19)), null);
  assert.notEqual(betaLine(market.subarray(20, 40), market.subarray(0, 20)), null);
  assert.equal(betaLine(market, new Float64Array(market.length)), null);
  assert.equal(betaLine(market.slice(), market), null);
});
