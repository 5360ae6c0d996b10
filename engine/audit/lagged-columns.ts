import type { Trade } from '../execution/index.js';
import type { BarSeries } from '../series/index.js';
import { newValues } from './early-columns.js';

/** What a run owes to the newest value of a column: its profit as it is, and with the column late. */
export interface ColumnLag {
  readonly column: string;
  /** Bars from one value of the column to the next, by which it was late. */
  readonly barsLate: number;
  /** Sum over all trades, quote currency. */
  readonly profit: number;
  /** The same with every value of the column known that much later. */
  readonly laggedProfit: number;
  readonly trades: number;
  readonly laggedTrades: number;
}

/**
 * Runs the strategy again for each column, late by its own spacing: a value stamped with the start
 * of its period then comes at its end. A result that lives on foresight loses its profit; one that
 * does not hardly changes. Cost: one run a column.
 *
 * @param whole the trades of the run as it is
 * @param tradesOver the trades of the same run over other bars
 */
export function lagColumns(
  { bars }: { readonly bars: BarSeries },
  columns: readonly string[],
  whole: readonly Trade[],
  tradesOver: (bars: BarSeries) => readonly Trade[],
): ColumnLag[] {
  return columns.map((column) => {
    const cells = bars.columns[column];
    const barsLate = medianSpacing(cells);
    const trades = tradesOver({ ...bars, columns: { ...bars.columns, [column]: laterBy(barsLate, cells) } });
    return {
      column,
      barsLate,
      profit: totalProfit(whole),
      laggedProfit: totalProfit(trades),
      trades: whole.length,
      laggedTrades: trades.length,
    };
  });
}

/** Sum over trades, quote currency. */
export const totalProfit = (trades: readonly Trade[]): number =>
  trades.reduce((sum, { profitLoss }) => sum + profitLoss, 0);

/** Bars between the values of a column: the median of those from one new value to the next, at least 1. */
function medianSpacing(cells: Float64Array): number {
  const bars = newValues(cells, 0);
  const gaps = bars.slice(1).map((bar, k) => bar - bars[k]);
  return gaps.sort((a, b) => a - b)[gaps.length >> 1] ?? 1;
}

function laterBy(bars: number, cells: Float64Array): Float64Array {
  const late = new Float64Array(cells.length).fill(NaN);
  late.set(cells.subarray(0, Math.max(0, cells.length - bars)), Math.min(bars, cells.length));
  return late;
}
