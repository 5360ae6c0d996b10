import { KAMA, MAMA } from '../indicators/adaptive.js';
import { barRange, CHANGE, GROWTH, medianPrice, SHIFT } from '../indicators/arithmetic.js';
import { body, HEIKIN_ASHI, lowerWick, upperWick } from '../indicators/candles.js';
import type { IndicatorName } from '../indicators/catalogue.js';
import { type Column, close, high, low, volume } from '../indicators/column.js';
import { ADX, AROON, ATR_STOP, PSAR, SUPERTREND, VORTEX } from '../indicators/directional.js';
import { SWING_HIGH, SWING_LOW } from '../indicators/divergence.js';
import { HIGHER_TIMEFRAME_SLOPE } from '../indicators/higher-timeframe.js';
import * as average from '../indicators/moving-averages.js';
import * as oscillator from '../indicators/oscillators.js';
import {
  float,
  int,
  type ParamSpecs,
  type ParamValues,
  risingList,
  timeframe,
  type ValuesOf,
} from '../indicators/params.js';
import { MAX, MIN, SMA } from '../indicators/rolling.js';
import { EMA, RMA } from '../indicators/smoothing.js';
import * as range from '../indicators/volatility.js';
import * as flow from '../indicators/volume.js';
import { EPMA, WMA } from '../indicators/weighted.js';
import { parseInterval } from '../series/intervals.js';

/** How the lines of an indicator are computed over columns that a caller supplies. */
export interface Calculator {
  readonly params: ParamSpecs;
  /** Whether it reads one column that the caller may choose; others read those of the bars. */
  readonly takesColumn: boolean;
  /** Its lines by name, in the order of answers. */
  readonly lines: (params: ParamValues, x: Column) => Readonly<Record<string, Column>>;
}

/** Windows of loops whose cost a bar does not depend on the window. */
const WINDOW_MAX = 2_000;
/** Windows of loops that read the whole window on every bar. */
const READ_WINDOW_MAX = 200;

const bars = (usual: number, min = 1, max = WINDOW_MAX) => int(min, max, usual);
const n = (usual: number, min = 1, max = WINDOW_MAX) => ({ window: bars(usual, min, max) });
const fastSlow = (fast: number, slow: number) => ({ window_fast: bars(fast), window_slow: bars(slow) });
const withSignal = (fast: number, slow: number, sign: number) => ({ ...fastSlow(fast, slow), window_sign: bars(sign) });
const channel = (usual: number, atr: number, multiplier: number) => ({
  window: bars(usual),
  window_atr: bars(atr),
  multiplier: float(0, 100, multiplier),
});

function over<const P extends ParamSpecs>(
  params: P,
  lines: (params: ValuesOf<P>, x: Column) => Readonly<Record<string, Column>>,
): Calculator {
  return { params, takesColumn: true, lines: (values, x) => lines(values as ValuesOf<P>, x) };
}

function of<const P extends ParamSpecs>(
  params: P,
  lines: (params: ValuesOf<P>) => Readonly<Record<string, Column>>,
): Calculator {
  return { params, takesColumn: false, lines: (values) => lines(values as ValuesOf<P>) };
}

/** A line over one column and one window. */
const single = (name: string, build: (x: Column, window: number) => Column, usual: number, min = 1): Calculator =>
  over(n(usual, min), ({ window }, x) => ({ [name]: build(x, window) }));

const upperLower = ([upper, lower]: readonly Column[]) => ({ upper, lower }) as Record<'upper' | 'lower', Column>;

