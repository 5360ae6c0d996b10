import { clockParts } from './clock.js';
import { applicationKey, type Column } from './column.js';
import * as windows from './rolling-streams.js';
import { type Next, type OpenStream, ofOneBar, ofTwoBars, ofWindow } from './stream.js';
import * as averages from './streams/averages.js';
import * as paths from './streams/paths.js';

/**
 * How each kernel runs one bar at a time, by its name. One without a line runs over columns only.
 */
const streams: Readonly<Record<string, OpenStream>> = {
  ...Object.fromEntries(
    [
      ...['ADD', 'SUBTRACT', 'MULTIPLY', 'DIVIDE', 'PERCENT', 'LARGER', 'SMALLER', 'COMBINE', 'SCALE', 'CONSTANT'],
      ...['ABSOLUTE', 'TYPICAL', 'MEDIAN', 'MONEY_FLOW', 'FLOW_INDEX', 'POSITION', 'ULTIMATE', 'CCI', 'T3'],
      ...['KELTNER_EDGE', 'ROOT', 'AROON', ...clockParts.map((part) => part.toUpperCase())],
      ...['IS_BELOW', 'IS_AT_MOST', 'IS_ABOVE', 'IS_AT_LEAST', 'IS_EQUAL', 'IS_UNEQUAL', 'BOTH', 'EITHER', 'NOT'],
    ].map((name) => [name, ofOneBar]),
  ),
  ...Object.fromEntries(
    [
      ...['TRUE_RANGE', 'VORTEX_MOVE', 'VORTEX_RANGE', 'SIGNED_VOLUME', 'EASE_OF_MOVEMENT', 'FLOWS', 'VOLUME_FORCE'],
      ...['RETURN', 'BUYING_PRESSURE', 'MOVES', 'VOLATILITY_STOP', 'SCORE', 'CROSSED'],
    ].map((name) => [name, ofTwoBars]),
  ),
  ALMA: ofWindow(([window]) => window),
  MEAN_DISTANCE: ofWindow(([window]) => window),
  AVERAGE_RANGE: ofWindow(() => 20),
  CHANGE: paths.lagged,
  GROWTH: paths.lagged,
  SHIFT: paths.shifted,
  DETRENDED_PRICE: paths.detrended,
  SUM: windows.sum,
  SMA: windows.mean,
  MAX: windows.largest,
  MIN: windows.smallest,
  SINCE_MAX: windows.sinceMax,
  DEVIATION: windows.deviation,
  WEIGHTED: windows.weighted,
  EMA: averages.ema,
  RMA: averages.rma,
  RSI: averages.rsi,
  MACD: averages.macd,
  ATR: averages.atr,
  KAMA: averages.kama,
  MAMA: averages.mama,
  ADX: paths.adx,
  PSAR: paths.psar,
  SUPERTREND: paths.superTrend,
  ATR_STOP: paths.atrStop,
  HEIKIN_ASHI: paths.heikinAshi,
  TOTAL: paths.total,
  VPT: paths.volumePriceTrend,
  NVI: paths.negativeVolume,
  CUMULATIVE_RETURN: paths.cumulativeReturn,
  LATEST: paths.latest,
  RECENTLY: paths.recently,
  BARS_SINCE: paths.barsSince,
  VALUE_WHEN: paths.valueWhen,
  SESSION_VWAP: paths.sessionVwap,
  PERCENT_RANK: ofWindow(([bars]) => bars + 1),
  DRAWDOWN_SQUARES: paths.drawdownSquares,
};

/** One value per source column: a price, the volume, or a further column. */
type ReadSource = (name: string) => number;

interface Node {
  readonly next: Next;
  readonly inputs: readonly (() => number)[];
  readonly row: Float64Array;
  readonly outputs: Float64Array;
}

/** Whether a column, and every column that it is made of, can be computed one bar at a time. */
export const isStreamed = (column: Column): boolean =>
  column.kind === 'source' || (Object.hasOwn(streams, column.kernel.name) && column.inputs.every(isStreamed));

/**
 * Columns one bar at a time, each kernel application once a bar however many columns read it. The
 * values have the same bits as those of a Frame over all bars so far.
 */
export class ColumnStreams {
  readonly #nodes = new Map<string, Node>();
  readonly #sources = new Map<string, number>();

  /**
   * Adds a column, before the first bar.
   * @returns its value at the newest bar
   */
  add(column: Column): () => number {
    if (column.kind === 'source') {
      this.#sources.set(column.name, NaN);
      return () => this.#sources.get(column.name) ?? NaN;
    }
    const { outputs } = this.#node(column);
    const { output } = column;
    return () => outputs[output];
  }

  /** Takes the next bar. */
  push(read: ReadSource): void {
    for (const name of this.#sources.keys()) this.#sources.set(name, read(name));
    for (const { next, inputs, row, outputs } of this.#nodes.values()) {
      for (let k = 0; k < row.length; k++) row[k] = inputs[k]();
      next(row, outputs);
    }
  }

  /** The nodes are in the order of their making, so the inputs of a node come before it. */
  #node(column: Column & { readonly kind: 'kernel' }): Node {
    const key = applicationKey(column);
    const known = this.#nodes.get(key);
    if (known !== undefined) return known;
    const { kernel, inputs, params } = column;
    const readers = inputs.map((input) => this.add(input));
    const open = streams[kernel.name];
    if (open === undefined) throw new Error(`${kernel.name} cannot be computed one bar at a time`);
    const row = new Float64Array(inputs.length);
    const node = { next: open(params, kernel), inputs: readers, row, outputs: new Float64Array(kernel.outputCount) };
    this.#nodes.set(key, node);
    return node;
  }
}

export { Recent } from './stream.js';
