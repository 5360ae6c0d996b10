import assert from 'node:assert/strict';
import test from 'node:test';
import {
  bootstrapReturns,
  type MonteCarlo,
  reshuffleTrades,
  SplitMix64,
  stationaryBootstrap,
} from '../../engine/statistics/index.js';
import { noiseRows } from '../support/noise.js';
import { runs } from '../support/scale.js';

/** Keeps whole paths and measures them afterwards, in the plainest way. */

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const rank = share * (sorted.length - 1);
  const below = sorted[Math.floor(rank)];
  return below + (rank % 1) * ((sorted[Math.floor(rank) + 1] ?? below) - below);
}

function bands(values: readonly number[]) {
  const at = (share: number) => percentile(values, share);
  return { p5: at(0.05), p25: at(0.25), p50: at(0.5), p75: at(0.75), p95: at(0.95) };
}

function measure(paths: readonly (readonly number[])[], ruinFraction: number): Omit<MonteCarlo, 'pathCount'> {
  const curves = paths.map((path) => {
    const curve = [1];
    for (const change of path) curve.push(Math.max(0, curve[curve.length - 1] * (1 + change)));
    return curve;
  });
  const length = paths[0].length;
  const steps = length <= 99 ? curves[0].map((_, k) => k) : Array.from({ length: 100 }, (_, k) => (k * length) / 99);
  return {
    finalGrowth: bands(curves.map((curve) => curve[length])),
    maxDrawdown: bands(
      curves.map((curve) => Math.max(...curve.map((value, k) => 1 - value / Math.max(...curve.slice(0, k + 1))))),
    ),
    ruinProbability: curves.filter((curve) => curve.some((value) => value <= ruinFraction)).length / curves.length,
    fan: steps.map(Math.round).map((step) => ({ step, ...bands(curves.map((curve) => curve[step])) })),
  };
}

function assertSame(actual: unknown, expected: unknown, label: string): void {
  if (typeof expected !== 'object' || expected === null) {
    assert.ok(Math.abs((actual as number) - (expected as number)) < 1e-12, `${label}: ${actual} is not ${expected}`);
    return;
  }
  for (const [key, value] of Object.entries(expected)) {
    assertSame((actual as Record<string, unknown>)[key], value, `${label} ${key}`);
  }
}

function randomReturns(random: SplitMix64): Float64Array {
  const [row] = noiseRows(random, 1, 1 + random.below(300));
  const scale = 1 + random.below(10);
  return row.map((x) => scale * x);
}

test('a bootstrap measures what its paths did', () => {
  for (let seed = 0; seed < runs(8, 300); seed++) {
    const random = new SplitMix64(seed);
    const returns = randomReturns(random);
    const settings = {
      meanBlock: 1 + random.below(20),
      pathCount: 1 + random.below(30),
      ruinFraction: random.uniform(),
    };
    const actual = bootstrapReturns(returns, { random: new SplitMix64(seed), ...settings });
    const same = new SplitMix64(seed);
    const paths = Array.from({ length: settings.pathCount }, () => {
      const indices = new Int32Array(returns.length);
      stationaryBootstrap(same, returns.length, settings.meanBlock, indices);
      return Array.from(indices, (t) => returns[t]);
    });
    assertSame(actual, measure(paths, settings.ruinFraction), `seed ${seed}`);
  }
});

test('a reshuffle measures what its paths did', () => {
  for (let seed = 0; seed < runs(8, 300); seed++) {
    const random = new SplitMix64(seed);
    const returns = randomReturns(random);
    const settings = { pathCount: 1 + random.below(30), ruinFraction: random.uniform() };
    const actual = reshuffleTrades(returns, { random: new SplitMix64(seed), ...settings });
    const same = new SplitMix64(seed);
    const path = [...returns];
    const paths = Array.from({ length: settings.pathCount }, () => {
      for (let k = path.length - 1; k > 0; k--) {
        const j = same.below(k + 1);
        [path[k], path[j]] = [path[j], path[k]];
      }
      return [...path];
    });
    assertSame(actual, measure(paths, settings.ruinFraction), `seed ${seed}`);
  }
});