const averages = {
  SMA: single('sma', SMA, 20),
  EMA: single('ema', EMA, 20),
  RMA: single('rma', RMA, 14),
  SMMA: single('smma', RMA, 14),
  WMA: single('wma', WMA, 20),
  EPMA: single('epma', EPMA, 20, 2),
  HMA: single('hma', average.HMA, 16, 2),
  DEMA: single('dema', average.DEMA, 20),
  TEMA: single('tema', average.TEMA, 20),
  TRIMA: single('trima', average.TRIMA, 20),
  TRIX: single('trix', average.TRIX, 15),
  T3: over({ window: bars(10), volume_factor: float(0, 1, 0.7) }, (p, x) => ({
    t3: average.T3(x, p.window, p.volume_factor),
  })),
  ALMA: over({ window: bars(21, 1, READ_WINDOW_MAX), offset: float(0, 1, 0.85), sigma: float(0.1, 20, 6) }, (p, x) => ({
    alma: average.ALMA(x, p.window, p.offset, p.sigma),
  })),
  KAMA: over({ window: bars(10), pow1: bars(2), pow2: bars(30) }, (p, x) => ({
    kama: KAMA(x, p.window, p.pow1, p.pow2),
  })),
  MAMA: of(
    { fast_limit: float(0.01, 1, 0.5), slow_limit: float(0.001, 1, 0.05), warmup_bars: bars(64, 6) },
    ({ fast_limit, slow_limit, warmup_bars }) => {
      const [mama, fama] = MAMA(fast_limit, slow_limit, warmup_bars);
      return { mama, fama };
    },
  ),
  VWMA: of(n(20), ({ window }) => ({ vwma: average.VWMA(window) })),
  VWAP: of(n(14), ({ window }) => ({ vwap: average.VWAP(window) })),
  RIBBON: over({ windows: risingList(2, 1000, [5, 8, 13, 21, 34, 55, 89, 144]) }, ({ windows }, x) =>
    Object.fromEntries(windows.map((window) => [`sma_${window}`, SMA(x, window)])),
  ),
  ALLIGATOR: of(
    {
      ...{ jaw: bars(13), teeth: bars(8), lips: bars(5) },
      ...{ jaw_offset: int(0, 200, 8), teeth_offset: int(0, 200, 5), lips_offset: int(0, 200, 3) },
    },
    (p) => ({
      jaw: SHIFT(RMA(medianPrice, p.jaw), p.jaw_offset),
      teeth: SHIFT(RMA(medianPrice, p.teeth), p.teeth_offset),
      lips: SHIFT(RMA(medianPrice, p.lips), p.lips_offset),
    }),
  ),
} satisfies Partial<Record<IndicatorName, Calculator>>;

const oscillators = {
  RSI: single('rsi', oscillator.RSI, 14),
  STOCH: of({ window: bars(14), smooth_window: bars(3) }, ({ window, smooth_window }) => {
    const k = oscillator.STOCHASTIC(window);
    return { k, d: SMA(k, smooth_window) };
  }),
  STOCHRSI: of(n(14), ({ window }) => ({ stochrsi: oscillator.STOCH_RSI(window) })),
  WILLR: of(n(14), ({ window }) => ({ williams_r: oscillator.WILLIAMS_R(window) })),
  TSI: of(fastSlow(13, 25), (p) => ({ tsi: oscillator.TSI(p.window_slow, p.window_fast) })),
  UO: of({ window_short: bars(7), window_medium: bars(14), window_long: bars(28) }, (p) => ({
    uo: oscillator.ULTIMATE(p.window_short, p.window_medium, p.window_long),
  })),
  ROC: over(n(12), ({ window }, x) => ({ roc: GROWTH(x, window, 100) })),
  MOM: over(n(10), ({ window }, x) => ({ mom: CHANGE(x, window) })),
  AO: of(fastSlow(5, 34), (p) => ({ ao: oscillator.AWESOME(p.window_fast, p.window_slow) })),
  APO: over(fastSlow(12, 26), (p, x) => ({ apo: oscillator.EMA_DIFFERENCE(x, p.window_fast, p.window_slow) })),
  PPO: over(withSignal(12, 26, 9), (p, x) =>
    withLine('ppo', oscillator.PERCENT_OSCILLATOR(x, p.window_fast, p.window_slow), p),
  ),
  PVO: of(withSignal(12, 26, 9), (p) =>
    withLine('pvo', oscillator.PERCENT_OSCILLATOR(volume, p.window_fast, p.window_slow), p),
  ),
  MACD: of(withSignal(12, 26, 9), (p) => {
    const [macd, signal, histogram] = oscillator.MACD(p.window_fast, p.window_slow, p.window_sign);
    return { macd, signal, histogram };
  }),
  BOP: of({}, () => ({ bop: oscillator.BALANCE_OF_POWER })),
  CMO: of(n(14), ({ window }) => ({ cmo: oscillator.CHANDE_MOMENTUM(window) })),
  CCI: of({ window: bars(20, 2, READ_WINDOW_MAX), constant: float(1e-6, 100, 0.015) }, (p) => ({
    cci: oscillator.CCI(p.window, p.constant),
  })),
  DPO: of(n(20), ({ window }) => ({ dpo: oscillator.DETRENDED_PRICE(window) })),
  KST: of(
    {
      ...{ roc1: bars(10), roc2: bars(15), roc3: bars(20), roc4: bars(30) },
      ...{ window_sma1: bars(10), window_sma2: bars(10), window_sma3: bars(10), window_sma4: bars(15), nsig: bars(9) },
    },
    (p) => {
      const windows = [p.window_sma1, p.window_sma2, p.window_sma3, p.window_sma4] as const;
      const [kst, signal] = oscillator.KST([p.roc1, p.roc2, p.roc3, p.roc4], windows, p.nsig);
      return { kst, signal };
    },
  ),
  STC: of({ ...fastSlow(23, 50), cycle: bars(10), smooth1: bars(3), smooth2: bars(3) }, (p) => ({
    stc: oscillator.SCHAFF(p.window_slow, p.window_fast, p.cycle, p.smooth1, p.smooth2),
  })),
  MASS: of(fastSlow(9, 25), (p) => ({ mass: oscillator.MASS(p.window_fast, p.window_slow) })),
  ICHIMOKU: of({ window_tenkan: bars(9), window_kijun: bars(26), window_senkou: bars(52) }, (p) => ({
    tenkan: oscillator.MIDPOINT(p.window_tenkan),
    kijun: oscillator.MIDPOINT(p.window_kijun),
    span_a: oscillator.ICHIMOKU(p.window_tenkan, p.window_kijun, p.window_senkou).spanA,
    span_b: oscillator.MIDPOINT(p.window_senkou),
  })),
} satisfies Partial<Record<IndicatorName, Calculator>>;

