import { DAY_MS } from '../series/intervals.js';
import { COMBINE, DIVIDE, GROWTH, MULTIPLY, SUBTRACT, typicalPrice } from './arithmetic.js';
import { CLOSE_TIME } from './clock.js';
import { type Column, close, columnOf, defineKernel, source, volume } from './column.js';
import { SMA, SUM } from './rolling.js';
import { EMA } from './smoothing.js';
import { WMA } from './weighted.js';

/** 2 E1 - E2. First value at 2(n-1). */
export function DEMA(x: Column, window: number): Column {
  const e1 = EMA(x, window);
  return COMBINE(2, e1, -1, EMA(e1, window));
}

/** 3 E1 - 3 E2 + E3. First value at 3(n-1). */
export function TEMA(x: Column, window: number): Column {
  const e1 = EMA(x, window);
  const e2 = EMA(e1, window);
  return COMBINE(3, SUBTRACT(e1, e2), 1, EMA(e2, window));
}

/** One-bar growth of the triple EMA in percent. First value at 3(n-1)+1. */
export const TRIX = (x: Column, window: number): Column => GROWTH(EMA(EMA(EMA(x, window), window), window), 1, 100);

const t3Kernel = defineKernel('T3', ([e3, e4, e5, e6], [v], [out]) => {
  const w6 = -v * v * v;
  const w5 = 3 * v * v + 3 * v * v * v;
  const w4 = -6 * v * v - 3 * v - 3 * v * v * v;
  const w3 = 1 + 3 * v + v * v * v + 3 * v * v;
  for (let t = 0; t < out.length; t++) out[t] = w6 * e6[t] + w5 * e5[t] + w4 * e4[t] + w3 * e3[t];
});

/** Tillson's T3 over six EMAs. First value at 6(n-1). */
export function T3(x: Column, window: number, volumeFactor: number): Column {
  const e3 = EMA(EMA(EMA(x, window), window), window);
  const e4 = EMA(e3, window);
  const e5 = EMA(e4, window);
  return columnOf(t3Kernel, [e3, e4, e5, EMA(e5, window)], [volumeFactor]);
}

/** Triangular: a mean of means whose two windows add up to n+1. First value at n-1. */
export function TRIMA(x: Column, window: number): Column {
  const first = Math.ceil(window / 2);
  return SMA(SMA(x, first), window + 1 - first);
}

/**
 * Hull: WMA(2 WMA(n/2) - WMA(n), sqrt n), windows rounded down, at least 1. First value at n +
 * floor(sqrt n) - 2.
 */
export function HMA(x: Column, window: number): Column {
  const half = Math.max(1, Math.floor(window / 2));
  return WMA(COMBINE(2, WMA(x, half), -1, WMA(x, window)), Math.max(1, Math.floor(Math.sqrt(window))));
}

/**
 * Arnaud Legoux: Gaussian weights over the window, centred at floor(offset (n-1)) from its oldest
 * bar, width n/sigma. Summed as distances from the newest value, so a flat window gives exactly its
 * price. O(bars x window).
 */
const almaKernel = defineKernel('ALMA', ([x], [window, offset, sigma], [out]) => {
  const centre = Math.floor(offset * (window - 1));
  const weights = new Float64Array(window);
  let total = 0;
  for (let i = 0; i < window; i++) {
    weights[i] = Math.exp(-0.5 * ((sigma / window) * (i - centre)) ** 2);
    total += weights[i];
  }
  out.fill(NaN, 0, Math.min(window - 1, out.length));
  for (let t = window - 1; t < out.length; t++) {
    const newest = x[t];
    const oldest = t - window + 1;
    let weighted = 0;
    for (let i = 0; i < window; i++) weighted += weights[i] * (x[oldest + i] - newest);
    out[t] = newest + weighted / total;
  }
});
export const ALMA = (x: Column, window: number, offset: number, sigma: number): Column =>
  columnOf(almaKernel, [x], [window, offset, sigma]);

/**
 * Mean of `price` weighted by volume over the window; NaN where nothing was traded. First value at
 * n-1.
 */
const volumeWeighted = (price: Column, window: number): Column =>
  DIVIDE(SUM(MULTIPLY(price, volume), window), SUM(volume, window));

export const VWMA = (window: number): Column => volumeWeighted(close, window);

const sessionKernel = defineKernel('SESSION_VWAP', ([closeTime, price, volume], _, [out]) => {
  let day = NaN;
  let [traded, amount] = [0, 0];
  for (let t = 0; t < out.length; t++) {
    const own = Math.floor((closeTime[t] - 1) / DAY_MS); // a bar that closes at midnight ends its day
    if (own !== day) [traded, amount] = [0, 0];
    day = own;
    traded += price[t] * volume[t];
    amount += volume[t];
    out[t] = traded / amount;
  }
});

/** VWAP of the typical price since 00:00 UTC, this bar included; undefined while nothing traded. */
export const sessionVwap: Column = columnOf(sessionKernel, [source(CLOSE_TIME), typicalPrice, volume]);

/** Rolling, without a session anchor, over the typical price. */
export const VWAP = (window: number): Column => volumeWeighted(typicalPrice, window);
