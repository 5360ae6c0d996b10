import type { CellKind } from './cell.js';
import type { SheetTrade } from './sheet.js';
import type { MetricKind } from './sweep/metric-form.js';

/*
 * What a page hands to its script. It travels as JSON: NaN becomes null, and long columns of
 * numbers are bytes in base64.
 */

/** Rows of the trades table in the page itself, and on every page of it that the script shows. */
export const PAGE_ROWS = 100;

export interface TearSheetData {
  /** Digits of a price. */
  readonly digits: number;
  readonly columns: readonly TradeColumn[];
  readonly closeup: CloseupData;
}

/** One column of the trades table. Times are seconds. */
export interface TradeColumn {
  readonly key: keyof SheetTrade;
  readonly kind: CellKind;
  readonly title: string;
  readonly values: readonly (number | string | null)[];
}

export interface CloseupData {
  /** Bars that make one candle. */
  readonly join: number;
  /** Candles that share a lowest price and a step. */
  readonly block: number;
  readonly stepSeconds: number;
  /** Candle and time (seconds) wherever the even spacing begins anew. */
  readonly runs: readonly (readonly [candle: number, seconds: number])[];
  /** Lowest price and step of each block, two single-precision floats. */
  readonly heads: string;
  /**
   * Open, high, low and close of each candle, in steps above the lowest price of its block, one
   * byte each.
   */
  readonly candles: string;
  /** Bars at which each trade is entered and left. */
  readonly entryBars: readonly number[];
  readonly exitBars: readonly number[];
}

export interface SweepData {
  /** Numbers of the runs, 32 bits each. */
  readonly runs: string;
  /** Axes of parameters and metrics that fit side by side. */
  readonly axesMax: number;
  readonly metrics: readonly MetricData[];
  readonly parameters: readonly ParameterData[];
}

export interface MetricData {
  readonly title: string;
  readonly kind: MetricKind;
  readonly isLowBetter: boolean;
  /** A single-precision float for each run; NaN where it has none. */
  readonly values: string;
}

export interface ParameterData {
  readonly name: string;
  /** Numbers in more values than groups lie on a scale, all else at even distances. */
  readonly isContinuous: boolean;
  /** Ascending, of a continuous one; empty otherwise. */
  readonly values: readonly number[];
  readonly labels: readonly string[];
  /** Group of each value. */
  readonly groupOf: readonly number[];
  /** Codes have 16 bits, otherwise 8. */
  readonly isWide: boolean;
  /** For each run: 0 where it has no such parameter, else place in the values and 1. */
  readonly codes: string;
}
