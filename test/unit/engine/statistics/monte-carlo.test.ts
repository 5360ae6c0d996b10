import assert from 'node:assert/strict';
import test from 'node:test';
import { bootstrapReturns, percentileBands, reshuffleTrades, SplitMix64 } from '../../../../engine/statistics/index.js';
import { assertClose } from '../../../support/execution.js';
import { noiseRows } from '../../../support/noise.js';

const options = (seed = 1, pathCount = 200) => ({ random: new SplitMix64(seed), pathCount });
const [noise] = noiseRows(new SplitMix64(5), 1, 250, 0.001);

test('percentiles are those of type 7', () => {
  // numpy.percentile([15, 20, 35, 40, 50], [5, 25, 50, 75, 95])
  const bands = percentileBands(Float64Array.of(50, 15, 40, 20, 35));
  assert.deepEqual(bands, { p5: 16, p25: 20, p50: 35, p75: 40, p95: 48 });
  assert.deepEqual(percentileBands(Float64Array.of(7)), { p5: 7, p25: 7, p50: 7, p75: 7, p95: 7 });
});

test('the order of trades changes only the drawdown, not the final equity', () => {
  const result = reshuffleTrades(noise, options())!;
  const growth = noise.reduce((product, x) => product * (1 + x), 1);
  for (const band of Object.values(result.finalGrowth)) assertClose(band, growth, 'final growth');
  assert.ok(result.maxDrawdown.p5 < result.maxDrawdown.p95);
  assert.equal(result.pathCount, 200);
});

test('with two trades, one lost, each order has its drawdown, in half of the paths', () => {
  const result = reshuffleTrades(Float64Array.of(-0.5, 1), { ...options(1, 1_000), ruinFraction: 0.5 })!;
  assert.deepEqual(result.maxDrawdown, { p5: 0.5, p25: 0.5, p50: 0.5, p75: 0.5, p95: 0.5 });
  assert.deepEqual(result.finalGrowth, { p5: 1, p25: 1, p50: 1, p75: 1, p95: 1 });
  // Lost first.
  assert.ok(Math.abs(result.ruinProbability - 0.5) < 0.06, String(result.ruinProbability));
  assert.deepEqual(result.fan[0], { step: 0, p5: 1, p25: 1, p50: 1, p75: 1, p95: 1 });
  assert.equal(result.fan[1].p5, 0.5);
  assert.equal(result.fan[1].p95, 2);
});

test('all six orders of three trades come up equally often', () => {
  const returns = Float64Array.of(0.1, 0.2, 0.4);
  const random = new SplitMix64(3);
  const counts = new Map<string, number>();
  for (let k = 0; k < 6_000; k++) {
    const { fan } = reshuffleTrades(returns, { random, pathCount: 1 })!;
    const order = fan.map((point) => point.p50.toFixed(4)).join(' ');
    counts.set(order, (counts.get(order) ?? 0) + 1);
  }
  assert.equal(counts.size, 6);
  for (const count of counts.values()) assert.ok(Math.abs(count - 1_000) < 150, [...counts.values()].join(' '));
});

test('the fan has every step of a short path and 100 points of a long one, from start to end', () => {
  const steps = (length: number) =>
    bootstrapReturns(new Float64Array(length), { ...options(1, 2), meanBlock: 2 })!.fan.map((point) => point.step);
  assert.deepEqual(steps(1), [0, 1]);
  assert.deepEqual(steps(3), [0, 1, 2, 3]);
  for (const length of [99, 100, 101, 1_234]) {
    const at = steps(length);
    assert.equal(at.length, 100);
    assert.deepEqual([at[0], at[99], new Set(at).size], [0, length, 100]);
  }
});

test('the last point of the fan is the final equity', () => {
  const { fan, finalGrowth } = bootstrapReturns(noise, { ...options(), meanBlock: 10 })!;
  assert.deepEqual(fan[fan.length - 1], { step: noise.length, ...finalGrowth });
});

test('without movement every path stays at its start', () => {
  const still = { p5: 0, p25: 0, p50: 0, p75: 0, p95: 0 };
  const result = bootstrapReturns(new Float64Array(10), { ...options(), meanBlock: 3 })!;
  assert.deepEqual(result.maxDrawdown, still);
  assert.equal(result.ruinProbability, 0);
});

test('an account that lost everything stays at 0', () => {
  for (const loss of [-1, -1.5]) {
    const result = reshuffleTrades(Float64Array.of(loss, 0.5, 0.5), { ...options(), ruinFraction: 0 })!;
    assert.equal(result.finalGrowth.p95, 0);
    assert.equal(result.maxDrawdown.p5, 1);
    assert.equal(result.ruinProbability, 1);
  }
});

test('a start at or below the ruin fraction counts as ruin', () => {
  const gains = Float64Array.of(0.1, 0.1);
  assert.equal(reshuffleTrades(gains, { ...options(), ruinFraction: 1 })!.ruinProbability, 1);
  assert.equal(reshuffleTrades(gains, { ...options(), ruinFraction: 0.99 })!.ruinProbability, 0);
});

test('a lower ruin fraction is never more likely to be reached', () => {
  let before = 1;
  for (const ruinFraction of [1, 0.95, 0.9, 0.8, 0.5, 0]) {
    const { ruinProbability } = bootstrapReturns(noise, { ...options(), meanBlock: 5, ruinFraction })!;
    assert.ok(ruinProbability <= before, String(ruinFraction));
    before = ruinProbability;
  }
});

test('the same seed gives the same result, another seed another, and the data stays unchanged', () => {
  const copy = noise.slice();
  for (const run of [
    (seed: number) => reshuffleTrades(noise, options(seed)),
    (seed: number) => bootstrapReturns(noise, { ...options(seed), meanBlock: 7 }),
  ]) {
    assert.deepEqual(run(1), run(1));
    assert.notDeepEqual(run(1), run(2));
  }
  assert.deepEqual(noise, copy);
});

test('by default 1000 paths are drawn, and half the start is ruin', () => {
  const returns = Float64Array.of(-0.5, 0.1, 0.2);
  const short = reshuffleTrades(returns, { random: new SplitMix64(1) });
  assert.deepEqual(short, reshuffleTrades(returns, { ...options(1, 1_000), ruinFraction: 0.5 }));
});

test('no returns give no paths, and zero paths are refused', () => {
  const nothing = new Float64Array(0);
  assert.equal(reshuffleTrades(nothing, options()), null);
  assert.equal(bootstrapReturns(nothing, { ...options(), meanBlock: 2 }), null);
  for (const pathCount of [0, 2.5, NaN]) {
    assert.throws(() => reshuffleTrades(noise, { random: new SplitMix64(1), pathCount }), RangeError);
  }
  assert.throws(() => bootstrapReturns(noise, { ...options(), meanBlock: 0.5 }), RangeError);
});
