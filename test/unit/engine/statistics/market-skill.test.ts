import assert from 'node:assert/strict';
import test from 'node:test';
import { marketLine, SplitMix64 } from '../../../../engine/statistics/index.js';
import { normal } from '../../../support/noise.js';
import { runs } from '../../../support/scale.js';

const draw = (random: SplitMix64, length: number, mean = 0) =>
  Float64Array.from({ length }, () => mean + 0.01 * normal(random));

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
