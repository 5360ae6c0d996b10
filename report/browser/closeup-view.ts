import { amount } from '../format.js';
import { niceStep, stepDigits } from '../scale.js';
import type { Candle, Candles } from './candles.js';

/** Minimum pixels per candle. */
const CANDLE_WIDTH = 4.5;
const CANDLES_MIN = 40;
/** Minimum candles on each side of a trade. */
const MARGIN_MIN = 14;

/**
 * The part of the chart around one trade: a range of candles, and the prices at its lower and upper
 * edge.
 */
export interface CloseupView {
  readonly candles: readonly Candle[];
  readonly from: number;
  /** Number of page candles merged into one drawn candle. */
  readonly join: number;
  readonly low: number;
  readonly high: number;
}

/** What the picture needs to know about a trade. */
export interface CloseupTrade {
  readonly entry: number;
  readonly exit: number;
  readonly entryPrice: number;
  readonly exitPrice: number;
  /** NaN for a trade without one. */
  readonly stop: number;
  readonly target: number;
  /** Levels and fills between entry and exit, which the picture makes room for. */
  readonly between: readonly number[];
}

/**
 * @param zoom above 1 shows more around the trade, below 1 less
 */
export function closeupView(candles: Candles, trade: CloseupTrade, zoom: number, width: number): CloseupView {
  const { entry, exit } = trade;
  const wanted = Math.max(MARGIN_MIN, (exit - entry) * 0.4) * zoom + (zoom < 1 ? (zoom - 1) * 2 : 0);
  const margin = Math.max(3, Math.round(wanted));
  const from = Math.max(0, entry - margin);
  const to = Math.min(candles.count - 1, exit + margin);
  const join = Math.ceil((to - from + 1) / Math.max(CANDLES_MIN, width / CANDLE_WIDTH));
  const shown = candles.joined(from, to, join);
  return { candles: shown, from, join, ...edges(shown, trade) };
}

/** Makes room for the candles, the fills, and a stop or target that lies close enough. */
function edges(candles: readonly Candle[], { entryPrice, exitPrice, stop, target, between }: CloseupTrade) {
  let low = Math.min(...candles.map((candle) => candle.low), entryPrice, exitPrice);
  let high = Math.max(...candles.map((candle) => candle.high), entryPrice, exitPrice);
  const span = high - low || high || 1;
  for (const level of [stop, target, ...between]) {
    if (level > low - span && level < high + span) {
      low = Math.min(low, level);
      high = Math.max(high, level);
    }
  }
  const air = (high - low || high) * 0.06;
  return { low: low - air, high: high + air };
}

/** Round prices for the axis, with their labels. */
export function priceTicks({ low, high }: Pick<CloseupView, 'low' | 'high'>): { price: number; label: string }[] {
  const step = niceStep(high - low, 5);
  const ticks: { price: number; label: string }[] = [];
  for (let k = Math.ceil(low / step); k * step < high; k++) {
    ticks.push({ price: k * step, label: amount(k * step, stepDigits(step)) });
  }
  return ticks;
}

/**
 * Wicks and bodies as paths, ten units per candle wide and `rows` high. `y` is 0 at the upper edge
 * and 1 at the lower.
 */
export function candlePaths(candles: readonly Candle[], rows: number, y: (price: number) => number) {
  const row = (price: number) => Math.round(rows * y(price));
  const paths = { wick: '', rise: '', fall: '' };
  for (const [i, { open, high, low, close }] of candles.entries()) {
    paths.wick += `M${10 * i + 5} ${row(high)}V${row(low)}`;
    const top = row(Math.max(open, close));
    const height = Math.max(1, row(Math.min(open, close)) - top);
    paths[close < open ? 'fall' : 'rise'] += `M${10 * i + 2} ${top}h6v${height}h-6z`;
  }
  return paths;
}
