import { ofColumn } from './indicator.js';

/*
 * Indicators over one column of numbers. `rsi(close, 14)` gives one value per value of the column,
 * NaN until there is one; `rsi.stream(14)` takes one value at a time.
 */

/** Simple moving average. */
export const sma = ofColumn<[n: number]>('sma');
/** Exponential moving average. */
export const ema = ofColumn<[n: number]>('ema');
/** Wilder's smoothing. */
export const rma = ofColumn<[n: number]>('rma');
/** Weighted moving average. */
export const wma = ofColumn<[n: number]>('wma');
/** End point of the least-squares line. */
export const epma = ofColumn<[n: number]>('epma');
/** Hull moving average. */
export const hma = ofColumn<[n: number]>('hma');
/** Double exponential average. */
export const dema = ofColumn<[n: number]>('dema');
/** Triple exponential average. */
export const tema = ofColumn<[n: number]>('tema');
/** Tillson's T3. */
export const t3 = ofColumn<[n: number, factor: number]>('t3');
/** Triangular moving average. */
export const trima = ofColumn<[n: number]>('trima');
/** Arnaud Legoux moving average. */
export const alma = ofColumn<[n: number, offset: number, sigma: number]>('alma');
/** Change of a triple average, in percent. */
export const trix = ofColumn<[n: number]>('trix');
/** Relative strength index. */
export const rsi = ofColumn<[n: number]>('rsi');
/** Fast minus slow EMA. */
export const apo = ofColumn<[fast: number, slow: number]>('apo');
/** Fast minus slow EMA, in percent of the slow one. */
export const ppo = ofColumn<[fast: number, slow: number]>('ppo');
/** X minus x n bars ago. */
export const change = ofColumn<[n: number]>('change');
/** Change over n bars, in percent. */
export const roc = ofColumn<[n: number]>('roc');
/** Highest of the last n values. */
export const highest = ofColumn<[n: number]>('highest');
/** Lowest of the last n values. */
export const lowest = ofColumn<[n: number]>('lowest');
/** Sum of the last n values. */
export const sum = ofColumn<[n: number]>('sum');
/** Population standard deviation. */
export const stdev = ofColumn<[n: number]>('stdev');
