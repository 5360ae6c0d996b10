import { COMBINE, GROWTH, PERCENT, SHIFT, SMALLER, SUBTRACT } from './arithmetic.js';
import { type Column, close, columnOf, defineKernel, high, low, type OpenStream } from './column.js';
import { bars, line, longer, n, next, one, overBars, self } from './indicator.js';
import { float } from './params.js';
import { DEVIATION, MAX, MIN, SMA } from './rolling.js';
import { EMA } from './smoothing.js';
import { ofOneBar, ofTwoBars } from './stream.js';
import { EPMA } from './weighted.js';
/**
 * Range of a bar, widened to include the previous close. Plain comparisons, because Math.max leaves
 * its fast path at every tie.
 */
export function rangeFrom(previous: number, high: number, low: number): number {
  const top = high > previous ? high : previous;
  const bottom = low < previous ? low : previous;
  return top - bottom;
}

/**
 * True range: the largest of high-low, |high - previous close|, |low - previous close|; high-low on
 * bar 0.
 */
const trueRangeKernel = defineKernel('TRUE_RANGE', ofTwoBars, ([h, l, c], _, [out]) => {
  if (out.length > 0) out[0] = h[0] - l[0];
  for (let t = 1; t < out.length; t++) out[t] = rangeFrom(c[t - 1], h[t], l[t]);
});
export const trueRange: Column = columnOf(trueRangeKernel, [high, low, close]);

/**
 * Average true range: Wilder's smoothing, seeded with the plain mean of the first `window` true
 * ranges. Stops, targets and the ATR signals all read this one. NaN before bar window-1. O(bars).
 * @see Wilder, New Concepts in Technical Trading Systems (1978)
 */
function atr(h: Float64Array, l: Float64Array, c: Float64Array, window: number, out: Float64Array): void {
  const length = out.length;
  const weight = 1 / window;
  const keep = 1 - weight;
  out.fill(NaN, 0, Math.min(window - 1, length));
  if (length < window) return;
  let sum = h[0] - l[0]; // bar 0 has its own range only
  for (let t = 1; t < window; t++) sum += rangeFrom(c[t - 1], h[t], l[t]);
  let average = sum / window;
  out[window - 1] = average;
  let previous = c[window - 1];
  for (let t = window; t < length; t++) {
    average = keep * average + weight * rangeFrom(previous, h[t], l[t]);
    previous = c[t];
    out[t] = average;
  }
}

/** Average true range, see `atr`. */
const atrStream: OpenStream = ([window]) => {
  const weight = 1 / window;
  const keep = 1 - weight;
  let average = 0;
  let previous = NaN;
  let t = -1;
  return ([high, low, close], outputs) => {
    t++;
    const range = t === 0 ? high - low : rangeFrom(previous, high, low);
    previous = close;
    if (t < window) {
      average = t === 0 ? range : average + range;
      if (t === window - 1) average /= window;
    } else {
      average = keep * average + weight * range;
    }
    outputs[0] = t < window - 1 ? NaN : average;
  };
};

const atrKernel = defineKernel('ATR', atrStream, ([h, l, c], [window], [out]) => atr(h, l, c, window, out), {
  simd: (kernels, length, [h, l, c], [window], [out]) => kernels.atr(h, l, c, length, window, out),
});
export const ATR = (window: number): Column => columnOf(atrKernel, [high, low, close], [window]);

/** ATR in percent of the close. */
export const NATR = (window: number): Column => PERCENT(ATR(window), close);

/** [upper, lower] = centre +/- width times a distance. */
const band = (centre: Column, width: number, distance: Column): readonly [upper: Column, lower: Column] => [
  COMBINE(1, centre, width, distance),
  COMBINE(1, centre, -width, distance),
];

/**
 * Bollinger bands with the population deviation; width in percent of the mean. First value at n-1.
 */
export function BOLLINGER(window: number, deviations: number) {
  const [middle, deviation] = DEVIATION(close, window, 0);
  const [upper, lower] = band(middle, deviations, deviation);
  return { middle, upper, lower, width: PERCENT(SUBTRACT(upper, lower), middle) };
}

