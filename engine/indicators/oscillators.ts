import {
  ABSOLUTE,
  ADD,
  barRange,
  CHANGE,
  DIVIDE,
  GROWTH,
  medianPrice,
  PERCENT,
  SUBTRACT,
  typicalPrice,
} from './arithmetic.js';
import { type Column, close, columnOf, columnsOf, defineKernel, high, low, type OpenStream, open } from './column.js';
import {
  bars,
  fastAndSlow,
  fastSlow,
  line,
  longer,
  n,
  next,
  one,
  overBars,
  overColumn,
  overWindow,
  READ_WINDOW_MAX,
  self,
  slowAndFast,
} from './indicator.js';
import { float } from './params.js';
import { MAX, MIN, SMA, SUM } from './rolling.js';
import { EMA } from './smoothing.js';
import { ofOneBar, ofTwoBars } from './stream.js';
import { trueRange } from './volatility.js';
import { MEAN_DISTANCE } from './weighted.js';

/**
 * Relative Strength Index with Wilder smoothing.
 * @param x price per bar
 * @param window bars
 * @param out 0..100; NaN before the window-th change of x, the 0 of its first value among them; 100
 *   where the average loss is 0, which includes a flat series. A bar without a value leaves two
 *   changes undefined, for which the averages follow the gap rule of `smooth`: they repeat, and
 *   the next change counts for more.
 * @see Wilder, New Concepts in Technical Trading Systems (1978). Gains and losses are smoothed from
 *   the 0 of bar 0 instead of Wilder's plain mean of the first window.
 */
function rsi(x: Float64Array, window: number, out: Float64Array): void {
  const length = x.length;
  const keep = 1 - 1 / window;
  // Size + change is twice the gain, size - change twice the loss, without a branch.
  const weight = 0.5 / window;
  let first = 0; // of the values; a price has one on every bar
  while (first < length && !Number.isFinite(x[first])) first++;
  let publishAt = first + window - 1;
  let gain = 0;
  let loss = 0;
  let previous = x[first];
  let age = keep; // weight that the averages keep at the next change
  if (first < length) out[first] = 100;
  for (let t = first + 1; t < length; t++) {
    const change = x[t] - previous;
    const size = Math.abs(change);
    previous = x[t];
    if (change - change !== 0) {
      age *= keep;
      if (t <= publishAt) publishAt++; // as in `smooth`
    } else if (age === keep) {
      gain = keep * gain + weight * (size + change);
      loss = keep * loss + weight * (size - change);
    } else {
      gain = (age * gain + weight * (size + change)) / (age + 2 * weight);
      loss = (age * loss + weight * (size - change)) / (age + 2 * weight);
      age = keep;
    }
    out[t] = loss === 0 ? 100 : 100 * (gain / (gain + loss));
  }
  out.fill(NaN, 0, Math.min(publishAt, length));
}

const rsiStream: OpenStream = ([window]) => {
  const keep = 1 - 1 / window;
  const weight = 0.5 / window;
  let gain = 0;
  let loss = 0;
  let age = keep;
  let previous = NaN;
  /** Changes so far, the 0 of the first value among them; 0 before it. */
  let count = 0;
  return ([x], outputs) => {
    const change = count === 0 ? (Number.isFinite(x) ? 0 : NaN) : x - previous;
    previous = x;
    if (change - change !== 0) {
      if (count > 0) age *= keep;
    } else {
      const size = Math.abs(change);
      const total = age === keep ? 1 : age + 2 * weight;
      gain = (age * gain + weight * (size + change)) / total;
      loss = (age * loss + weight * (size - change)) / total;
      age = keep;
      count++;
    }
    outputs[0] = count < window ? NaN : loss === 0 ? 100 : 100 * (gain / (gain + loss));
  };
};

const rsiKernel = defineKernel('RSI', rsiStream, ([x], [window], [out]) => rsi(x, window, out));
export const RSI = (x: Column, window: number): Column => columnOf(rsiKernel, [x], [window]);

/** Place of x between `bottom` and `top`, 0..scale; NaN where they meet. */
const positionKernel = defineKernel(
  'POSITION',
  ofOneBar,
  ([x, bottom, top], [scale], [out]) => {
    for (let t = 0; t < out.length; t++) out[t] = scale * ((x[t] - bottom[t]) / (top[t] - bottom[t]));
  },
  { simd: (kernels, length, [x, bottom, top], [scale], [out]) => kernels.position(x, bottom, top, scale, length, out) },
);
const position = (x: Column, bottom: Column, top: Column, scale: number): Column =>
  columnOf(positionKernel, [x, bottom, top], [scale]);

/** Fast %K: place of the close in the high-low range of the window, 0..100. First value at n-1. */
export const STOCHASTIC = (window: number): Column => position(close, MIN(low, window), MAX(high, window), 100);

/** Williams %R: distance of the close below the top of the window's range, -100..0. */
export const WILLIAMS_R = (window: number): Column => position(close, MAX(high, window), MIN(low, window), -100);

