import type { Trade } from '../execution/index.js';
import type { BarSeries } from '../series/index.js';

export interface TradeExcursions {
  /**
   * Maximum adverse excursion per trade: how far the market went below the entry price (above it
   * for a short), as a fraction of it.
   */
  readonly mae: Float64Array;
  /** Maximum favourable excursion per trade: how far it went to the other side. */
  readonly mfe: Float64Array;
  /** The same over whole bars, including the full exit bar. */
  readonly maeFullBars: Float64Array;
  readonly mfeFullBars: Float64Array;
}

/**
 * The range of the market while each trade was held, relative to its entry fill; 0 when the market
 * never was on that side. Prices are market prices, so slippage at the exit is not an excursion,
 * but slippage at the entry shifts both. Cost follows the bars held.
 *
 * Entries fill at the open, so every bar from the entry to the one before the exit counts from low
 * to high. The exit bar counts up to the exit, its low before its high as in the fill rules:
 * - sold at the open: the open only;
 * - stopped or liquidated: the open and that level (nothing below it after a touch, nothing above
 *   the open);
 * - target: the open, the low, and up to the target; where the open is beyond the target, the open
 *   only;
 * - end of the data: the whole bar.
 * For a short, low and high change places.
 *
 * The forms over full bars count every price of the exit bar, also those that may have come after
 * the exit: a bound on what the position saw, and the convention of tools that know no order within
 * a bar.
 */
export function tradeExcursions(bars: BarSeries, trades: readonly Trade[]): TradeExcursions {
  const { open } = bars;
  const mae = new Float64Array(trades.length);
  const mfe = new Float64Array(trades.length);
  const maeFullBars = new Float64Array(trades.length);
  const mfeFullBars = new Float64Array(trades.length);
  for (let t = 0; t < trades.length; t++) {
    const { entryBar, exitBar, entryPrice, targetPrice, exitReason, details } = trades[t];
    const isShort = details?.side === 'short';
    const sign = isShort ? -1 : 1;
    const worse = isShort ? bars.high : bars.low;
    const better = isShort ? bars.low : bars.high;
    // In prices times the sign, so that the worst is the lowest on both sides.
    let lowest = sign * open[exitBar];
    let highest = lowest;
    for (let i = entryBar; i < exitBar; i++) {
      if (sign * worse[i] < lowest) lowest = sign * worse[i];
      if (sign * better[i] > highest) highest = sign * better[i];
    }
    const loss = (price: number) => Math.max(0, sign - price / entryPrice);
    const gain = (price: number) => Math.max(0, price / entryPrice - sign);
    maeFullBars[t] = loss(Math.min(lowest, sign * worse[exitBar]));
    mfeFullBars[t] = gain(Math.max(highest, sign * better[exitBar]));
    const level = lossLevel(trades[t]);
    const isInside = exitReason === 'TP' && sign * open[exitBar] < sign * targetPrice;
    if (level !== null) {
      lowest = Math.min(lowest, sign * level);
    } else if (exitReason === 'END' || exitReason === 'SCALE_OUT' || isInside) {
      lowest = Math.min(lowest, sign * worse[exitBar]);
      highest = Math.max(highest, sign * (exitReason === 'TP' ? targetPrice : better[exitBar]));
    }
    mae[t] = loss(lowest);
    mfe[t] = gain(highest);
  }
  return { mae, mfe, maeFullBars, mfeFullBars };
}

/** The level at which a trade was stopped or liquidated, null for other exits. */
function lossLevel({ exitReason, stopPrice, details }: Trade): number | null {
  if (exitReason === 'SL' || exitReason === 'TRAIL') return stopPrice;
  return exitReason === 'LIQUIDATION' ? (details?.margin?.liquidationPrice ?? null) : null;
}
