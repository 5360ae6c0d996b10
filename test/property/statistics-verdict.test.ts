import assert from 'node:assert/strict';
import test from 'node:test';
import { independentShare, independentTrials, SplitMix64 } from '../../engine/statistics/index.js';
import {
  type AssessmentInput,
  assessAcross,
  assessLeader,
  countTries,
  type EarlierTries,
} from '../../engine/sweep/index.js';
import {
  refAmongAll,
  refExpectedMax,
  refIndependentTrials,
  refMinTrackRecord,
  refMoments,
  refNormalCdf,
  refPicked,
  refProbabilisticSharpe,
  refTiming,
  refTValue,
  refUnrelatedBefore,
} from '../reference/belief.js';
import { refAlphaLine } from '../reference/metrics.js';
import { bestOfMany, mean } from '../reference/statistics.js';
import { inSingle, noiseRows, normal, trialsOf } from '../support/noise.js';
import { runs } from '../support/scale.js';

/** The figures of a verdict against versions written from their definitions. */

function near(actual: number | null | undefined, expected: number, label: string): void {
  const isNear = typeof actual === 'number' && Math.abs(actual - expected) <= 1e-9 * Math.max(1, Math.abs(expected));
  assert.ok(isNear, `${label}: ${actual} is not ${expected}`);
}

test('unrelated tries: the chance of their best, and their number from it', () => {
  for (const value of [-1, 0, 0.7, 2, 3.5]) {
    for (const trials of [1, 2.5, 40, 5_000]) {
      near(independentShare(trials, value), 1 - refNormalCdf(value) ** trials, `${trials} above ${value}`);
    }
  }
  for (const maximum of [0.4, 1, 1.9, 3.2, 4.5]) {
    near(independentTrials(maximum) / refIndependentTrials(maximum), 1, `trials for ${maximum}`);
  }
});

test('the number of tries from the lowest of their hashes', () => {
  const hash = (value: bigint) => value.toString(16).padStart(16, '0');
  const kept = Array.from({ length: 4_096 }, (_, k) => hash(BigInt(k + 1) * 2n ** 40n));
  assert.equal(countTries(kept.slice(0, 4_095)), 4_095);
  // The highest kept hash is 2^52 of 2^64: below it lies one hash in 4,096.
  assert.equal(countTries(kept), 4_095 * 4_096);
});

const DAYS = 90;
const BARS_PER_DAY = 4;

/** A sweep of a few related trials on a market with drift, with prices and trades of its leader. */
function sweepOf(seed: number, withStartup: boolean) {
  const random = new SplitMix64(seed);
  const rowCount = 4 + random.below(12);
  const [market, common, ...own] = inSingle(noiseRows(random, rowCount + 2, DAYS, 0.001));
  const rows = own.map((row) =>
    row.map((value, t) => Math.fround(0.5 * value + 0.4 * market![t]! + 0.3 * common![t]!)),
  );
  const leader = random.below(rowCount);
  const barCount = DAYS * BARS_PER_DAY;
  let price = 100;
  const close = Array.from({ length: barCount }, () => (price *= Math.exp(0.01 * normal(random))));
  const open = close.map((_, k) => close[k - 1] ?? 100);
  const trades = Array.from({ length: 12 }, (_, k) => ({
    entryBar: 28 * k + random.below(20),
    barsHeld: 1 + random.below(7),
  }));
  const trialCount = rowCount + random.below(3);
  const [startupRows, goodFraction] = [Math.max(2, rowCount >> 1), 0.2 + 0.2 * random.uniform()];
  const input: AssessmentInput = {
    ...{ trials: trialsOf(rows), leader, trialCount, daysPerYear: seed % 2 === 0 ? 365 : 252, seed },
    startup: withStartup ? { trials: trialsOf(rows.slice(0, startupRows)), goodFraction } : null,
    ...{ daily: rows[leader]!, market: market!, trades, tradeReturns: new Float64Array(12).fill(0.01) },
    ...{ open: Float64Array.from(open), close: Float64Array.from(close), earlier: earlierOf(random, trialCount) },
    honest: random.below(2) === 0 ? null : { slippage: 0.002, daily: rows[leader]!.map((one) => one - 0.0004) },
  };
  return { input, rows, market: market!, startupRows, goodFraction };
}

