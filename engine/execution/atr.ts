import { blendedAtr } from '../formulas/prices-and-sizes.js';
import { type BarSeries, DAY_MS } from '../series/index.js';
import { type CoarseBars, newestVisible } from '../timeframes/index.js';
import type { ExecutionConfig } from './config.js';
import { derivedColumns } from './derived.js';

/** The ATR columns from which the stop distance of an entry is computed. */
export interface AtrSource {
  /** ATR of the run interval, per bar. */
  readonly short: Float64Array;
  /** Daily ATR, one value per day, and the days; null when the run does not use it. */
  readonly daily: { readonly atr: Float64Array; readonly days: CoarseBars } | null;
}

/**
 * The daily part is left out when its weight is 0, and on intervals of a day or more, where the
 * short ATR stands for both.
 */
export function atrSource(bars: BarSeries, config: ExecutionConfig): AtrSource {
  const columns = derivedColumns(bars);
  const short = columns.atr(config.atr_period);
  if (config.atr_long_weight === 0 || bars.intervalMs >= DAY_MS) return { short, daily: null };
  const days = columns.days();
  return { short, daily: { atr: derivedColumns(days.bars).atr(config.atr_period), days } };
}

/** Effective ATR at the close of `bar`, NaN while any part of it is warming up. */
export function effectiveAtr({ short, daily }: AtrSource, bar: number, config: ExecutionConfig): number {
  if (daily === null) return blendAtr(short[bar], short[bar], config);
  const day = newestVisible(daily.days, bar);
  return day < 0 ? NaN : blendAtr(short[bar], daily.atr[day], config);
}

/** See `blendedAtr`; a null cap multiplier means no cap. */
export function blendAtr(short: number, long: number, config: ExecutionConfig): number {
  const { atr_short_weight, atr_long_weight, atr_cap_multiplier } = config;
  return blendedAtr(short, long, atr_short_weight, atr_long_weight, atr_cap_multiplier ?? NaN);
}
