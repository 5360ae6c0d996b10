import type { CellKind } from './cell.js';
import type { TradeKey } from './sheet.js';
import type { MetricKind } from './sweep/picture.js';

/*
 * Data that a page hands to its script. It travels as JSON: NaN becomes null, and long columns of
 * numbers are bytes in base64.
 */

/** Rows of the trades table in the HTML itself, and on each page that the script shows. */
export const PAGE_ROWS = 100;

export interface TearSheetData {
  readonly curves: CurvesData;
  /** Null for a run without trades. */
  readonly trades: TradesData | null;
}

export interface TradesData {
  /** Decimals of a price. */
  readonly digits: number;
  readonly columns: readonly TradeColumn[];
  readonly closeup: CloseupData;
  /** Where prices stand in the price chart, for marks that appear as the reader zooms in; null where all are drawn. */
  readonly marks: MarksData | null;
}

/** The prices at the lower and upper edge of the price chart. */
export interface MarksData {
  readonly bottom: number;
  readonly top: number;
  readonly isLog: boolean;
}

/** What the script says about the curves over time. */
export interface CurvesData {
  readonly startMs: number;
  readonly endMs: number;
  /** By the id of the chart. */
  readonly charts: Readonly<Record<string, readonly CurveData[]>>;
  /** Charts whose axis counts the part of the run that is over, and not its time. */
  readonly ofParts: readonly string[];
}

export interface CurveData {
  readonly name: string;
  /** As in `Figure`. */
  readonly unit: string;
  /** Evenly spaced values, 32 bits each. */
  readonly values: string;
}

/** One column of the trades table. Times are seconds. */
export interface TradeColumn {
  readonly key: TradeKey;
  readonly kind: CellKind;
  readonly title: string;
  readonly values: readonly (number | string | null)[];
}

export interface CloseupData {
  /** Number of bars in one candle. */
  readonly join: number;
  /** Number of candles that share a lowest price and a step. */
  readonly block: number;
  readonly stepSeconds: number;
  /** Candle and time (seconds) at each start of a run of evenly spaced candles. */
  readonly runs: readonly (readonly [candle: number, seconds: number])[];
  /** Lowest price and step of each block, as two single-precision floats. */
  readonly heads: string;
  /**
   * Open, high, low and close of each candle: steps above the lowest price of its block, one byte
   * each.
   */
  readonly candles: string;
  /** Bar of each trade's entry and of its exit. */
  readonly entryBars: readonly number[];
  readonly exitBars: readonly number[];
  /** What happened to each trade, in order, as `packEvents` writes it; empty where nothing tells. */
  readonly events: readonly (readonly PackedEvent[])[];
}

/** Index of the kind in `eventKinds`, seconds, price, and what belongs to a fill. */
export type PackedEvent =
  | readonly [kind: number, seconds: number, price: number | null]
  | readonly [kind: number, seconds: number, price: number | null, size: number]
  | readonly [kind: number, seconds: number, price: number | null, size: number | null, reason: string];

/** The kinds of events of a trade, in the order of their numbers. */
export const eventKinds = ['placed', 'entry', 'stop', 'target', 'part', 'leave', 'exit'] as const;

export interface SweepPageData {
  /** Null if there is nothing to explore. */
  readonly sweep: SweepData | null;
  /** Curves of the account of the leader; null where no run traded. */
  readonly curves: CurvesData | null;
  /** Trades of the leader; null in a sweep of portfolios. */
  readonly trades: Pick<TradesData, 'digits' | 'columns'> | null;
}

export interface SweepData {
  /** Run numbers, 32 bits each. */
  readonly runs: string;
  /** One byte per run: 1 for one with too few trades to lead. */
  readonly isFew: string;
  /** Most axes, of parameters and the metric, that fit side by side. */
  readonly axesMax: number;
  readonly metrics: readonly MetricData[];
  readonly parameters: readonly ParameterData[];
}

export interface MetricData {
  readonly title: string;
  readonly kind: MetricKind;
  readonly isLowBetter: boolean;
  /** One single-precision float per run; NaN for a run without the metric. */
  readonly values: string;
}

export interface ParameterData {
  readonly name: string;
  /**
   * True for a number with more values than groups, drawn to scale; other values are drawn at even
   * distances.
   */
  readonly isContinuous: boolean;
  /** Ascending values of a continuous parameter; empty for any other. */
  readonly values: readonly number[];
  readonly labels: readonly string[];
  /** Group of each value. */
  readonly groupOf: readonly number[];
  /** Codes have 16 bits if true, else 8. */
  readonly isWide: boolean;
  /** For each run: 0 if it lacks the parameter, else 1 + index of its value. */
  readonly codes: string;
}
