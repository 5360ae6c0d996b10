import assert from 'node:assert/strict';
import test from 'node:test';
import { SplitMix64, testBestOfMany } from '../../engine/statistics/index.js';
import { bestOfMany, mean } from '../reference/statistics.js';
import { inSingle, noiseRows, normal, trialsOf } from '../support/noise.js';
import { runs } from '../support/scale.js';

const close = (actual: number, expected: number, label: string): void =>
  assert.ok(Math.abs(actual - expected) < 1e-9, `${label}: ${actual} is not ${expected}`);

test('the p-values are those of the definitions', () => {
  for (let seed = 0; seed < runs(10, 500); seed++) {
    const random = new SplitMix64(seed);
    const rows = inSingle(
      noiseRows(random, 1 + random.below(15), 3 + random.below(80), 0.002 * random.below(3), -0.02),
    );
    if (random.below(3) === 0) rows.push(new Float64Array(rows[0]!.length));
    const meanBlock = 1 + random.uniform() * random.below(8); // short and long, so by weights and by stretches
    const resampleCount = 40 + random.below(3);
    const options = { random: new SplitMix64(seed), meanBlock, resampleCount };
    const { own } = testBestOfMany(trialsOf(rows), options)!;
    const expected = bestOfMany(rows, new SplitMix64(seed), meanBlock, resampleCount);
    for (const [k, t] of [...expected.luckyTs].sort((a, b) => a - b).entries()) {
      close(own.luckyTs[k]!, expected.ts.length === 0 ? 0 : t, `seed ${seed}, luck ${k}`);
    }
    close(own.realityCheckP, expected.realityCheckP, `seed ${seed}, reality check`);
    close(own.superiorP, expected.superiorP, `seed ${seed}, superior ability`);
    for (const [k, { pValue }] of own.steps.entries()) close(pValue, expected.steps[k]!, `seed ${seed}, step ${k}`);
  }
});

test('returns beyond the market are tested like returns of their own', () => {
  for (let seed = 0; seed < runs(5, 200); seed++) {
    const random = new SplitMix64(seed);
    const [market, ...rows] = inSingle(noiseRows(random, 2 + random.below(10), 30 + random.below(60), 0.002));
    const centre = mean(market!);
    const rest = rows.map((row) => {
      const products = row.reduce((sum, x, t) => sum + (x - mean(row)) * (market![t]! - centre), 0);
      const beta = products / market!.reduce((sum, x) => sum + (x - centre) ** 2, 0);
      return row.map((x, t) => x - beta * market![t]!);
    });
    const options = { random: new SplitMix64(seed), meanBlock: 2, resampleCount: 50, market: market! };
    const { beyondMarket } = testBestOfMany(trialsOf(rows), options)!;
    const expected = bestOfMany(rest, new SplitMix64(seed), 2, 50);
    close(beyondMarket!.realityCheckP, expected.realityCheckP, `seed ${seed}`);
    for (const [k, { pValue }] of beyondMarket!.steps.entries()) {
      close(pValue, expected.steps[k]!, `seed ${seed}, step ${k}`);
    }
  }
});

/** Returns of a market with the given character, a deviation of about 1 % a period. */
const markets: Readonly<Record<string, (random: SplitMix64, length: number) => Float64Array>> = {
  normal: (random, length) => Float64Array.from({ length }, () => 0.01 * normal(random)),
  'heavy tails': (random, length) =>
    Float64Array.from({ length }, () => {
      // Student's t, 4 degrees.
      const squares = [1, 2, 3, 4].reduce((sum) => sum + normal(random) ** 2, 0);
      return (0.007 * normal(random)) / Math.sqrt(squares / 4);
    }),
  'volatility clusters': (random, length) => {
    let variance = 1e-4;
    return Float64Array.from({ length }, () => {
      const change = Math.sqrt(variance) * normal(random);
      variance = 5e-6 + 0.1 * change * change + 0.85 * variance;
      return change;
    });
  },
};

for (const [name, draw] of Object.entries(markets)) {
  test(`on ${name}, the p-values of trials without skill are spread over all values`, () => {
    const sweeps = runs(30, 1_000);
    const values: number[] = [];
    for (let seed = 0; seed < sweeps; seed++) {
      const random = new SplitMix64(seed);
      const market = draw(random, 200);
      // Trials that hold parts of one market at different times are related, as those of a sweep.
      const rows = Array.from({ length: 100 }, () => {
        const exposure = random.uniform();
        return market.map((x) => (random.uniform() < exposure ? x : 0));
      });
      values.push(testBestOfMany(trialsOf(rows), { random, meanBlock: 3, resampleCount: 200 })!.own.superiorP);
    }
    const shareBelow = (bound: number) => values.filter((value) => value <= bound).length / sweeps;
    const slack = 3 * Math.sqrt(0.25 / sweeps);
    // Hansen's test leaves out trials that are clearly poor, so its large p-values are a little
    // small.
    for (const bound of [0.05, 0.25, 0.5, 0.75]) {
      const allowed =
        bound + Math.min(slack, 3 * Math.sqrt((bound * (1 - bound)) / sweeps)) + (bound > 0.5 ? 0.03 : 0.02);
      assert.ok(shareBelow(bound) <= allowed, `${shareBelow(bound)} of the p-values are at most ${bound}`);
    }
    assert.ok(shareBelow(0.75) >= 0.75 - slack - 0.1, `${shareBelow(0.75)} of the p-values are at most 0.75`);
  });
}