function withLine(name: string, line: Column, { window_sign }: { readonly window_sign: number }) {
  return { [name]: line, signal: EMA(line, window_sign) };
}

const trends = {
  ADX: of(n(14, 2), ({ window }) => {
    const [plus_di, minus_di, adx] = ADX(window);
    return { adx, plus_di, minus_di };
  }),
  AROON: of(n(25), ({ window }) => {
    const [up, down] = AROON(window);
    return { up, down };
  }),
  VORTEX: of(n(14), ({ window }) => {
    const [plus, minus] = VORTEX(window);
    return { plus, minus };
  }),
  PSAR: of({ step: float(0.0001, 1, 0.02), max_step: float(0.0001, 1, 0.2) }, (p) => ({
    psar: PSAR(p.step, p.max_step),
  })),
  SUPERTREND: of({ window: bars(10), multiplier: float(0, 100, 3) }, ({ window, multiplier }) => ({
    direction: SUPERTREND(range.ATR(window), window, multiplier),
  })),
  ATR_STOP: of({ window: bars(14), multiplier: float(0, 100, 3) }, ({ window, multiplier }) => ({
    direction: ATR_STOP(range.ATR(window), window, multiplier),
  })),
  HEIKINASHI: of({}, () => ({ close: HEIKIN_ASHI[0], open: HEIKIN_ASHI[1] })),
  CANDLE: of({}, () => ({ body, range: barRange, upper_wick: upperWick, lower_wick: lowerWick })),
  SWING: over({ swing_window: bars(5, 1, READ_WINDOW_MAX) }, ({ swing_window }, x) => ({
    low: SWING_LOW(x, swing_window),
    high: SWING_HIGH(x, swing_window),
  })),
  MTF_SLOPE: of(
    { higher_tf: timeframe(['5m', '15m', '30m', '1h', '4h', '1D', '1W'], '1W'), window: bars(10) },
    (p) => ({
      slope: HIGHER_TIMEFRAME_SLOPE(parseInterval(p.higher_tf), p.window),
    }),
  ),
} satisfies Partial<Record<IndicatorName, Calculator>>;

