import { DAY_MS } from '../series/intervals.js';
import { COMBINE, DIVIDE, GROWTH, MULTIPLY, medianPrice, SHIFT, SUBTRACT, typicalPrice } from './arithmetic.js';
import { CLOSE_TIME } from './clock.js';
import { type Column, close, columnOf, defineKernel, type OpenStream, source, volume } from './column.js';
import { bars, line, n, overBars, overColumn, overWindow, READ_WINDOW_MAX, self } from './indicator.js';
import { float, int, risingList } from './params.js';
import { SMA, SUM } from './rolling.js';
import { EMA, RMA } from './smoothing.js';
import { ofOneBar, ofWindow } from './stream.js';
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

const t3Kernel = defineKernel('T3', ofOneBar, ([e3, e4, e5, e6], [v], [out]) => {
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
const almaKernel = defineKernel(
  'ALMA',
  ofWindow(([window]) => window),
  ([x], [window, offset, sigma], [out]) => {
    const centre = Math.floor(offset * (window - 1));
    const weights = new Float64Array(window);
    let total = 0;
    for (let i = 0; i < window; i++) {
      const distance = (sigma / window) * (i - centre);
      weights[i] = Math.exp(-0.5 * (distance * distance));
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
  },
);
export const ALMA = (x: Column, window: number, offset: number, sigma: number): Column =>
  columnOf(almaKernel, [x], [window, offset, sigma]);

/**
 * Mean of `price` weighted by volume over the window; NaN where nothing was traded. First value at
 * n-1.
 */
const volumeWeighted = (price: Column, window: number): Column =>
  DIVIDE(SUM(MULTIPLY(price, volume), window), SUM(volume, window));

export const VWMA = (window: number): Column => volumeWeighted(close, window);

/** See `sessionVwap`. */
const sessionStream: OpenStream = () => {
  let day = NaN;
  let [traded, amount] = [0, 0];
  return ([closeTime, price, volume], outputs) => {
    const own = Math.floor((closeTime - 1) / DAY_MS);
    if (own !== day) [traded, amount] = [0, 0];
    day = own;
    traded += price * volume;
    amount += volume;
    outputs[0] = traded / amount;
  };
};

const sessionKernel = defineKernel('SESSION_VWAP', sessionStream, ([closeTime, price, volume], _, [out]) => {
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

export const movingAverages = {
  HMA: overWindow(
    HMA,
    'hma',
    'Hull moving average',
    bars(16, 2),
    (window) => window + Math.max(1, Math.floor(Math.sqrt(window))) - 1,
    {
      title: 'Hull moving average',
      formula: 'HMA(x,n) = WMA(2*WMA(x,max(1,floor(n/2))) - WMA(x,n), max(1,floor(sqrt(n))))',
    },
  ),
  DEMA: overWindow(DEMA, 'dema', 'double exponential average', bars(20), (window) => 2 * window - 1, {
    title: 'Double exponential moving average',
    formula: 'DEMA = 2*E1 - E2 with E1 = EMA(x,n), E2 = EMA(E1,n)',
  }),
  TEMA: overWindow(TEMA, 'tema', 'triple exponential average', bars(20), (window) => 3 * window - 2, {
    title: 'Triple exponential moving average',
    formula: 'TEMA = 3*E1 - 3*E2 + E3 with E1 = EMA(x,n), E2 = EMA(E1,n), E3 = EMA(E2,n)',
  }),
  T3: overColumn({
    title: 'Tillson T3',
    formula:
      'T3: e1 = EMA(x,n), e_{j+1} = EMA(e_j,n) up to e6; v = volume_factor; T3 = -v^3*e6 + (3v^2+3v^3)*e5 + (-6v^2-3v-3v^3)*e4 + (1+3v+3v^2+v^3)*e3',
    params: { window: bars(10), volume_factor: float(0, 1, 0.7) },
    lines: (p, x) => ({ t3: T3(x, p.window, p.volume_factor) }),
    functions: { t3: line('t3', "Tillson's T3", { ...n, factor: 'volume_factor' }, (window) => 6 * window - 5) },
  }),
  TRIMA: overWindow(TRIMA, 'trima', 'triangular moving average', bars(20), self, {
    title: 'Triangular moving average',
    formula: 'TRIMA(x,n) = SMA(SMA(x,n1),n2); n odd: n1 = n2 = (n+1)/2; n even: n1 = n/2, n2 = n/2+1',
  }),
  ALMA: overColumn({
    title: 'Arnaud Legoux moving average',
    formula:
      'ALMA(x,n)[t] = sum_i w_i*x[t-n+1+i]/sum_i w_i, i = 0..n-1 (0 = oldest), w_i = exp(-0.5*((sigma/n)*(i-k))^2), k = floor(offset*(n-1))',
    params: { window: bars(21, 1, READ_WINDOW_MAX), offset: float(0, 1, 0.85), sigma: float(0.1, 20, 6) },
    lines: (p, x) => ({ alma: ALMA(x, p.window, p.offset, p.sigma) }),
    functions: { alma: line('alma', 'Arnaud Legoux moving average', { ...n, offset: 'offset', sigma: 'sigma' }, self) },
  }),
  TRIX: overWindow(TRIX, 'trix', 'change of a triple average, in percent', bars(15), (window) => 3 * window - 1, {
    title: 'Triple exponential rate of change',
    formula: 'TRIX[t] = 100*(E3[t]-E3[t-1])/E3[t-1], E3 = EMA(EMA(EMA(C,n),n),n)',
  }),
  VWMA: overBars({
    title: 'Volume weighted moving average',
    formula: 'VWMA(n)[t] = sum(C*V over t-n+1..t)/sum(V over t-n+1..t)',
    params: { window: bars(20) },
    lines: ({ window }) => ({ vwma: VWMA(window) }),
    functions: { vwma: line('vwma', 'volume-weighted average of the close', n, self) },
  }),
  VWAP: overBars({
    title: 'Volume weighted average price',
    formula: 'VWAP(n)[t] = sum(TP*V)/sum(V) over t-n+1..t (rolling, no session reset), TP = (H+L+C)/3',
    params: { window: bars(14) },
    lines: ({ window }) => ({ vwap: VWAP(window) }),
    functions: { vwap: line('vwap', 'volume-weighted average price of the last n bars', n, self) },
  }),
  RIBBON: overColumn({
    title: 'Moving average ribbon',
    formula: 'm_j = SMA(C,windows[j])[t] for strictly increasing windows',
    params: { windows: risingList(2, 1000, [5, 8, 13, 21, 34, 55, 89, 144]) },
    lines: ({ windows }, x) => Object.fromEntries(windows.map((window) => [`sma_${window}`, SMA(x, window)])),
  }),
  ALLIGATOR: overBars({
    title: 'Williams alligator',
    formula:
      'M = (H+L)/2; jaw[t] = SMMA(M,jaw)[t-jaw_offset], teeth[t] = SMMA(M,teeth)[t-teeth_offset], lips[t] = SMMA(M,lips)[t-lips_offset]',
    params: {
      jaw: bars(13),
      teeth: bars(8),
      lips: bars(5),
      jaw_offset: int(0, 200, 8),
      teeth_offset: int(0, 200, 5),
      lips_offset: int(0, 200, 3),
    },
    lines: (p) => ({
      jaw: SHIFT(RMA(medianPrice, p.jaw), p.jaw_offset),
      teeth: SHIFT(RMA(medianPrice, p.teeth), p.teeth_offset),
      lips: SHIFT(RMA(medianPrice, p.lips), p.lips_offset),
    }),
  }),
} as const;
