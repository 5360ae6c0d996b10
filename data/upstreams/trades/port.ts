import type { BarSeries } from '../../../engine/series/index.js';
import type { UpstreamState } from '../activity.js';
import type { HeldSpan, Sourced } from '../sourced.js';

/** Base and quote, in upper case. A base that ends in -PERP is a perpetual. */
export interface Pair {
  readonly base: string;
  readonly quote: string;
}

export interface Trade {
  /** Epoch ms. */
  readonly timeMs: number;
  /** In the quote currency. */
  readonly price: number;
  /** In the base asset. */
  readonly size: number;
  /** The side of the order that met one in the book. */
  readonly takerSide: 'buy' | 'sell';
}

/** The top of the book: the best prices and how much waits there. */
export interface Quote {
  /** Epoch ms. */
  readonly timeMs: number;
  readonly askPrice: number;
  readonly askSize: number;
  readonly bidPrice: number;
  readonly bidSize: number;
}

/** Rows at or after `fromMs` and before `toMs`. */
export interface HistoryWindow {
  readonly fromMs: number;
  readonly toMs: number;
  /** Oldest first, so that a limit keeps the oldest; otherwise newest first. */
  readonly isAscending: boolean;
  readonly limit: number;
}

export interface InstrumentRows<Row> {
  /** The market that they are from, such as `BTC/USDT`; a pair can name it in other words. */
  readonly instrument: string;
  readonly rows: readonly Row[];
  /** The times of the first and the last recorded row; null for an exchange. */
  readonly held: HeldSpan | null;
}

/** An answer about a pair; its value is null where the pair is unknown. */
export type AboutPair<Row> = Promise<Sourced<InstrumentRows<Row> | null>>;

/** The port to trades and quotes. */
export interface TradesPort {
  /** At most one row. */
  latestTrade(pair: Pair): AboutPair<Trade>;
  trades(pair: Pair, window: HistoryWindow): AboutPair<Trade>;
  /** At most one row. */
  latestQuote(pair: Pair): AboutPair<Quote>;
  quotes(pair: Pair, window: HistoryWindow): AboutPair<Quote>;
  /** Null where no provider is asked. */
  state(): UpstreamState | null;
}

/** Bars with the number of trades in each. */
export interface CountedBars {
  readonly bars: BarSeries;
  readonly tradeCounts: Float64Array;
}
