import { DEVIATION_MIN } from '../metrics/returns.js';
import type { SplitMix64 } from './random.js';

const RESAMPLES = 1_000;
/** Holdings at all random dates together, above which fewer dates are drawn, and the fewest. */
const HOLDINGS_MAX = 50_000_000;
const RESAMPLES_MIN = 200;

/** A trade by its bars, both within the tested window. */
export interface HeldBars {
  /** Bar at whose open it was entered. */
  readonly entryBar: number;
  /** Bars held, 1 or more. */
  readonly barsHeld: number;
  /** Default: long. A short earns the fall. */
  readonly side?: 'long' | 'short';
}

interface TimingOptions {
  readonly random: SplitMix64;
  /** 1000 when left out. */
  readonly resampleCount?: number;
}

/**
 * How the entries of a strategy compare with random ones: as many trades, held as long, at random
 * times. The market's drift pays both, so the rest is timing.
 */
export interface Timing {
  /** Mean gross return of the trades, from the open of the entry bar to the close of the last. */
  readonly meanReturn: number;
  /** The same for random entries, on average. */
  readonly randomMeanReturn: number;
  /** Its distance from that average, in standard deviations of random schedules. */
  readonly zScore: number;
  /** (c + 1) / (B + 1), where c of B random schedules have at least this mean. */
  readonly pValue: number;
}

/**
 * A permutation test. Trades that do not overlap keep their holding times in a random order, with
 * the idle bars spread at random between them. Trades that overlap are placed independently. Each
 * keeps its side.
 *
 * @param open,close prices of the tested window
 * @returns null without trades, or where trades that do not overlap cover every bar
 */
export function timingTest(
  trades: readonly HeldBars[],
  open: Float64Array,
  close: Float64Array,
  { random, resampleCount = RESAMPLES }: TimingOptions,
): Timing | null {
  const barCount = close.length;
  const held = Int32Array.from(trades, ({ barsHeld }) => barsHeld);
  const signs = Int8Array.from(trades, ({ side }) => (side === 'short' ? -1 : 1));
  const heldBars = held.reduce((sum, bars) => sum + bars, 0);
  const doOverlap = overlap(trades);
  if (trades.length === 0 || (!doOverlap && heldBars >= barCount)) return null;
  const heldReturn = (bar: number, bars: number, sign: number): number =>
    sign * Math.log(close[Math.min(barCount, bar + bars) - 1] / open[bar]);
  const meanReturn =
    trades.reduce((sum, one, k) => sum + heldReturn(one.entryBar, one.barsHeld, signs[k]), 0) / trades.length;
  const place = doOverlap ? independently : oneAfterAnother;
  const starts = new Int32Array(trades.length);
  const means = Float64Array.from({ length: resampleCount }, () => {
    place(random, { held, signs }, barCount, heldBars, starts);
    let sum = 0;
    for (let k = 0; k < starts.length; k++) sum += heldReturn(starts[k], held[k], signs[k]);
    return sum / starts.length;
  });
  return among(meanReturn, means);
}

/** A return among the returns of random schedules. */
function among(meanReturn: number, means: Float64Array): Timing {
  const asGood = means.reduce((count, mean) => (mean >= meanReturn ? count + 1 : count), 0);
  const randomMeanReturn = means.reduce((sum, mean) => sum + mean) / means.length;
  const deviation = Math.sqrt(means.reduce((sum, mean) => sum + (mean - randomMeanReturn) ** 2, 0) / means.length);
  const zScore = deviation < DEVIATION_MIN ? 0 : (meanReturn - randomMeanReturn) / deviation;
  return { meanReturn, randomMeanReturn, zScore, pValue: (asGood + 1) / (means.length + 1) };
}

/** A part of an account that is held in one of several markets. */
export interface HeldShare {
  readonly market: number;
  /** Bar of the market at whose open it is bought. */
  readonly entryBar: number;
  /** 1 or more. */
  readonly barsHeld: number;
  /** Of the account when it is bought; below 0 for a short. */
  readonly share: number;
}

/**
 * The same for what an account holds in several markets. All of it moves by one random part of the
 * window, around its end to its start: positions held together stay together, for as long and with
 * the same shares, at random dates.
 *
 * @param markets prices of the tested window
 * @returns null where nothing is held, or as much at every date
 */
export function sharedTimingTest(
  held: readonly HeldShare[],
  markets: readonly { readonly open: Float64Array; readonly close: Float64Array }[],
  { random, resampleCount = RESAMPLES }: TimingOptions,
): Timing | null {
  const whole = held.reduce((sum, { share }) => sum + Math.abs(share), 0);
  if (!(whole > 0)) return null;
  const byMarket = markets.map(({ open, close }, market) => {
    const own = held.filter((one) => one.market === market);
    return {
      ...{ open: open.map(Math.log), close: close.map(Math.log), barCount: close.length },
      entryBars: Int32Array.from(own, ({ entryBar }) => entryBar),
      barsHeld: Int32Array.from(own, (one) => one.barsHeld),
      shares: Float64Array.from(own, ({ share }) => share),
    };
  });
  const meanAt = (part: number): number => {
    let sum = 0;
    for (const { open, close, barCount, entryBars, barsHeld, shares } of byMarket) {
      const shift = Math.floor(part * barCount);
      for (let k = 0; k < shares.length; k++) {
        let start = entryBars[k] + shift;
        if (start >= barCount) start -= barCount;
        const end = start + barsHeld[k];
        const wrapped = end > barCount ? close[end - barCount - 1] - open[0] : 0;
        sum += shares[k] * (close[(end > barCount ? barCount : end) - 1] - open[start] + wrapped);
      }
    }
    return sum / whole;
  };
  const length = Math.min(resampleCount, Math.max(RESAMPLES_MIN, Math.floor(HOLDINGS_MAX / held.length)));
  const means = Float64Array.from({ length }, () => meanAt(random.uniform()));
  const timing = among(meanAt(0), means);
  return timing.zScore === 0 ? null : timing;
}

function overlap(trades: readonly HeldBars[]): boolean {
  const inOrder = [...trades].sort((a, b) => a.entryBar - b.entryBar);
  return inOrder.some((one, k) => k > 0 && one.entryBar < inOrder[k - 1].entryBar + inOrder[k - 1].barsHeld);
}

/** Holding times and sides of the trades, in one order. */
interface Schedule {
  readonly held: Int32Array;
  readonly signs: Int8Array;
}

type Place = (random: SplitMix64, schedule: Schedule, barCount: number, heldBars: number, starts: Int32Array) => void;

/** Shuffles the trades in place, and draws the gaps between them uniformly. */
const oneAfterAnother: Place = (random, { held, signs }, barCount, heldBars, starts) => {
  for (let last = held.length - 1; last > 0; last--) {
    const other = random.below(last + 1);
    [held[last], held[other]] = [held[other], held[last]];
    [signs[last], signs[other]] = [signs[other], signs[last]];
  }
  const idle = barCount - heldBars;
  // Sorted places among the idle bars: all ways to spread them are nearly equally likely.
  for (let k = 0; k < starts.length; k++) starts[k] = random.below(idle + 1);
  starts.sort();
  let before = 0;
  for (let k = 0; k < starts.length; k++) {
    starts[k] += before;
    before += held[k];
  }
};

const independently: Place = (random, { held }, barCount, _, starts) => {
  for (let k = 0; k < starts.length; k++) starts[k] = random.below(Math.max(1, barCount - held[k] + 1));
};
