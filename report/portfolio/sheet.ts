import type { TearSheet } from '../sheet.js';

/** The input of the page of a portfolio. Rendering reads nothing else. */
export interface PortfolioSheet {
  /** The account as one run, whose bars are its assets held evenly. */
  readonly account: TearSheet;
  /** Members with rules, or weights that are rebalanced. */
  readonly kind: 'members' | 'allocation';
  /** In the order of the definition. */
  readonly members: readonly SheetMember[];
  /** Of the members' daily profits; null where one never changed. */
  readonly correlation: readonly (readonly (number | null)[])[];
  /** Sum of the weights, shorts added and shorts taken off, at each close. */
  readonly gross: Float64Array;
  readonly net: Float64Array;
  /** Notional of all fills over the mean account value. */
  readonly turnover: number;
  /** When weights were moved, oldest first; none with rules. */
  readonly rebalances: readonly SheetRebalance[];
  /** Entries that were not filled, by reason. */
  readonly denied: Readonly<Record<string, number>>;
  /** Filled entries by the limit that made them smaller. */
  readonly limited: Readonly<Record<string, number>>;
  /** What was paid in and out, quote currency, and what it returned; null where nothing was. */
  readonly money: {
    readonly payments: number;
    readonly paid_in: number;
    readonly paid_out: number;
    readonly ending_value: number;
    readonly profit: number;
    readonly time_weighted_return: number;
    /** A year; null where there is none. */
    readonly money_weighted_return: number | null;
  } | null;
  /** In which every member has begun and none has ended; null where there is none. */
  readonly shared: { readonly startMs: number; readonly endMs: number } | null;
  /** The portfolio as its author wrote it; any JSON value. */
  readonly definition: unknown;
}

export interface SheetMember {
  /** Its asset, with its number where several members have the asset. */
  readonly name: string;
  /** Null for an asset of an allocation. */
  readonly strategy: string | null;
  readonly trades: number;
  /** Quote currency. */
  readonly profit: number;
  /** Null where all of them together earned nothing. */
  readonly shareOfReturn: number | null;
  /** Mean of its notional over the account value. */
  readonly exposure: number;
  /** Part of the times at which it held something. */
  readonly timeInMarket: number;
  /** At each close: notional over the account value, shorts below 0, and profit since the start. */
  readonly weights: Float64Array;
  readonly profits: Float64Array;
}

interface SheetRebalance {
  /** Open of the bar at which the fills were. */
  readonly timeMs: number;
  /** Place of the bar in the columns. */
  readonly bar: number;
  /** Notional, quote currency. */
  readonly sold: number;
  readonly bought: number;
}
