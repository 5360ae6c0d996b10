import type { Trade } from '../execution/index.js';
import type { BarSeries } from '../series/index.js';

export interface TradeExcursions {
  /**
   * Maximum adverse excursion per trade: how far the market went below the entry price, as a
   * fraction of it.
   */
  readonly mae: Float64Array;
  /** Maximum favourable excursion per trade: how far it went above. */
  readonly mfe: Float64Array;
  /** The same over whole bars, that of the exit included from its low to its high. */
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
 * - stopped: the open and the stop (nothing below it after a touch, nothing above the open);
 * - target: the open, the low, and up to the target; where the open is beyond the target, the open
 *   only;
 * - end of the data: the whole bar.
 *
 * The forms over full bars count every price of the exit bar, also those that may have come after
 * the exit: a bound on what the position saw, and the convention of tools that know no order within
 * a bar.
 */
export function tradeExcursions(bars: BarSeries, trades: readonly Trade[]): TradeExcursions {
  const { open, high, low } = bars;
  const mae = new Float64Array(trades.length);
  const mfe = new Float64Array(trades.length);
  const maeFullBars = new Float64Array(trades.length);
  const mfeFullBars = new Float64Array(trades.length);
  for (let t = 0; t < trades.length; t++) {
    const { entryBar, exitBar, entryPrice, stopPrice, targetPrice, exitReason } = trades[t];
    let lowest = open[exitBar];
    let highest = lowest;
    for (let i = entryBar; i < exitBar; i++) {
      if (low[i] < lowest) lowest = low[i];
      if (high[i] > highest) highest = high[i];
    }
    maeFullBars[t] = Math.max(0, 1 - Math.min(lowest, low[exitBar]) / entryPrice);
    mfeFullBars[t] = Math.max(0, Math.max(highest, high[exitBar]) / entryPrice - 1);
    if (exitReason === 'SL') {
      lowest = Math.min(lowest, stopPrice);
    } else if (exitReason === 'END' || (exitReason === 'TP' && open[exitBar] < targetPrice)) {
      lowest = Math.min(lowest, low[exitBar]);
      highest = Math.max(highest, exitReason === 'TP' ? targetPrice : high[exitBar]);
    }
    mae[t] = Math.max(0, 1 - lowest / entryPrice);
    mfe[t] = Math.max(0, highest / entryPrice - 1);
  }
  return { mae, mfe, maeFullBars, mfeFullBars };
}
