import { type ExecutionConfig, simulate, type Trade } from '../execution/index.js';
import type { BarSeries } from '../series/index.js';
import { correlation } from '../statistics/index.js';
import { evaluateRules, type OtherBars, type StrategyPlan } from '../strategy/index.js';

/** How the values of a column go along with the returns before and after they became known. */
interface ColumnTiming {
  readonly column: string;
  /** Bars at whose close a new value became known, with a new value before and after them. */
  readonly values: number;
  /** What they go along with: returns, or their sizes, as a range or a volume does. */
  readonly of: 'returns' | 'sizes of the returns';
  /**
   * Correlation with the return since the previous value, and with the return until the next: of
   * the values or of their changes, with returns or their sizes, the pair that looks earliest.
   */
  readonly before: number;
  readonly after: number;
  /** The first of those bars. */
  readonly bar: number;
}

const VALUES_MIN = 30;
const CORRELATION_MIN = 0.3;
/** Large moves follow large ones, and some figures expect them, so their sizes must say more. */
const SIZE_CORRELATION_MIN = 0.4;
const SIZE_LEAD_MIN = 1.5;
/** In standard errors of a correlation of unrelated series. */
const DEVIATIONS_MIN = 5;

/**
 * Whether the values go along with what the price does next more than with what it did before, and
 * so much that neither luck nor foresight explains it. A figure of a period looks like that when it
 * is stamped with the period's start. This shows only in columns that have to do with returns or
 * their sizes; when other figures became known, prices cannot tell.
 */
export function isEarly({ values, of, before, after }: ColumnTiming): boolean {
  const [least, lead] = of === 'returns' ? [CORRELATION_MIN, 1] : [SIZE_CORRELATION_MIN, SIZE_LEAD_MIN];
  const bound = Math.max(least, DEVIATIONS_MIN / Math.sqrt(values));
  return values >= VALUES_MIN && Math.abs(after) > lead * Math.abs(before) && Math.abs(after) >= bound;
}

/** The bars from `first` on at whose close a new value of a column became known. */
function newValues(cells: Float64Array, first: number): number[] {
  const bars: number[] = [];
  let last = NaN;
  for (let i = first; i < cells.length; i++) {
    if (Number.isNaN(cells[i]) || cells[i] === last) continue;
    last = cells[i];
    bars.push(i);
  }
  return bars;
}

/** The timing of a column of the bars, from bar `first` on. O(bars). */
export function columnTiming(column: string, { close, columns }: BarSeries, first: number): ColumnTiming {
  const cells = columns[column];
  const bars = newValues(cells, first);
  const inner = bars.slice(1, -1);
  const returnUntil = (k: number) => Math.log(close[bars[k]] / close[bars[k - 1]]);
  const before = inner.map((_, k) => returnUntil(k + 1));
  const after = inner.map((_, k) => returnUntil(k + 2));
  const levels = inner.map((bar) => cells[bar]);
  const changes = inner.map((bar, k) => cells[bar] - cells[bars[k]]);
  const found = (['returns', 'sizes of the returns'] as const).flatMap((of) => {
    const side = (returns: readonly number[]) => (of === 'returns' ? returns : returns.map(Math.abs));
    return [levels, changes].map((xs): ColumnTiming => {
      const [past, next] = [correlation(xs, side(before)), correlation(xs, side(after))];
      return { column, values: inner.length, of, before: past, after: next, bar: inner[0] ?? first };
    });
  });
  const byAfter = (a: ColumnTiming, b: ColumnTiming) => Math.abs(b.after) - Math.abs(a.after);
  const [most] = [...found.filter(isEarly).sort(byAfter), ...found.sort(byAfter)];
  return most;
}

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

/** So many moved stops are tried again. */
const STOPS_MAX = 20;

/** How far the best price of the bar is moved, as a fraction of it. */
const AWAY = 0.5;

interface StopsInput {
  readonly plan: StrategyPlan;
  readonly bars: BarSeries;
  readonly first: number;
  readonly config: ExecutionConfig;
  readonly others?: OtherBars;
  /** The simulation under audit. Default: the engine's `simulate`. */
  readonly run?: typeof simulate;
}

/**
 * Finds a trade whose moved stop reads the bar that hits it; null if there is none. A stop moves at
 * a close and acts from the next bar on, so the best price of its exit bar cannot matter: a run in
 * which this price is better must sell at the same price. Cutting the data off cannot show this,
 * because the bar is known as a whole by its close. Cost: one run a stop.
 */
export function stopWithForesight(input: StopsInput): Trade | null {
  // With finer bars a better price would contradict them.
  const { detail_interval: _, ...config } = input.config;
  const { trailing_distance, break_even_at } = config;
  if ((trailing_distance ?? null) === null && (break_even_at ?? null) === null) return null;
  const { plan, bars, first, others, run = simulate } = input;
  const { entry, exit, short } = evaluateRules(plan, bars, others);
  const sides = short === undefined ? {} : { shortEntry: short.entry, shortExit: short.exit };
  const tradesOver = (series: BarSeries) => run({ bars: series, first, entry, exit, ...sides, config }).trades;
  const moved = tradesOver(bars).filter(({ exitReason }) => exitReason === 'TRAIL');
  const isDrawn = (_trade: Trade, k: number) => k % Math.ceil(moved.length / STOPS_MAX) === 0;
  for (const trade of moved.filter(isDrawn)) {
    const again = tradesOver(withBetterPrice(bars, trade)).find((other) => isSameEntry(other, trade));
    if (again?.exitBar === trade.exitBar && again.exitPrice === trade.exitPrice) continue;
    return trade;
  }
  return null;
}

const side = ({ details }: Trade) => details?.side ?? 'long';

const isSameEntry = (a: Trade, b: Trade): boolean => a.entryBar === b.entryBar && side(a) === side(b);

/** The bars, except that the exit bar of a trade went further in its favour. */
function withBetterPrice(bars: BarSeries, trade: Trade): BarSeries {
  const { high, low } = bars;
  const bar = trade.exitBar;
  return side(trade) === 'long'
    ? { ...bars, high: withValue(high, bar, high[bar] * (1 + AWAY)) }
    : { ...bars, low: withValue(low, bar, low[bar] * (1 - AWAY)) };
}

function withValue(column: Float64Array, bar: number, value: number): Float64Array {
  const copy = column.slice();
  copy[bar] = value;
  return copy;
}
