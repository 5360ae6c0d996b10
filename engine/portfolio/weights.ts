import { returnDeviation } from '../execution/index.js';
import { type BarSeries, DAY_MS, getBit, type Mask } from '../series/index.js';

/** How the weights of the chosen assets are made. */
export type Weighting = 'equal' | 'inverse_volatility' | 'fixed';

/** An asset of an allocation. */
export interface AllocatedAsset {
  readonly bars: BarSeries;
  /** Value of `rank_by` at the close of each bar, NaN where undefined; null: the list ranks. */
  readonly rank: Float64Array | null;
  /** Whether the asset may be held, at the close of each bar; null: always. */
  readonly where: Mask | null;
}

export interface WeightRule {
  /** How many assets are held at most; null: all. */
  readonly top: number | null;
  readonly weighting: Weighting;
  /** One for each asset; read by weighting `fixed` only. */
  readonly weights: readonly number[] | null;
  /** Part of the account that stays cash. */
  readonly reserve: number;
  /** Returns that the deviation of `inverse_volatility` is made of. */
  readonly volatilityWindow: number;
}

/**
 * The weights that a decision gives to each asset: those chosen share 1 - reserve, the others have
 * 0.
 *
 * @param newest bar of each asset that closed last; -1 before its first one
 */
export function decideWeights(
  assets: readonly AllocatedAsset[],
  newest: readonly number[],
  rule: WeightRule,
): Float64Array {
  const { top, reserve } = rule;
  const eligible = assets.flatMap(({ rank, where }, a) => {
    const bar = newest[a];
    if (bar < 0 || (where !== null && !getBit(where, bar))) return [];
    const value = rank === null ? 0 : rank[bar];
    return Number.isNaN(value) ? [] : [{ asset: a, value }];
  });
  eligible.sort((a, b) => b.value - a.value || a.asset - b.asset);
  const weights = new Float64Array(assets.length);
  let total = 0;
  for (const { asset } of eligible.slice(0, top ?? eligible.length)) {
    weights[asset] = rawWeight(asset, assets[asset].bars, newest[asset], rule);
    total += weights[asset];
  }
  return total > 0 ? weights.map((weight) => (weight / total) * (1 - reserve)) : weights;
}

/** Weight before scaling; 0 for an asset without a deviation. */
function rawWeight(asset: number, { close }: BarSeries, bar: number, rule: WeightRule): number {
  if (rule.weighting === 'equal') return 1;
  if (rule.weighting === 'fixed') return rule.weights?.[asset] ?? 0;
  const deviation = returnDeviation(close, bar, rule.volatilityWindow);
  return deviation > 0 ? 1 / deviation : 0;
}

/** How often weights are decided: by day, week (from Monday), month or quarter, in UTC. */
export const rebalancePeriods = ['1d', '1w', '1M', '1q'] as const;

export type RebalancePeriod = (typeof rebalancePeriods)[number];

/** 1970-01-05, a Monday. */
const MONDAY = 4;

function periodNumber(period: RebalancePeriod, time: number): number {
  const day = Math.floor(time / DAY_MS);
  if (period === '1d') return day;
  if (period === '1w') return Math.floor((day - MONDAY) / 7);
  const date = new Date(time);
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth();
  return period === '1M' ? month : Math.floor(month / 3);
}

/** Whether a period begins after one close and at or before the next, epoch ms. */
export const isBoundary = (period: RebalancePeriod, before: number, now: number): boolean =>
  periodNumber(period, before) !== periodNumber(period, now);
