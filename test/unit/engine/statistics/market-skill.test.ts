import assert from 'node:assert/strict';
import test from 'node:test';
import { marketLine, SplitMix64 } from '../../../../engine/statistics/index.js';
import { normal } from '../../../support/noise.js';
import { runs } from '../../../support/scale.js';

const draw = (random: SplitMix64, length: number, mean = 0) =>
  Float64Array.from({ length }, () => mean + 0.01 * normal(random));

/** Least squares by the normal equations, and the sandwich of Newey and West, as matrices. */
function naive(returns: Float64Array, market: Float64Array) {
  const count = returns.length;
  const lagMax = Math.floor(4 * (count / 100) ** (2 / 9));
  const sum = (of: (t: number) => number) => returns.reduce((total, _, t) => total + of(t), 0);
  const [a, b, d] = [count, sum((t) => market[t]!), sum((t) => market[t]! ** 2)];
  const determinant = a * d - b * b;
  // Of X'X: [00, 01, 11].
  const inverse = [d / determinant, -b / determinant, a / determinant] as const;
  const [y, xy] = [sum((t) => returns[t]!), sum((t) => market[t]! * returns[t]!)];
  const alpha = inverse[0] * y + inverse[1] * xy;
  const beta = inverse[1] * y + inverse[2] * xy;
  const scores = Array.from(returns, (value, t) => {
    const residual = value - alpha - beta * market[t]!;
    return [residual, residual * market[t]!] as const;
  });
  const meat = [0, 0, 0, 0];
  for (let lag = 0; lag <= lagMax; lag++) {
    const weight = 1 - lag / (lagMax + 1);
    for (let t = lag; t < count; t++) {
      for (const [i, j, k] of [
        [0, 0, 0],
        [0, 1, 1],
        [1, 0, 2],
        [1, 1, 3],
      ] as const) {
        const product = scores[t]![i] * scores[t - lag]![j];
        meat[k]! += weight * (lag === 0 ? product : product + scores[t - lag]![i] * scores[t]![j]);
      }
    }
  }
  const [p, q] = [inverse[0], inverse[1]];
  const variance = (p * p * meat[0]! + p * q * (meat[1]! + meat[2]!) + q * q * meat[3]!) * (count / (count - 2));
  return { alpha, beta, t: alpha / Math.sqrt(variance) };
}

test('alpha, beta and t are those of the regression', () => {
  for (let seed = 0; seed < runs(30, 500); seed++) {
    const random = new SplitMix64(seed);
    const market = draw(random, 20 + random.below(300), 0.001);
    const noise = draw(random, market.length, 0.001 * random.below(3));
    const returns = noise.map((x, t) => x + 0.7 * market[t]! + 0.3 * (noise[t - 1] ?? 0));
    const line = marketLine(returns, market)!;
    const expected = naive(returns, market);
    for (const name of ['alpha', 'beta', 't'] as const) {
      const slack = 1e-9 * Math.max(1e-3, Math.abs(expected[name]));
      assert.ok(
        Math.abs(line[name] - expected[name]) < slack,
        `seed ${seed}, ${name}: ${line[name]} ${expected[name]}`,
      );
    }
  }
});

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