/**
 * Place of x in its own range over the window, 0..scale; NaN where the window is flat or holds a
 * NaN.
 */
export const rangePosition = (x: Column, window: number, scale: number): Column =>
  position(x, MIN(x, window), MAX(x, window), scale);

/** Place of RSI in its own range, 0..1, unsmoothed. First value at 2(n-1). */
export const STOCH_RSI = (window: number): Column => rangePosition(RSI(close, window), window, 1);

/**
 * True strength index: twice smoothed change over twice smoothed absolute change, -100..100. First
 * value at slow+fast-1.
 */
export function TSI(slow: number, fast: number): Column {
  const change = CHANGE(close, 1);
  return PERCENT(EMA(EMA(change, slow), fast), EMA(EMA(ABSOLUTE(change), slow), fast));
}

const buyingPressureKernel = defineKernel('BUYING_PRESSURE', ofTwoBars, ([l, c], _, [out]) => {
  out[0] = NaN;
  for (let t = 1; t < out.length; t++) out[t] = c[t] - Math.min(l[t], c[t - 1]);
});
const ultimateKernel = defineKernel('ULTIMATE', ofOneBar, ([short, medium, long], _, [out]) => {
  for (let t = 0; t < out.length; t++) out[t] = (100 * (4 * short[t] + 2 * medium[t] + long[t])) / 7;
});

/**
 * Ultimate oscillator (Williams 1985): buying pressure over true range on three windows, weights 4,
 * 2, 1.
 */
export function ULTIMATE(short: number, medium: number, long: number): Column {
  const pressure = columnOf(buyingPressureKernel, [low, close]);
  const average = (window: number) => DIVIDE(SUM(pressure, window), SUM(trueRange, window));
  return columnOf(ultimateKernel, [average(short), average(medium), average(long)]);
}

/** Rate of change over n bars in percent. First value at n. */
export const ROC = (window: number): Column => GROWTH(close, window, 100);

/** Awesome oscillator: fast minus slow mean of the median price. */
export const AWESOME = (fast: number, slow: number): Column => SUBTRACT(SMA(medianPrice, fast), SMA(medianPrice, slow));

/** Balance of power: body over range of one bar; NaN on a bar without range. */
export const BALANCE_OF_POWER: Column = DIVIDE(SUBTRACT(close, open), barRange);

/** [gains, losses] of one bar, both 0 on bar 0 and on a tie. */
const movesKernel = defineKernel(
  'MOVES',
  ofTwoBars,
  ([x], _, [gains, losses]) => {
    for (let t = 0; t < x.length; t++) {
      const change = t === 0 ? 0 : x[t] - x[t - 1];
      gains[t] = change * Number(change > 0); // no branch on the direction
      losses[t] = -change * Number(change < 0);
    }
  },
  { outputCount: 2 },
);
/**
 * Chande momentum: (gains - losses) / (gains + losses) over the window, -100..100; NaN where
 * nothing moved.
 */
export function CHANDE_MOMENTUM(window: number): Column {
  const [gains, losses] = columnsOf(movesKernel, [close], []).map((moves) => SUM(moves, window));
  return PERCENT(SUBTRACT(gains, losses), ADD(gains, losses));
}

const cciKernel = defineKernel('CCI', ofOneBar, ([x, mean, distance], [constant], [out]) => {
  for (let t = 0; t < out.length; t++) out[t] = (x[t] - mean[t]) / (constant * distance[t]);
});
/**
 * Commodity channel index (Lambert 1980). Distances are taken from each window's own mean: O(bars x
 * window).
 */
export const CCI = (window: number, constant: number): Column =>
  columnOf(cciKernel, [typicalPrice, SMA(typicalPrice, window), MEAN_DISTANCE(typicalPrice, window)], [constant]);

export const MOMENTUM = (window: number): Column => CHANGE(close, window);

