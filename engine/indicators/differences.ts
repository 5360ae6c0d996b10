import { ADD, barRange, COMBINE, DIVIDE, GROWTH, PERCENT, SUBTRACT } from './arithmetic.js';
import { type Column, close, columnOf, columnsOf, defineKernel, high, low, type OpenStream, volume } from './column.js';
import {
  bars,
  fastAndSlow,
  fastSlow,
  fastSlowSign,
  line,
  longer,
  n,
  next,
  overBars,
  overColumn,
  self,
  slowAndFast,
} from './indicator.js';
import { rangePosition } from './oscillators.js';
import { MAX, MIN, SMA, SUM } from './rolling.js';
import { EMA } from './smoothing.js';
import { Recent } from './stream.js';
/** Fast minus slow EMA (APO; the MACD line). First value at slow-1. */
export const EMA_DIFFERENCE = (x: Column, fast: number, slow: number): Column => SUBTRACT(EMA(x, fast), EMA(x, slow));

/** The same as a percentage of the slow EMA (PPO of the close, PVO of the volume). */
export const PERCENT_OSCILLATOR = (x: Column, fast: number, slow: number): Column =>
  PERCENT(EMA_DIFFERENCE(x, fast, slow), EMA(x, slow));

const macdStream: OpenStream = ([fast, slow, sign]) => {
  const fastWeight = 2 / (fast + 1);
  const slowWeight = 2 / (slow + 1);
  const signalWeight = 2 / (sign + 1);
  const [fastKeep, slowKeep, signalKeep] = [1 - fastWeight, 1 - slowWeight, 1 - signalWeight];
  const lineFrom = Math.max(fast, slow) - 1;
  let anchor = NaN;
  let fastDeviation = 0;
  let slowDeviation = 0;
  let signalAnchor = 0;
  let signalDeviation = 0;
  let t = -1;
  return ([x], outputs) => {
    t++;
    if (t === 0) anchor = x;
    const d = x - anchor;
    fastDeviation = fastKeep * fastDeviation + fastWeight * d;
    slowDeviation = slowKeep * slowDeviation + slowWeight * d;
    const value = anchor + fastDeviation - (anchor + slowDeviation);
    if (t <= lineFrom) signalAnchor = value;
    signalDeviation = signalKeep * signalDeviation + signalWeight * (value - signalAnchor);
    const average = signalAnchor + signalDeviation;
    outputs[0] = t < lineFrom ? NaN : value;
    outputs[1] = t < lineFrom + sign - 1 ? NaN : average;
    outputs[2] = t < lineFrom + sign - 1 ? NaN : value - average;
  };
};

/**
 * [line, signal, histogram] of prices without gaps: EMA_DIFFERENCE, its EMA and the difference of
 * the two, in one pass instead of five. The averages run on deviations from their first value, as
 * in `smooth`.
 */
const macdKernel = defineKernel(
  'MACD',
  macdStream,
  ([x], [fast, slow, sign], [line, signal, histogram]) => {
    const length = x.length;
    const fastWeight = 2 / (fast + 1);
    const slowWeight = 2 / (slow + 1);
    const signalWeight = 2 / (sign + 1);
    const [fastKeep, slowKeep, signalKeep] = [1 - fastWeight, 1 - slowWeight, 1 - signalWeight];
    const lineFrom = Math.max(fast, slow) - 1;
    const anchor = x[0];
    let fastDeviation = 0;
    let slowDeviation = 0;
    let signalAnchor = 0;
    let signalDeviation = 0;
    for (let t = 0; t < length; t++) {
      const d = x[t] - anchor;
      fastDeviation = fastKeep * fastDeviation + fastWeight * d;
      slowDeviation = slowKeep * slowDeviation + slowWeight * d;
      const value = anchor + fastDeviation - (anchor + slowDeviation);
      if (t <= lineFrom) signalAnchor = value;
      signalDeviation = signalKeep * signalDeviation + signalWeight * (value - signalAnchor);
      const average = signalAnchor + signalDeviation;
      line[t] = value;
      signal[t] = average;
      histogram[t] = value - average;
    }
    line.fill(NaN, 0, Math.min(lineFrom, length));
    for (const column of [signal, histogram]) column.fill(NaN, 0, Math.min(lineFrom + sign - 1, length));
  },
  {
    outputCount: 3,
    simd: (kernels, length, [x], [fast, slow, sign], [line, signal, histogram]) =>
      kernels.macd(x, length, fast, slow, sign, line, signal, histogram),
  },
);

/** [line, signal, histogram]. Signal from slow-1+sign-1 on. */
export function MACD(
  fast: number,
  slow: number,
  sign: number,
): readonly [line: Column, signal: Column, histogram: Column] {
  const [line, signal, histogram] = columnsOf(macdKernel, [close], [fast, slow, sign]);
  return [line, signal, histogram];
}

