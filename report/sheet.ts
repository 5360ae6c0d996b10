/** The input of a tear sheet. Rendering reads nothing else. */
export interface TearSheet {
  /** Name of the strategy or of the run. */
  readonly title: string;
  readonly asset: string;
  /** In short form, such as `1h`. */
  readonly interval: string;
  readonly intervalMs: number;
  /** Open of the first tradable bar and close of the last, epoch ms. */
  readonly window: { readonly startMs: number; readonly endMs: number };
  readonly initialBalance: number;
  readonly bars: SheetBars;
  /** Account value at the close of each bar. */
  readonly equity: Float64Array;
  /**
   * Sharpe ratio of the window that ends at each bar, NaN where it is not defined. Null leaves the
   * chart out.
   */
  readonly rollingSharpe: { readonly values: Float64Array; readonly windowBars: number } | null;
  /** Volatility and beta of the window that ends at each bar, in the same way. */
  readonly rollingRisk: {
    readonly windowBars: number;
    /** Annualized, as a fraction. */
    readonly volatility: Float64Array;
    /** Of the account's returns on the asset's returns. */
    readonly beta: Float64Array;
  } | null;
  /** What the rules read, each with a value for each bar. */
  readonly indicators: readonly SheetIndicator[];
  /** Metrics of buying at the first open and holding, without costs, by the name of the metric. */
  readonly benchmark: Figures;
  /** What its account is called; by default `strategy`. */
  readonly accountName?: string;
  /** What the benchmark is called; by default `buy and hold`. */
  readonly benchmarkName?: string;
  /** Other courses drawn from the same returns; null for an account that never moved. */
  readonly monteCarlo: SheetMonteCarlo | null;
  /** In closing order. */
  readonly trades: readonly SheetTrade[];
  readonly metrics: Figures;
  readonly extendedMetrics: Figures;
  readonly diagnostics: Diagnostics;
  readonly rules: SheetRules;
  /** Of a portfolio, as its author wrote it, without its name; any JSON value. */
  readonly definition?: unknown;
  /** Execution settings as resolved for the run; any JSON value. */
  readonly execution: Readonly<Record<string, unknown>>;
  /** The same settings at their defaults. */
  readonly executionDefaults: Readonly<Record<string, unknown>>;
  /** Origin of the run: hashes, versions, sources; any JSON value. */
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly warnings: readonly string[];
  readonly deniedSignals: readonly SheetDeniedSignal[];
}

export interface SheetIndicator {
  /** Such as `SMA(close,20)`. */
  readonly name: string;
  /** NaN where there is no value. */
  readonly values: Float64Array;
  /** Whether the values are prices, which the chart of the price can hold. */
  readonly isPrice: boolean;
}

/** Percentiles of a distribution. */
export interface SheetBands {
  readonly p5: number;
  readonly p25: number;
  readonly p50: number;
  readonly p75: number;
  readonly p95: number;
}