/** Keltner channel: EMA of the close +/- multiples of ATR. */
export const KELTNER = (window: number, atrWindow: number, multiplier: number) =>
  band(EMA(close, window), multiplier, ATR(atrWindow));

const keltnerEdgeKernel = defineKernel('KELTNER_EDGE', ofOneBar, ([h, l, c], [high, low], [out]) => {
  for (let t = 0; t < out.length; t++) out[t] = (high * h[t] + low * l[t] + c[t]) / 3;
});

/** Keltner's original channel: means of (4H-2L+C)/3 and (-2H+4L+C)/3. */
export const KELTNER_ORIGINAL = (window: number): readonly [upper: Column, lower: Column] => [
  SMA(columnOf(keltnerEdgeKernel, [high, low, close], [4, -2]), window),
  SMA(columnOf(keltnerEdgeKernel, [high, low, close], [-2, 4]), window),
];

/** Stoller bands: mean of the close +/- multiples of ATR. */
export const STARC = (window: number, atrWindow: number, multiplier: number) =>
  band(SMA(close, window), multiplier, ATR(atrWindow));

/** Chandelier exits: highest high minus, and lowest low plus, multiples of ATR. */
export const CHANDELIER = (window: number, multiplier: number) => ({
  highOffset: COMBINE(1, MAX(high, window), -multiplier, ATR(window)),
  lowOffset: COMBINE(1, MIN(low, window), multiplier, ATR(window)),
});

/** Squares of the percent drawdown, see the kernel. */
const drawdownStream: OpenStream = ([window]) => {
  let top = -Infinity;
  let t = -1;
  return ([x, highest], outputs) => {
    t++;
    if (t < window) top = t === window - 1 ? highest : Math.max(top, x);
    const peak = t < window ? top : highest;
    const drawdown = (100 * (x - peak)) / peak;
    outputs[0] = drawdown * drawdown;
  };
};

/**
 * Squares of the percent drawdown from the highest close of the window; until the window is full,
 * from the highest close so far.
 */
const drawdownSquaresKernel = defineKernel('DRAWDOWN_SQUARES', drawdownStream, ([x, highest], [window], [out]) => {
  let top = -Infinity;
  for (let t = 0; t < out.length; t++) {
    if (t < window) top = t === window - 1 ? highest[t] : Math.max(top, x[t]);
    const peak = t < window ? top : highest[t];
    const drawdown = (100 * (x[t] - peak)) / peak;
    out[t] = drawdown * drawdown;
  }
});
const rootKernel = defineKernel('ROOT', ofOneBar, ([x], _, [out]) => {
  for (let t = 0; t < out.length; t++) out[t] = Math.sqrt(Math.max(0, x[t]));
});
/**
 * Ulcer index (Martin 1987): root mean square of the percent drawdown from the highest close of the
 * window so far.
 */
export const ULCER = (window: number): Column =>
  columnOf(rootKernel, [SMA(columnOf(drawdownSquaresKernel, [close, MAX(close, window)], [window]), window)]);

const volatilityStopKernel = defineKernel('VOLATILITY_STOP', ofTwoBars, ([x, deviation], [multiplier], [out]) => {
  out.fill(NaN, 0, 1);
  for (let t = 1; t < out.length; t++) out[t] = x[t - 1] * (1 + multiplier * deviation[t]);
});
/**
 * [upper, lower] = previous close times 1 +/- multiples of the sample deviation of the last n
 * returns. First value at n.
 */
export function VOLATILITY_STOP(window: number, multiplier: number): readonly [upper: Column, lower: Column] {
  const [, deviation] = DEVIATION(GROWTH(close, 1, 1), window, 1);
  return [
    columnOf(volatilityStopKernel, [close, deviation], [multiplier]),
    columnOf(volatilityStopKernel, [close, deviation], [-multiplier]),
  ];
}

