import { type BarSeries, type EarlierTries, NOTHING_EARLIER, sliceBars, type TriedSweep } from '../../engine/index.js';
import { type CrossGrid, type JudgedSweep, judgeGrid } from './judge.js';
import { barsOf, type Market } from './markets.js';

/** What people do to find something that passes: each ends with one verdict. */
export const chains = ['refined once', 'refined twice', 'best of ten windows', 'best of thirty assets'] as const;

export interface ChainSetting {
  readonly market: Market;
  readonly hasCosts: boolean;
  readonly chain: (typeof chains)[number];
}

/** What is said in the end, and what would be if only the last sweep counted. */
export interface ChainVerdict {
  readonly passes: boolean;
  readonly passesAlone: boolean;
  readonly luck: number | null;
}

const DAYS = 150;
const WINDOWS = 10;
const WINDOW_DAYS = 75;
const ASSETS = 30;
const range = (min: number, max: number) => ({ min, max, step: 1 });

const wide = (costs: boolean, combinations: number): CrossGrid => ({
  fast: range(5, 40),
  slow: range(41, 120),
  trend: { values: [5, 10] },
  reward: [1.5, 2, 3, 4],
  costs,
  combinations,
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

const passes = (one: JudgedSweep): boolean => one.trust?.luckP != null && one.trust.fails === null;

function verdictOf(judge: (earlier: EarlierTries) => JudgedSweep, earlier: EarlierTries): ChainVerdict {
  const inTheEnd = judge(earlier);
  return {
    passes: passes(inTheEnd),
    passesAlone: passes(judge(NOTHING_EARLIER)),
    luck: inTheEnd.trust?.everTried?.luckP ?? null,
  };
}

/** Follows a chain of sweeps to its end, over a market that the seed draws. */
export function judgeChain({ market, hasCosts, chain }: ChainSetting, seed: number): ChainVerdict {
  if (chain === 'best of ten windows' || chain === 'best of thirty assets') {
    const isWindow = chain === 'best of ten windows';
    const grid = wide(hasCosts, 16);
    const bars = isWindow ? barsOf(market, DAYS * 24, seed) : null;
    const places = Array.from({ length: isWindow ? WINDOWS : ASSETS }, (_, k): BarSeries => {
      if (bars === null) return barsOf(market, DAYS * 24, ASSETS * seed + k);
      const from = Math.round((k * (DAYS - WINDOW_DAYS) * 24) / (WINDOWS - 1));
      return sliceBars(bars, from, from + WINDOW_DAYS * 24);
    });
    const judged = places.map((one) => judgeGrid(one, grid, seed, NOTHING_EARLIER));
    const picked = judged.reduce((best, one, k) => (chanceOf(one) < chanceOf(judged[best]!) ? k : best), 0);
    const others = judged.filter((_, k) => k !== picked);
    const earlier = isWindow ? after(others) : { ...NOTHING_EARLIER, otherAssets: ASSETS - 1 };
    return verdictOf((before) => judgeGrid(places[picked]!, grid, seed, before), earlier);
  }
  const bars = barsOf(market, DAYS * 24, seed);
  const made = [judgeGrid(bars, wide(hasCosts, 250), seed, NOTHING_EARLIER)];
  if (chain === 'refined twice') made.push(judgeGrid(bars, neighbours(made[0]!, 3, hasCosts), seed, NOTHING_EARLIER));
  const last = neighbours(made.at(-1)!, 1, hasCosts);
  return verdictOf((before) => judgeGrid(bars, last, seed, before), after(made));
}

/** What a reader of many verdicts picks by: the largest of the three p-values. */
const chanceOf = ({ trust }: JudgedSweep): number =>
  trust === null ? 2 : Math.max(trust.luckP ?? 1, trust.marketP ?? 1, trust.timing?.pValue ?? 1);
