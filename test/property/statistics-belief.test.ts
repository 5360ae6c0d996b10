import assert from 'node:assert/strict';
import test from 'node:test';
import {
  deflatedSharpeRatio,
  expectedMaxSharpe,
  findableEdge,
  impliedSpread,
  inverseNormalCdf,
  marketLine,
  minBacktestLengthYears,
  minTrackRecordLength,
  normalCdf,
  probabilisticSharpeRatio,
  SplitMix64,
  sharpeSample,
  timingTest,
  tValue,
} from '../../engine/statistics/index.js';
import {
  refDeflatedSharpe,
  refExpectedMax,
  refFindable,
  refImpliedSpread,
  refInverseNormalCdf,
  refMinBacktestYears,
  refMinTrackRecord,
  refMoments,
  refNormalCdf,
  refProbabilisticSharpe,
  refTiming,
  refTValue,
} from '../reference/belief.js';
import { refAlphaLine } from '../reference/metrics.js';
import { normal } from '../support/noise.js';
import { runs } from '../support/scale.js';

/** The statistics of single runs against versions written from the papers. */

function near(actual: number | null, expected: number, label: string): void {
  assert.ok(
    actual !== null && Math.abs(actual - expected) <= 1e-9 * Math.max(1, Math.abs(expected)),
    `${label}: ${actual} is not ${expected}`,
  );
}

/** Returns with heavy tails, and those of a market that they follow in part. */
function returns(random: SplitMix64, count: number): { account: Float64Array; market: Float64Array } {
  const market = Float64Array.from({ length: count }, () => 0.001 + 0.02 * normal(random) * (0.3 + random.uniform()));
  let before = 0;
  const account = market.map((move) => {
    before = 0.3 * before + 0.01 * normal(random) * (0.3 + 2 * random.uniform());
    return 0.0005 + 0.4 * move + before;
  });
  return { account, market };
}

test('the normal distribution and its inverse', () => {
  for (let x = -8; x <= 8; x += 0.37) near(normalCdf(x), refNormalCdf(x), `at ${x}`);
  for (const p of [1e-9, 0.001, 0.02, 0.3, 0.5, 0.77, 0.95, 0.999])
    near(inverseNormalCdf(p), refInverseNormalCdf(p), `${p}`);
});

test('Sharpe ratios: probabilistic, deflated, by luck, and the lengths that they need', () => {
  for (let seed = 0; seed < runs(20, 500); seed++) {
    const random = new SplitMix64(seed);
    const { account } = returns(random, 30 + random.below(800));
    const sample = sharpeSample(account)!;
    const moments = refMoments(Array.from(account));
    const trials = 2 + random.below(100_000);
    const variance = 0.001 + 0.01 * random.uniform();
    const benchmark = moments.sharpe - 0.1 * random.uniform() - 0.01;
    near(probabilisticSharpeRatio(sample, benchmark), refProbabilisticSharpe(moments, benchmark), 'probabilistic');
    near(expectedMaxSharpe(trials, variance), refExpectedMax(trials, variance), 'by luck');
    near(deflatedSharpeRatio(sample, trials, variance), refDeflatedSharpe(moments, trials, variance), 'deflated');
    near(minTrackRecordLength(sample, benchmark), refMinTrackRecord(moments, benchmark, 0.95), 'track record');
    near(minBacktestLengthYears(trials), refMinBacktestYears(trials), 'backtest length');
  }
});

test('alpha, beta and the t-value of Newey and West', () => {
  for (let seed = 0; seed < runs(15, 400); seed++) {
    const random = new SplitMix64(seed);
    const { account, market } = returns(random, 20 + random.below(400));
    const line = marketLine(account, market)!;
    const expected = refAlphaLine(Array.from(account), Array.from(market))!;
    for (const name of ['alpha', 'beta', 't'] as const) near(line[name], expected[name], `${name} of ${seed}`);
    near(line.pValue, refNormalCdf(-expected.t), 'p');
  }
});

test('entries against random ones', () => {
  let overlapping = 0;
  for (let seed = 0; seed < runs(10, 200); seed++) {
    const random = new SplitMix64(seed);
    const barCount = 60 + random.below(100);
    let price = 100;
    const close = Array.from({ length: barCount }, () => (price *= Math.exp(0.01 * normal(random))));
    const open = close.map((_, k) => close[k - 1] ?? 100);
    const doOverlap = seed % 3 === 0;
    if (doOverlap) overlapping++;
    let bar = 0;
    const trades = Array.from({ length: 2 + random.below(6) }, () => {
      const barsHeld = 1 + random.below(6);
      const entryBar = doOverlap ? random.below(barCount - barsHeld) : bar;
      bar += barsHeld + random.below(3);
      return { entryBar, barsHeld };
    });
    if (doOverlap) trades.push(trades[0]!);
    const options = { random: new SplitMix64(seed + 7), resampleCount: 60 };
    const actual = timingTest(trades, Float64Array.from(open), Float64Array.from(close), options)!;
    const expected = refTiming(trades, open, close, new SplitMix64(seed + 7), 60);
    for (const [name, value] of Object.entries(expected))
      near(actual[name as keyof typeof expected], value, `${name} of ${seed}`);
  }
  assert.ok(overlapping > 3);
});

test('the spread that returns imply, t-values by period, and the edge that can be found', () => {
  for (let seed = 0; seed < runs(20, 500); seed++) {
    const random = new SplitMix64(seed);
    const { account } = returns(random, 3 + random.below(1_200));
    near(tValue(account), refTValue(Array.from(account)), `t of ${seed}`);
    let price = 50;
    const half = 0.03 * random.uniform();
    const prices = Array.from(account, (move) => {
      price *= 1 + move;
      return price * (random.below(2) === 0 ? 1 + half : 1 - half);
    });
    const implied = impliedSpread(Float64Array.from(prices));
    const expected = refImpliedSpread(prices);
    near(implied?.half ?? null, expected.half, `half of the spread of ${seed}`);
    near(implied?.t ?? null, expected.t, `its t of ${seed}`);
    const [trials, years] = [1 + random.below(20_000), 0.1 + 9 * random.uniform()];
    const edge = findableEdge(trials, years, 0.05);
    near(edge.half, refFindable(trials, years, 0.5), `found in half, ${trials}`);
    near(edge.most, refFindable(trials, years, 0.9), `found in most, ${trials}`);
  }
  assert.equal(impliedSpread(new Float64Array(50).fill(3)), null);
  assert.equal(impliedSpread(Float64Array.of(1, 2)), null);
  assert.equal(tValue(new Float64Array(40)), 0);
});