interface SheetMonteCarlo {
  readonly pathCount: number;
  /** Mean length of the drawn blocks. */
  readonly meanBlockBars: number;
  /** Returns of a path. */
  readonly steps: number;
  /** Final account value over its start. */
  readonly finalGrowth: SheetBands;
  /** Fraction of the highest value before. */
  readonly maxDrawdown: SheetBands;
  /** Share of the paths that lost half of the account at some time. */
  readonly ruinProbability: number;
  /** Account value over its start after some of the returns, from 0 to all. */
  readonly fan: readonly (SheetBands & { readonly step: number })[];
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
 * A closed trade. Times are epoch ms, prices are fill prices, amounts are in the quote currency,
 * fractions are not percent.
 */
export interface SheetTrade {
  readonly entry_time: number;
  readonly exit_time: number;
  readonly entry_price: number;
  readonly exit_price: number;
  readonly size: number;
  /** Net of all costs. */
  readonly profit_loss: number;
  /** Fraction of the entry notional. */
  readonly profit_loss_pct: number;
  readonly exit_reason: string;
  readonly bars_held: number;
  readonly stop_price: number | null;
  readonly target_price: number | null;
  /** Fees of both legs. */
  readonly fees: number;
  /** Maximum adverse and favourable excursion, fractions of the entry price. */
  readonly mae?: number | undefined;
  readonly mfe?: number | undefined;
  /** Absent where the strategy trades one side only. */
  readonly side?: 'long' | 'short' | undefined;
  /** Stop at the entry, where stops move. */
  readonly first_stop?: number | null | undefined;
  /** Of margined positions, as a fraction the return on the margin. */
  readonly margin?: number | undefined;
  readonly return_on_margin?: number | undefined;
  readonly liquidation_price?: number | null | undefined;
  /** What happened to it, in order; absent where nothing but entry and exit could. */
  readonly events?: readonly SheetEvent[] | undefined;
}

/** What a column of the trades table may hold. */
export type TradeKey = Exclude<keyof SheetTrade, 'events'>;

/**
 * A step of a trade: an entry order placed, the entry filled, a stop or target set or moved, a part
 * sold, the exit decided, the exit filled.
 */
export interface SheetEvent {
  readonly kind: 'placed' | 'entry' | 'stop' | 'target' | 'part' | 'leave' | 'exit';
  /** Epoch ms: the close of a bar for decisions at its close, else the open of the bar. */
  readonly time: number;
  /** Level or fill; null where there is none. */
  readonly price: number | null;
  readonly size?: number;
  readonly reason?: string;
}

/**
 * A number with its unit. A dash stands for null, NaN and infinities: the figure is not defined for
 * this run.
 */
export interface Figure {
  readonly value: number | null;
  /**
   * `fraction` is shown in percent; `ratio`, `amount`, `bars`, `days`, `trades` and any other unit
   * as a number.
   */
  readonly unit: string;
  readonly description?: string | undefined;
  /** Shown instead of the dash: why there is no value, such as `no loss`. */
  readonly why?: string | null;
  /** Whether it is better than any number, a ratio of a gain to no risk. */
  readonly isAboveAny?: boolean;
}

export type Figures = Readonly<Record<string, Figure>>;

/**
 * How many bars passed each step on the way to a fill: explains why the strategy did or did not
 * trade.
 */
interface Diagnostics {
  readonly bars: number;
  readonly trigger_true: number;
  readonly filter_true: number;
  readonly both_true: number;
  /** Wanted entries that were not filled, per reason. */
  readonly denied: Readonly<Record<string, number>>;
  readonly filled: number;
  /** Filled entries by the limit that made them smaller; absent in sheets of earlier versions. */
  readonly limited?: Readonly<Record<string, number>>;
  /** One sentence for the reader; null if there is nothing to say. */
  readonly verdict: string | null;
  /** Entry orders that expired; absent where entries are no orders. */
  readonly order_expired?: number;
  /** The same by side, where the strategy has a short side. */
  readonly long?: SideDiagnostics;
  readonly short?: SideDiagnostics;
}

interface SideDiagnostics {
  readonly both_true: number;
  readonly filled: number;
  readonly denied: Readonly<Record<string, number>>;
  readonly verdict: string | null;
}

/** The rules of a strategy; short rules are absent where it has no short side. */
export interface SheetRules {
  readonly entry: readonly SheetRule[];
  readonly exit: readonly SheetRule[];
  readonly shortEntry?: readonly SheetRule[];
  readonly shortExit?: readonly SheetRule[];
}

/** A rule of a strategy. */
export interface SheetRule {
  readonly name: string;
  readonly role: 'TRIGGER' | 'FILTER';
  readonly params: Readonly<Record<string, unknown>>;
  /** Null for the timeframe of the dataset. */
  readonly timeframe: string | null;
  /** True where the signal is false. */
  readonly negate?: boolean;
  /** True for so many bars from its last true bar on. */
  readonly withinBars?: number;
  /** The asset whose bars it reads; absent for the run's asset. */
  readonly asset?: string;
  /** Number of its group, where one of several groups must hold. */
  readonly group?: number;
  /** One sentence; empty for an unknown signal. */
  readonly description: string;
  /** Reason for which the run refused the rule. */
  readonly refusal?: string | undefined;
}

/** A rule of the definition that was refused before the run. */
interface SheetDeniedSignal {
  readonly side: string;
  readonly name: string;
  readonly reason: string;
  readonly message: string;
}