/** Other tries, of some of which recorded sweeps tell; none for one of four. */
function earlierOf(random: SplitMix64, trialCount: number): EarlierTries {
  if (random.below(4) === 0) return { all: trialCount, earlier: 0, sweeps: [], otherAssets: random.below(3) };
  const sweeps = Array.from({ length: random.below(4) }, (_, k) => {
    const tries = 1 + random.below(2 * trialCount);
    return { sweep: `${k}`, plan: '', tries, unrelated: 1 + (tries - 1) * random.uniform() };
  });
  const earlier = 1 + random.below(3 * trialCount);
  return { all: trialCount + earlier, earlier, sweeps, otherAssets: random.below(3) };
}

const share = (values: readonly number[], bound: number): number =>
  (values.filter((value) => value >= bound).length + 1) / (values.length + 1);

/** What a return keeps beyond beta times the market. */
function beyond(row: Float64Array, market: Float64Array): Float64Array {
  const centre = mean(market);
  const products = row.reduce((sum, x, t) => sum + (x - mean(row)) * (market[t]! - centre), 0);
  const beta = products / market.reduce((sum, x) => sum + (x - centre) ** 2, 0);
  return row.map((x, t) => x - beta * market[t]!);
}

/**
 * Luck's share and mean for a set of rows, judged as if only `startupRows` of them were unlearned.
 */
function refLuck(
  rows: readonly Float64Array[],
  { input, startupRows, goodFraction }: ReturnType<typeof sweepOf>,
): { averageT: number; shareAbove: (t: number) => number; t: number } {
  const { leader, seed, startup, trialCount } = input;
  const all = bestOfMany(rows, new SplitMix64(seed), 10, 1_000);
  const t = all.ts[leader]!;
  if (startup === null) return { averageT: mean(all.luckyTs), shareAbove: (bound) => share(all.luckyTs, bound), t };
  const early = bestOfMany(rows.slice(0, startupRows), new SplitMix64(seed), 10, 1_000);
  const unlearned = startupRows + Math.max(0, trialCount - startupRows) / goodFraction;
  const worth = (refIndependentTrials(mean(early.luckyTs)) / startupRows) * unlearned;
  return { averageT: refExpectedMax(worth, 1), shareAbove: (bound) => 1 - refNormalCdf(bound) ** worth, t };
}

/** Unrelated trials as lucky; those of a search that learns are counted already. */
const refWorth = ({ averageT }: { readonly averageT: number }): number => Math.max(1, refIndependentTrials(averageT));