export const oscillators = {
  RSI: overWindow(RSI, 'rsi', 'relative strength index', bars(14), next, {
    title: 'Relative strength index',
    formula:
      'RSI(x,n): g[0] = l[0] = 0; g[t] = max(x[t]-x[t-1],0), l[t] = max(x[t-1]-x[t],0); AG = RMA(g,n), AL = RMA(l,n) (both start from the 0 at bar 0; published from t = n-1); RSI = 100 if AL == 0 else 100 - 100/(1+AG/AL)',
  }),
  STOCH: overBars({
    title: 'Stochastic oscillator',
    formula:
      '%K(n)[t] = 100*(C[t]-LL)/(HH-LL), LL = min(L[t-n+1..t]), HH = max(H[t-n+1..t]) (fast, unsmoothed; NaN when HH == LL); %D = SMA(%K,smooth_window) is not read by these signals',
    params: { window: bars(14), smooth_window: bars(3) },
    lines: ({ window, smooth_window }) => {
      const k = STOCHASTIC(window);
      return { k, d: SMA(k, smooth_window) };
    },
    functions: { stoch: line('k', 'stochastic oscillator, %K', n, self) },
  }),
  WILLR: overBars({
    title: 'Williams %R',
    formula: 'WR(n)[t] = -100*(HH-C[t])/(HH-LL), HH/LL = max(H)/min(L) over t-n+1..t',
    params: { window: bars(14) },
    lines: ({ window }) => ({ williams_r: WILLIAMS_R(window) }),
    functions: { williams_r: line('williams_r', 'Williams %R', n, self) },
  }),
  STOCHRSI: overBars({
    title: 'Stochastic RSI',
    formula:
      'SR[t] = (R[t]-min(R[t-n+1..t]))/(max(R[t-n+1..t])-min(R[t-n+1..t])), R = RSI(C,n), 0..1 scale; NaN while the window holds a NaN RSI or when max == min; smooth1/smooth2 only feed K/D lines that are not read',
    params: { window: bars(14) },
    lines: ({ window }) => ({ stochrsi: STOCH_RSI(window) }),
    functions: { stoch_rsi: line('stochrsi', 'place of RSI in its own range, 0..1', n, (window) => 2 * window - 1) },
  }),
  TSI: overBars({
    title: 'True strength index',
    formula:
      'TSI = 100*EMA(EMA(d,window_slow),window_fast)/EMA(EMA(|d|,window_slow),window_fast), d[t] = C[t]-C[t-1] (d[0] = NaN)',
    params: fastSlow(13, 25),
    lines: (p) => ({ tsi: TSI(p.window_slow, p.window_fast) }),
    functions: { tsi: line('tsi', 'true strength index', slowAndFast, (slow, fast) => slow + fast) },
  }),
  UO: overBars({
    title: 'Ultimate oscillator',
    formula:
      'UO = 100*(4*A(window_short)+2*A(window_medium)+1*A(window_long))/7, A(n) = sum(BP over n)/sum(TR over n), BP[t] = C[t]-min(L[t],C[t-1]) (BP[0] = NaN), TR = true range',
    params: { window_short: bars(7), window_medium: bars(14), window_long: bars(28) },
    lines: (p) => ({ uo: ULTIMATE(p.window_short, p.window_medium, p.window_long) }),
    functions: {
      uo: line(
        'uo',
        'ultimate oscillator',
        { short: 'window_short', medium: 'window_medium', long: 'window_long' },
        (...windows) => Math.max(...windows) + 1,
      ),
    },
  }),
  ROC: overColumn({
    title: 'Rate of change',
    formula: 'ROC(n)[t] = 100*(C[t]-C[t-n])/C[t-n]',
    params: { window: bars(12) },
    lines: ({ window }, x) => ({ roc: GROWTH(x, window, 100) }),
    functions: { roc: line('roc', 'change over n bars, in percent', n, next) },
  }),
  MOM: overColumn({
    title: 'Momentum',
    formula: 'MOM(n)[t] = C[t]-C[t-n]',
    params: { window: bars(10) },
    lines: ({ window }, x) => ({ mom: CHANGE(x, window) }),
    functions: { change: line('mom', 'x minus x n bars ago', n, next) },
  }),
  AO: overBars({
    title: 'Awesome oscillator',
    formula: 'AO = SMA(M,window_fast) - SMA(M,window_slow), M = (H+L)/2',
    params: fastSlow(5, 34),
    lines: (p) => ({ ao: AWESOME(p.window_fast, p.window_slow) }),
    functions: { ao: line('ao', 'awesome oscillator', fastAndSlow, longer) },
  }),
  BOP: overBars({
    title: 'Balance of power',
    formula: 'BOP[t] = (C[t]-O[t])/(H[t]-L[t]); NaN when H[t] == L[t]',
    params: {},
    lines: () => ({ bop: BALANCE_OF_POWER }),
    functions: { bop: line('bop', 'balance of power', {}, one) },
  }),
  CMO: overBars({
    title: 'Chande momentum oscillator',
    formula:
      'CMO(n)[t] = 100*(P-N)/(P+N), P = sum of positive close changes and N = sum of |negative close changes| over bars t-n+1..t (the change at bar 0 counts as 0); NaN when P+N == 0 or t < n-1',
    params: { window: bars(14) },
    lines: ({ window }) => ({ cmo: CHANDE_MOMENTUM(window) }),
    functions: { cmo: line('cmo', 'Chande momentum oscillator', n, next) },
  }),
  CCI: overBars({
    title: 'Commodity channel index',
    formula:
      "CCI = (TP[t]-m)/(constant*MAD), TP = (H+L+C)/3, m = mean(TP[t-n+1..t]), MAD = mean(|TP[i]-m|, i = t-n+1..t) (deviations from that window's own mean)",
    params: { window: bars(20, 2, READ_WINDOW_MAX), constant: float(1e-6, 100, 0.015) },
    lines: (p) => ({ cci: CCI(p.window, p.constant) }),
    functions: { cci: line('cci', 'commodity channel index', { ...n, constant: 'constant' }, self) },
  }),
} as const;