const volatilities = {
  TR: of({}, () => ({ true_range: range.trueRange })),
  ATR: of(n(14), ({ window }) => ({ atr: range.ATR(window) })),
  NATR: of(n(14), ({ window }) => ({ natr: range.NATR(window) })),
  BBANDS: of({ window: bars(20, 2), window_dev: float(0, 100, 2) }, ({ window, window_dev }) => {
    const { upper, lower, width } = range.BOLLINGER(window, window_dev);
    return { upper, middle: SMA(close, window), lower, width };
  }),
  KELTNER: of(channel(20, 10, 2), (p) => upperLower(range.KELTNER(p.window, p.window_atr, p.multiplier))),
  STARC: of(channel(20, 15, 2), (p) => upperLower(range.STARC(p.window, p.window_atr, p.multiplier))),
  DONCHIAN: of(n(20), ({ window }) => ({
    upper: SHIFT(MAX(high, window), 1),
    lower: SHIFT(MIN(low, window), 1),
  })),
  CHANDELIER: of({ window: bars(22), multiplier: float(0, 100, 3) }, ({ window, multiplier }) => {
    const { highOffset, lowOffset } = range.CHANDELIER(window, multiplier);
    return { high_offset: highOffset, low_offset: lowOffset };
  }),
  VOLSTOP: of({ window: bars(20, 2), multiplier: float(0, 100, 2) }, (p) =>
    upperLower(range.VOLATILITY_STOP(p.window, p.multiplier)),
  ),
  TTM: of(
    {
      ...{ bb_window: bars(20, 2), bb_std: float(0, 100, 2), kc_window: bars(20) },
      ...{ kc_atr_mult: float(0, 100, 1.5), mom_window: bars(12, 2) },
    },
    (p) => ({
      depth: range.TTM_SQUEEZE(p.bb_window, p.bb_std, p.kc_window, p.kc_atr_mult),
      momentum: range.TTM_MOMENTUM(p.mom_window),
    }),
  ),
  ULCER: of(n(14), ({ window }) => ({ ulcer: range.ULCER(window) })),
  RETURN: of({}, () => ({ return: flow.RETURN })),
  CUMRETURN: of({}, () => ({ cumulative_return: flow.CUMULATIVE_RETURN })),
} satisfies Partial<Record<IndicatorName, Calculator>>;

const volumes = {
  ADI: of({}, () => ({ adi: flow.ADI })),
  OBV: of({}, () => ({ obv: flow.OBV })),
  VPT: of({}, () => ({ vpt: flow.VPT })),
  EOM: of({}, () => ({ eom: flow.EASE_OF_MOVEMENT })),
  CMF: of(n(20), ({ window }) => ({ cmf: flow.CMF(window) })),
  MFI: of(n(14), ({ window }) => ({ mfi: flow.MFI(window) })),
  FORCE: of(n(13), ({ window }) => ({ force: oscillator.FORCE(volume, window) })),
  ADOSC: of({ fast: bars(3), slow: bars(10) }, ({ fast, slow }) => ({ adosc: flow.ADOSC(fast, slow) })),
  NVI: of(n(255), ({ window }) => {
    const [nvi, line] = flow.NVI(window);
    return { nvi, line };
  }),
  KVO: of({ fast: bars(34), slow: bars(55), signal_window: bars(13) }, (p) => {
    const [kvo, signal] = flow.KLINGER(p.fast, p.slow, p.signal_window);
    return { kvo, signal };
  }),
  /** Its one line holds the observations without the cells between them. */
  CLEAN: over({}, (_params, x) => ({ observations: x })),
} satisfies Partial<Record<IndicatorName, Calculator>>;

/** Every indicator of the catalogue, by family. */
export const calculators: Readonly<Record<IndicatorName, Calculator>> = {
  ...averages,
  ...oscillators,
  ...trends,
  ...volatilities,
  ...volumes,
};

const families = {
  average: averages,
  oscillator: oscillators,
  trend: trends,
  volatility: volatilities,
  volume: volumes,
};

/** What kind of indicator it is. */
type IndicatorFamily = keyof typeof families;
export const indicatorFamilies = Object.keys(families) as IndicatorFamily[];

// biome-ignore lint/style/noNonNullAssertion: the families together are the table
export const familyOf = (name: IndicatorName) => indicatorFamilies.find((family) => name in families[family])!;
