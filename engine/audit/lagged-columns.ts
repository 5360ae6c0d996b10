import type { Trade } from '../execution/index.js';
import type { BarSeries } from '../series/index.js';

/** What a run owes to the newest value of a column: its profit as it is, and with it a bar late. */
export interface ColumnLag {
  readonly column: string;
  /** Sum over all trades, quote currency. */
  readonly profit: number;
  /** The same with every value of the column known one bar later. */
  readonly laggedProfit: number;
  readonly trades: number;
  readonly laggedTrades: number;
}

/**
 * Runs the strategy again for each column, with that column one bar late. A result that lives on
 * foresight loses its profit; one that does not hardly changes. Cost: one run a column.
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
    const late = { ...bars, columns: { ...bars.columns, [column]: oneBarLate(bars.columns[column]) } };
    const trades = tradesOver(late);
    return {
      column,
      profit: profitOf(whole),
      laggedProfit: profitOf(trades),
      trades: whole.length,
      laggedTrades: trades.length,
    };
  });
}

/** Sum over trades, quote currency. */
export const profitOf = (trades: readonly Trade[]): number =>
  trades.reduce((sum, { profitLoss }) => sum + profitLoss, 0);

function oneBarLate(cells: Float64Array): Float64Array {
  const late = new Float64Array(cells.length).fill(NaN);
  late.set(cells.subarray(0, Math.max(0, cells.length - 1)), Math.min(1, cells.length));
  return late;
}