/** TTM squeeze: how deep the Bollinger bands lie inside the Keltner channel, > 0 while squeezed. */
export function TTM_SQUEEZE(bbWindow: number, bbDeviations: number, kcWindow: number, kcMultiplier: number) {
  const bollinger = BOLLINGER(bbWindow, bbDeviations);
  const [upper, lower] = KELTNER(kcWindow, kcWindow, kcMultiplier);
  return SMALLER(SUBTRACT(upper, bollinger.upper), SUBTRACT(bollinger.lower, lower));
}

/** Momentum of the squeeze: the close against the middle of its range and mean. */
export function TTM_MOMENTUM(window: number): Column {
  const middle = COMBINE(0.5, MAX(high, window), 0.5, MIN(low, window));
  return EPMA(SUBTRACT(close, COMBINE(0.5, middle, 0.5, SMA(close, window))), window);
}

const channelArgs = { ...n, atr_n: 'window_atr', multiplier: 'multiplier' } as const;

export const volatilities = {
  TR: overBars({
    title: 'True range',
    formula: 'TR[t] = max(H[t]-L[t], |H[t]-C[t-1]|, |L[t]-C[t-1]|); TR[0] = H[0]-L[0]',
    params: {},
    lines: () => ({ true_range: trueRange }),
    functions: { true_range: line('true_range', 'true range', {}, one) },
  }),
  ATR: overBars({
    title: 'Average true range',
    formula:
      'ATR(n)[n-1] = mean(TR[0..n-1]); ATR[t] = ATR[t-1] + (TR[t]-ATR[t-1])/n; NaN before n-1; TR[0] = H[0]-L[0], TR[t] = max(H-L, |H-C[t-1]|, |L-C[t-1]|)',
    params: { window: bars(14) },
    lines: ({ window }) => ({ atr: ATR(window) }),
    functions: { atr: line('atr', 'average true range', n, self) },
  }),
  NATR: overBars({
    title: 'Normalized average true range',
    formula: 'NATR = 100*ATR(n)/C',
    params: { window: bars(14) },
    lines: ({ window }) => ({ natr: NATR(window) }),
    functions: { natr: line('natr', 'the same in percent of the close', n, next) },
  }),
  BBANDS: overBars({
    title: 'Bollinger bands',
    formula:
      'mid = SMA(C,n); sd = population standard deviation (ddof 0) of C[t-n+1..t]; upper/lower = mid +/- window_dev*sd; width = 100*(upper-lower)/mid',
    params: { window: bars(20, 2), window_dev: float(0, 100, 2) },
    lines: ({ window, window_dev }) => {
      const { upper, lower, width } = BOLLINGER(window, window_dev);
      return { upper, middle: SMA(close, window), lower, width };
    },
    functions: {
      bollinger_upper: line('upper', 'Bollinger band, upper', { ...n, deviations: 'window_dev' }, self),
      bollinger_lower: line('lower', 'Bollinger band, lower', { ...n, deviations: 'window_dev' }, self),
      bollinger_width: line('width', 'their distance, in percent', { ...n, deviations: 'window_dev' }, self),
    },
  }),
  KELTNER: overBars({
    title: 'Keltner channel',
    formula:
      'original_version false: mid = EMA(C,window), upper/lower = mid +/- multiplier*ATR(window_atr); true: upper = SMA((4H-2L+C)/3,window), lower = SMA((-2H+4L+C)/3,window), window_atr and multiplier ignored',
    params: { window: bars(20), window_atr: bars(10), multiplier: float(0, 100, 2) },
    lines: (p) => {
      const [upper, lower] = KELTNER(p.window, p.window_atr, p.multiplier);
      return { upper, lower };
    },
    functions: {
      keltner_upper: line('upper', 'Keltner channel, upper', channelArgs, longer),
      keltner_lower: line('lower', 'Keltner channel, lower', channelArgs, longer),
    },
  }),
  STARC: overBars({
    title: 'Stoller average range channel',
    formula: 'upper/lower = SMA(C,window) +/- multiplier*ATR(window_atr)',
    params: { window: bars(20), window_atr: bars(15), multiplier: float(0, 100, 2) },
    lines: (p) => {
      const [upper, lower] = STARC(p.window, p.window_atr, p.multiplier);
      return { upper, lower };
    },
    functions: {
      starc_upper: line(
        'upper',
        'Stoller channel, upper',
        channelArgs,
        (window, atrWindow) => Math.max(window, atrWindow) + 1,
      ),
      starc_lower: line(
        'lower',
        'Stoller channel, lower',
        channelArgs,
        (window, atrWindow) => Math.max(window, atrWindow) + 1,
      ),
    },
  }),
  DONCHIAN: overBars({
    title: 'Donchian channel',
    formula: 'U[t] = max(H[t-n..t-1]), D[t] = min(L[t-n..t-1]) (current bar excluded)',
    params: { window: bars(20) },
    lines: ({ window }) => ({ upper: SHIFT(MAX(high, window), 1), lower: SHIFT(MIN(low, window), 1) }),
  }),
  CHANDELIER: overBars({
    title: 'Chandelier exit',
    formula:
      'high_offset = max(H[t-n+1..t]) - multiplier*ATR(n)[t]; low_offset = min(L[t-n+1..t]) + multiplier*ATR(n)[t]',
    params: { window: bars(22), multiplier: float(0, 100, 3) },
    lines: ({ window, multiplier }) => {
      const { highOffset, lowOffset } = CHANDELIER(window, multiplier);
      return { high_offset: highOffset, low_offset: lowOffset };
    },
    functions: {
      chandelier_long: line('high_offset', 'exit of longs', { ...n, multiplier: 'multiplier' }, self),
      chandelier_short: line('low_offset', 'exit of shorts', { ...n, multiplier: 'multiplier' }, self),
    },
  }),
  VOLSTOP: overBars({
    title: 'Volatility stop',
    formula:
      'r[t] = C[t]/C[t-1]-1; s = sample standard deviation (ddof 1) of r[t-n+1..t]; upper/lower = C[t-1]*(1 +/- multiplier*s)',
    params: { window: bars(20, 2), multiplier: float(0, 100, 2) },
    lines: (p) => {
      const [upper, lower] = VOLATILITY_STOP(p.window, p.multiplier);
      return { upper, lower };
    },
    functions: {
      volatility_stop_upper: line('upper', 'stop above', { ...n, multiplier: 'multiplier' }, next),
      volatility_stop_lower: line('lower', 'stop below', { ...n, multiplier: 'multiplier' }, next),
    },
  }),
  TTM: overBars({
    title: 'TTM squeeze',
    formula:
      'depth = min(KCu-BBu, BBl-KCl), BB = SMA(C,bb_window) +/- bb_std*stdev(ddof 0), KC = EMA(C,kc_window) +/- kc_atr_mult*ATR(kc_window); momentum = EPMA(C - ((HH+LL)/2 + SMA(C,m))/2, m), HH/LL over m = mom_window bars',
    params: {
      bb_window: bars(20, 2),
      bb_std: float(0, 100, 2),
      kc_window: bars(20),
      kc_atr_mult: float(0, 100, 1.5),
      mom_window: bars(12, 2),
    },
    lines: (p) => ({
      depth: TTM_SQUEEZE(p.bb_window, p.bb_std, p.kc_window, p.kc_atr_mult),
      momentum: TTM_MOMENTUM(p.mom_window),
    }),
    functions: {
      squeeze: line(
        'depth',
        'depth of the TTM squeeze, above 0 while squeezed',
        { bb_n: 'bb_window', bb_deviations: 'bb_std', kc_n: 'kc_window', kc_multiplier: 'kc_atr_mult' },
        (bollinger, _deviations, keltner) => Math.max(bollinger, keltner),
      ),
      squeeze_momentum: line('momentum', 'momentum of the squeeze', { n: 'mom_window' }, (window) => 2 * window - 1),
    },
  }),
  ULCER: overBars({
    title: 'Ulcer index',
    formula: 'UI = sqrt(mean(r^2 over t-n+1..t)), r[i] = 100*(C[i]-M[i])/M[i], M[i] = max(C[max(0,i-n+1)..i])',
    params: { window: bars(14) },
    lines: ({ window }) => ({ ulcer: ULCER(window) }),
    functions: { ulcer: line('ulcer', 'ulcer index', n, self) },
  }),
} as const;