test('the figures of a verdict, of sweeps that learn and of others', () => {
  let [failing, doubted] = [0, 0];
  for (let seed = 0; seed < runs(4, 60); seed++) {
    const sweep = sweepOf(seed, seed % 2 === 1);
    const { input, rows, market } = sweep;
    const { leader, daysPerYear, trades } = input;
    const actual = assessLeader(input);
    const label = (name: string) => `${name} of ${seed}`;
    const own = refLuck(rows, sweep);
    const rest = refLuck(
      rows.map((row) => beyond(row, market)),
      sweep,
    );
    near(actual.luckP, own.shareAbove(own.t), label('luck_p'));
    near(actual.marketP, rest.shareAbove(rest.t), label('market_p'));
    near(actual.luckySharpe, own.averageT / Math.sqrt(DAYS / daysPerYear), label('lucky_sharpe'));
    const effective = refIndependentTrials(own.averageT);
    near(actual.effectiveTrialCount / effective, 1, label('effective_trial_count'));

    const moments = refMoments(Array.from(rows[leader]!));
    near(actual.sharpe, moments.sharpe * Math.sqrt(daysPerYear), label('sharpe'));
    near(actual.probabilisticSharpe, refProbabilisticSharpe(moments, 0), label('probabilistic_sharpe'));
    const perDay = own.averageT / Math.sqrt(DAYS);
    near(actual.deflatedSharpe, refProbabilisticSharpe(moments, perDay), label('deflated_sharpe'));
    if (moments.sharpe <= perDay) assert.equal(actual.minTrackRecordDays, null, label('min_track_record_days'));
    else near(actual.minTrackRecordDays, refMinTrackRecord(moments, perDay, 0.95), label('min_track_record_days'));
    near(actual.minBacktestYears, refExpectedMax(effective, 1) ** 2, label('min_backtest_years'));

    const { all, earlier, otherAssets } = input.earlier;
    const beyondWorth = refWorth(rest);
    near(actual.effectiveBeyondMarket / beyondWorth, 1, label('effective_beyond_market'));
    const before = refUnrelatedBefore(input.earlier, Math.max(effective, beyondWorth) / input.trialCount);
    const ever = effective + before;
    assert.equal(actual.everTried!.trialCount, Math.max(input.trialCount, all));
    near(actual.everTried!.effectiveTrialCount / ever, 1, label('ever_tried.effective_trial_count'));
    const everT = earlier === 0 ? own.averageT : refExpectedMax(ever, 1);
    near(actual.everTried!.luckySharpe, everT / Math.sqrt(DAYS / daysPerYear), label('ever_tried.lucky_sharpe'));
    const everDeflated = refProbabilisticSharpe(moments, everT / Math.sqrt(DAYS));
    near(actual.everTried!.deflatedSharpe, everDeflated, label('ever_tried.deflated_sharpe'));
    const tried = { before, isFirst: earlier === 0, otherAssets };
    const amongAll = (p: number, worth: number, t: number): number => refAmongAll(tried, p, worth, t);
    const everP = {
      luck: amongAll(actual.luckP!, effective, own.t),
      market: amongAll(actual.marketP!, beyondWorth, rest.t),
      timing: amongAll(actual.timing!.pValue, beyondWorth, actual.timing!.zScore),
      fills: 0,
    };
    if (input.honest == null) assert.deepEqual([actual.fills, actual.everTried!.fillsP], [null, null]);
    else {
      const honestT = refTValue(Array.from(input.honest.daily));
      near(actual.fills?.pValue, own.shareAbove(honestT), label('fills.p_value'));
      assert.equal(actual.fills?.slippage, input.honest.slippage);
      everP.fills = amongAll(actual.fills!.pValue, effective, honestT);
      near(actual.everTried!.fillsP, everP.fills, label('ever_tried.fills_p'));
      doubted++;
    }
    near(actual.everTried!.luckP, everP.luck, label('ever_tried.luck_p'));
    near(actual.everTried!.marketP, everP.market, label('ever_tried.market_p'));
    near(actual.everTried!.timingP, everP.timing, label('ever_tried.timing_p'));

    const line = refAlphaLine(Array.from(rows[leader]!), Array.from(market))!;
    for (const name of ['alpha', 'beta', 't'] as const) near(actual.marketLine![name], line[name], label(name));
    const { open, close } = input;
    const timing = refTiming(trades, Array.from(open), Array.from(close), new SplitMix64(input.seed), 1_000);
    near(actual.timing!.zScore, timing.zScore, label('timing.z_score'));
    const timed = Math.max(timing.pValue, rest.shareAbove(timing.zScore));
    near(actual.timing!.pValue, timed, label('timing.p_value'));

    const fails = (['fills', 'timing', 'market', 'luck'] as const).find((one) => everP[one] > 0.05) ?? null;
    assert.equal(actual.fails, fails, label('fails'));
    if (fails !== null) failing++;
  }
  assert.ok(failing > 0 && doubted > 0);
});

test('leaders of several datasets, each as one that was picked', () => {
  for (let seed = 0; seed < runs(3, 30); seed++) {
    const leaders = [0, 1, 2].map((k) => assessLeader(sweepOf(3 * seed + k, k === 1).input));
    for (const [k, whole] of assessAcross(leaders).entries()) {
      const { otherAssets, luckP, marketP, timingP, fillsP } = leaders[k]!.everTried!;
      near(whole?.luckP, refPicked(luckP, 3, otherAssets), `luck_p of ${seed}, ${k}`);
      near(whole?.marketP, refPicked(marketP!, 3, otherAssets), `market_p of ${seed}, ${k}`);
      near(whole?.timingP, refPicked(timingP!, 3, otherAssets), `timing_p of ${seed}, ${k}`);
      if (fillsP === null) assert.equal(whole?.fillsP, null);
      else near(whole?.fillsP, refPicked(fillsP, 3, otherAssets), `fills_p of ${seed}, ${k}`);
    }
  }
});
