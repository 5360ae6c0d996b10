import { type BarSeries, sliceBars } from '../../engine/series/index.js';
import { type EarlierTries, NOTHING_EARLIER, type TriedSweep } from '../../engine/sweep/index.js';
import { type CrossGrid, type JudgedSweep, judgeGrid } from './judge.js';
import { barsOf, type Market } from './markets.js';

/** What people do to find something that passes: each ends with one verdict. */
export const chains = ['refined once', 'refined twice', 'best of ten windows', 'best of thirty assets'] as const;

export interface ChainSetting {
  readonly market: Market;
  readonly hasCosts: boolean;
  readonly chain: (typeof chains)[number];
  /** Tries of the first sweep, and of each window or asset. */
  readonly tries: number;
}

/** What is said in the end, and what would be if only the last sweep counted. */
export interface ChainVerdict {
  readonly passes: boolean;
  readonly passesAlone: boolean;
  readonly luck: number | null;
}

const WINDOWS = 10;
const ASSETS = 30;
const range = (min: number, max: number) => ({ min, max, step: 1 });

const REWARDS = [1.5, 2, 3, 4];

/** A grid of as many tries. */
export const wide = (costs: boolean, tries: number): CrossGrid => ({
  fast: range(5, 40),
  slow: range(41, 120),
  trend: { values: [5, 10] },
  reward: REWARDS,
  costs,
  combinations: Math.ceil(tries / REWARDS.length),
});

const around = (value: number, step: number, count: number) => ({
  values: Array.from({ length: count }, (_, k) => value + step * (k - (count >> 1))).filter((one) => one >= 2),
});

/** 36 neighbours of a leader, as a second sweep has them. */
function neighbours({ rules, rewardFactor }: JudgedSweep, step: number, costs: boolean): CrossGrid {
  const params = Object.assign({}, ...rules.map((rule) => rule.params)) as Record<string, number>;
  const { window_fast: fast = 5, window_slow: slow = 41, window: trend = 5 } = params;
  return {
    fast: around(fast, step, 3),
    slow: around(slow, step, 4),
    trend: { values: [trend] },
    reward: [rewardFactor - 0.1 * step, rewardFactor, rewardFactor + 0.1 * step],
    costs,
    combinations: null,
  };
}

const told = (sweep: string, { trust, tries }: JudgedSweep): TriedSweep | null =>
  trust === null
    ? null
    : { sweep, plan: '', tries, unrelated: Math.max(trust.effectiveTrialCount, trust.effectiveBeyondMarket) };

function after(sweeps: readonly JudgedSweep[]): EarlierTries {
  const earlier = sweeps.reduce((sum, { tries }) => sum + tries, 0);
  return { all: earlier, earlier, sweeps: sweeps.flatMap((one, k) => told(`${k}`, one) ?? []), otherAssets: 0 };
}

const passes = (trust: JudgedSweep['trust']): boolean => trust?.luckP != null && trust.fails === null;

function verdictOf(last: JudgedSweep, earlier: EarlierTries): ChainVerdict {
  const inTheEnd = last.after(earlier);
  return {
    passes: passes(inTheEnd),
    passesAlone: passes(last.trust),
    luck: inTheEnd?.everTried?.luckP ?? null,
  };
}

/** Follows a chain of sweeps to its end, over a market that the seed draws. */
export function judgeChain({ market, hasCosts, chain, tries }: ChainSetting, seed: number): ChainVerdict {
  const isWindow = chain === 'best of ten windows';
  const bars = barsOf(market, isWindow || chain !== 'best of thirty assets' ? seed : ASSETS * seed);
  const grid = wide(hasCosts, tries);
  if (isWindow || chain === 'best of thirty assets') {
    const places = Array.from({ length: isWindow ? WINDOWS : ASSETS }, (_, k): BarSeries => {
      if (!isWindow) return k === 0 ? bars : barsOf(market, ASSETS * seed + k);
      const half = bars.barCount >> 1;
      const from = Math.round((k * (bars.barCount - half)) / (WINDOWS - 1));
      return sliceBars(bars, from, from + half);
    });
    const judged = places.map((one) => judgeGrid(one, grid, seed));
    const picked = judged.reduce((best, one, k) => (chanceOf(one) < chanceOf(judged[best]!) ? k : best), 0);
    const others = judged.filter((_, k) => k !== picked);
    return verdictOf(judged[picked]!, isWindow ? after(others) : { ...NOTHING_EARLIER, otherAssets: ASSETS - 1 });
  }
  const made = [judgeGrid(bars, grid, seed)];
  if (chain === 'refined twice') made.push(judgeGrid(bars, neighbours(made[0]!, 3, hasCosts), seed));
  return verdictOf(judgeGrid(bars, neighbours(made.at(-1)!, 1, hasCosts), seed), after(made));
}

/** What a reader of many verdicts picks by: the largest of the three p-values. */
const chanceOf = ({ trust }: JudgedSweep): number =>
  trust === null ? 2 : Math.max(trust.luckP ?? 1, trust.marketP ?? 1, trust.timing?.pValue ?? 1);
