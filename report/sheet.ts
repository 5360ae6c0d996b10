/**
 * What a tear sheet shows. Everything is handed in; nothing here is computed from anywhere else.
 */
export interface TearSheet {
  /** Name of the strategy or of the run. */
  readonly title: string;
  readonly asset: string;
  /** As people write it: `1h`. */
  readonly interval: string;
  readonly intervalMs: number;
  /** Open of the first tradable bar and close of the last, epoch ms. */
  readonly window: { readonly startMs: number; readonly endMs: number };
  readonly initialBalance: number;
  readonly bars: SheetBars;
  /** Account value at the close of each bar. */
  readonly equity: Float64Array;
  /**
   * Ratio of the window that ends at each bar, NaN where there is none; null leaves the chart out.
   */
  readonly rollingSharpe: { readonly values: Float64Array; readonly windowBars: number } | null;
  /** In closing order. */
  readonly trades: readonly SheetTrade[];
  readonly metrics: Figures;
  readonly extendedMetrics: Figures;
  readonly diagnostics: Diagnostics;
  readonly rules: { readonly entry: readonly SheetRule[]; readonly exit: readonly SheetRule[] };
  /** Execution settings as resolved for the run; any JSON value. */
  readonly execution: Readonly<Record<string, unknown>>;
  /** The same settings where nothing is set. */
  readonly executionDefaults: Readonly<Record<string, unknown>>;
  /** Where the run comes from: hashes, versions, sources; any JSON value. */
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly warnings: readonly string[];
  readonly deniedSignals: readonly SheetDeniedSignal[];
}

/** Columns of the tradable bars, oldest first; times are bar opens, epoch ms. */
interface SheetBars {
  readonly time: Float64Array;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
}

/**
 * A closed trade. Times are epoch ms, prices are fills, amounts are in the quote currency,
 * fractions are fractions.
 */
export interface SheetTrade {
  readonly entry_time: number;
  readonly exit_time: number;
  readonly entry_price: number;
  readonly exit_price: number;
  readonly size: number;
  /** After all costs. */
  readonly profit_loss: number;
  /** Fraction of the entry notional. */
  readonly profit_loss_pct: number;
  readonly exit_reason: string;
  readonly bars_held: number;
  readonly stop_price: number | null;
  readonly target_price: number | null;
  /** Both legs. */
  readonly fees: number;
  /** Maximum adverse and favourable excursion, fractions of the entry price. */
  readonly mae?: number | undefined;
  readonly mfe?: number | undefined;
}

/**
 * A number with its unit. null, NaN and infinities are shown as a dash: not defined for this run.
 */
export interface Figure {
  readonly value: number | null;
  /**
   * `fraction` is shown in percent; `ratio`, `amount`, `bars`, `days`, `trades` and any other as a
   * number.
   */
  readonly unit: string;
  readonly description?: string | undefined;
}

export type Figures = Readonly<Record<string, Figure>>;

/** How many bars came how far on the way to a fill: the answer to "why did it (not) trade". */
interface Diagnostics {
  readonly bars: number;
  readonly trigger_true: number;
  readonly filter_true: number;
  readonly both_true: number;
  /** Entries that were wanted and not filled, per reason. */
  readonly denied: Readonly<Record<string, number>>;
  readonly filled: number;
  /** One sentence for people, when there is something to say. */
  readonly verdict: string | null;
}

/** A rule of a strategy. */
export interface SheetRule {
  readonly name: string;
  readonly role: 'TRIGGER' | 'FILTER';
  readonly params: Readonly<Record<string, unknown>>;
  /** Null goes without saying: that of the dataset. */
  readonly timeframe: string | null;
  /** One sentence; empty where the signal is not known. */
  readonly description: string;
  /** Why the run refused it. */
  readonly refusal?: string | undefined;
}

/** A rule of the definition that was refused before the run. */
interface SheetDeniedSignal {
  readonly side: string;
  readonly name: string;
  readonly reason: string;
  readonly message: string;
}
