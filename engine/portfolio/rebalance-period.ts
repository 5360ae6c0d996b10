import { DAY_MS } from '../series/index.js';

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