/**
 * Know sure thing (Pring): four smoothed rates of change, weights 1..4, in percent. The signal line
 * is its mean.
 */
export function KST(
  rocs: readonly [number, number, number, number],
  windows: readonly [number, number, number, number],
  signal: number,
): readonly [kst: Column, signal: Column] {
  const [r1, r2, r3, r4] = rocs.map((roc, i) => SMA(GROWTH(close, roc, 1), windows[i]));
  const kst = ADD(COMBINE(100, r1, 200, r2), COMBINE(300, r3, 400, r4));
  return [kst, SMA(kst, signal)];
}

/** Price some bars ago minus the mean of now. */
const detrendedStream: OpenStream = ([window]) => {
  const lag = Math.floor(window / 2) + 1;
  const recent = new Recent(lag + 1);
  return ([x, mean], outputs) => {
    recent.add(x);
    outputs[0] = recent.at(lag) - mean;
  };
};

const detrendedKernel = defineKernel('DETRENDED_PRICE', detrendedStream, ([x, mean], [window], [out]) => {
  const lag = Math.floor(window / 2) + 1;
  out.fill(NaN, 0, Math.min(lag, out.length));
  for (let t = lag; t < out.length; t++) out[t] = x[t - lag] - mean[t];
});
/** Detrended price in its causal form: the close n/2+1 bars ago minus this bar's mean. */
export const DETRENDED_PRICE = (window: number): Column =>
  columnOf(detrendedKernel, [close, SMA(close, window)], [window]);

/**
 * Schaff trend cycle: the stochastic of the EMA difference, smoothed, and the same two steps once
 * more. 0/0 counts as a missing input.
 */
export function SCHAFF(slow: number, fast: number, cycle: number, smooth1: number, smooth2: number): Column {
  const k = rangePosition(EMA_DIFFERENCE(close, fast, slow), cycle, 100);
  return EMA(rangePosition(EMA(k, smooth1), cycle, 100), smooth2);
}

/**
 * Mass index (Dorsey 1992): sum of the ratio of single to double smoothed range. First value at
 * 2(fast-1)+slow-1.
 */
export function MASS(fast: number, slow: number): Column {
  const e1 = EMA(barRange, fast);
  return SUM(DIVIDE(e1, EMA(e1, fast)), slow);
}

/** Middle of the high-low range of the window (Ichimoku's tenkan and kijun). */
export const MIDPOINT = (window: number): Column => COMBINE(0.5, MAX(high, window), 0.5, MIN(low, window));

/** The Ichimoku lines, each read at its own bar (spans are not moved forward). */
export function ICHIMOKU(tenkanWindow: number, kijunWindow: number, senkouWindow: number) {
  const tenkan = MIDPOINT(tenkanWindow);
  const kijun = MIDPOINT(kijunWindow);
  return { tenkan, kijun, spanA: COMBINE(0.5, tenkan, 0.5, kijun), spanB: MIDPOINT(senkouWindow) };
}

const macdArgs = { ...fastAndSlow, signal: 'window_sign' } as const;

export const differences = {
  APO: overColumn({
    title: 'Absolute price oscillator',
    formula: 'APO = EMA(C,window_fast) - EMA(C,window_slow)',
    params: fastSlow(12, 26),
    lines: (p, x) => ({ apo: EMA_DIFFERENCE(x, p.window_fast, p.window_slow) }),
    functions: { apo: line('apo', 'fast minus slow EMA', fastAndSlow, longer) },
  }),
  PPO: overColumn({
    title: 'Percentage price oscillator',
    formula: 'PPO = 100*(EMA(C,window_fast)-EMA(C,window_slow))/EMA(C,window_slow); signal = EMA(PPO,window_sign)',
    params: fastSlowSign(12, 26, 9),
    lines: (p, x) => {
      const ppo = PERCENT_OSCILLATOR(x, p.window_fast, p.window_slow);
      return { ppo, signal: EMA(ppo, p.window_sign) };
    },
    functions: { ppo: line('ppo', 'fast minus slow EMA, in percent of the slow one', fastAndSlow, longer) },
  }),
  PVO: overBars({
    title: 'Percentage volume oscillator',
    formula: 'PVO = 100*(EMA(V,window_fast)-EMA(V,window_slow))/EMA(V,window_slow); signal = EMA(PVO,window_sign)',
    params: fastSlowSign(12, 26, 9),
    lines: (p) => {
      const pvo = PERCENT_OSCILLATOR(volume, p.window_fast, p.window_slow);
      return { pvo, signal: EMA(pvo, p.window_sign) };
    },
  }),
  MACD: overBars({
    title: 'Moving average convergence divergence',
    formula:
      "macd = EMA(C,window_fast) - EMA(C,window_slow); signal = EMA(macd,window_sign) (seeded at macd's first published value, bar window_slow-1); histogram = macd - signal",
    params: fastSlowSign(12, 26, 9),
    lines: (p) => {
      const [macd, signal, histogram] = MACD(p.window_fast, p.window_slow, p.window_sign);
      return { macd, signal, histogram };
    },
    functions: {
      macd_line: line('macd', 'MACD line', macdArgs, longer),
      macd_signal: line('signal', 'its signal line', macdArgs, (fast, slow, sign) => Math.max(fast, slow) + sign - 1),
      macd_histogram: line(
        'histogram',
        'line minus signal',
        macdArgs,
        (fast, slow, sign) => Math.max(fast, slow) + sign,
      ),
    },
  }),
  KST: overBars({
    title: 'Know sure thing',
    formula:
      'KST = 100*(r1+2*r2+3*r3+4*r4), r_i = SMA((C[t]-C[t-n_i])/C[t-n_i], w_i) with n_1..n_4 = roc1..roc4 and w_1..w_4 = window_sma1..window_sma4; signal = SMA(KST,nsig)',
    params: {
      roc1: bars(10),
      roc2: bars(15),
      roc3: bars(20),
      roc4: bars(30),
      window_sma1: bars(10),
      window_sma2: bars(10),
      window_sma3: bars(10),
      window_sma4: bars(15),
      nsig: bars(9),
    },
    lines: (p) => {
      const windows = [p.window_sma1, p.window_sma2, p.window_sma3, p.window_sma4] as const;
      const [kst, signal] = KST([p.roc1, p.roc2, p.roc3, p.roc4], windows, p.nsig);
      return { kst, signal };
    },
    functions: {
      kst: line(
        'kst',
        'know sure thing',
        {
          roc1: 'roc1',
          roc2: 'roc2',
          roc3: 'roc3',
          roc4: 'roc4',
          n1: 'window_sma1',
          n2: 'window_sma2',
          n3: 'window_sma3',
          n4: 'window_sma4',
        },
        (...args) => Math.max(...[0, 1, 2, 3].map((k) => args[k] + args[k + 4])),
      ),
    },
  }),
  DPO: overBars({
    title: 'Detrended price oscillator',
    formula: 'DPO(n)[t] = C[t-(floor(n/2)+1)] - SMA(C,n)[t]',
    params: { window: bars(20) },
    lines: ({ window }) => ({ dpo: DETRENDED_PRICE(window) }),
    functions: { dpo: line('dpo', 'detrended price', n, next) },
  }),
  STC: overBars({
    title: 'Schaff trend cycle',
    formula:
      'm = EMA(C,window_fast)-EMA(C,window_slow); K = 100*(m-min)/(max-min) of m over cycle bars; D = EMA(K,smooth1); KD = 100*(D-min)/(max-min) of D over cycle bars; STC = EMA(KD,smooth2); 0/0 is NaN and the EMA gap rule applies',
    params: { ...fastSlow(23, 50), cycle: bars(10), smooth1: bars(3), smooth2: bars(3) },
    lines: (p) => ({ stc: SCHAFF(p.window_slow, p.window_fast, p.cycle, p.smooth1, p.smooth2) }),
    functions: {
      stc: line(
        'stc',
        'Schaff trend cycle',
        { ...slowAndFast, cycle: 'cycle', smooth1: 'smooth1', smooth2: 'smooth2' },
        (slow, fast, cycle, smooth1, smooth2) => Math.max(slow, fast) + 2 * cycle + smooth1 + smooth2 - 4,
      ),
    },
  }),
  MASS: overBars({
    title: 'Mass index',
    formula: 'MI = rolling sum over window_slow of E1/E2, E1 = EMA(H-L,window_fast), E2 = EMA(E1,window_fast)',
    params: fastSlow(9, 25),
    lines: (p) => ({ mass: MASS(p.window_fast, p.window_slow) }),
    functions: { mass: line('mass', 'mass index', fastAndSlow, (fast, slow) => 2 * fast + slow - 2) },
  }),
  ICHIMOKU: overBars({
    title: 'Ichimoku cloud',
    formula:
      'mid(n)[t] = (max(H[t-n+1..t])+min(L[t-n+1..t]))/2; tenkan = mid(window_tenkan), kijun = mid(window_kijun), span_a = (tenkan+kijun)/2, span_b = mid(window_senkou); spans are NOT displaced forward',
    params: { window_tenkan: bars(9), window_kijun: bars(26), window_senkou: bars(52) },
    lines: (p) => {
      const { tenkan, kijun, spanA, spanB } = ICHIMOKU(p.window_tenkan, p.window_kijun, p.window_senkou);
      return { tenkan, kijun, span_a: spanA, span_b: spanB };
    },
    functions: {
      midpoint: line('tenkan', 'middle of the range of n bars, as the Ichimoku lines', { n: 'window_tenkan' }, self),
      span_a: line(
        'span_a',
        'first span of the Ichimoku cloud',
        { tenkan: 'window_tenkan', kijun: 'window_kijun' },
        longer,
      ),
    },
  }),
} as const;
