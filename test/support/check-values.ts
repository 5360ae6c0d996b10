import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { KAMA, MAMA } from '../../engine/indicators/adaptive.js';
import { medianPrice } from '../../engine/indicators/arithmetic.js';
import { HEIKIN_ASHI } from '../../engine/indicators/candles.js';
import { type Column, close, high, volume } from '../../engine/indicators/column.js';
import {
  DETRENDED_PRICE,
  EMA_DIFFERENCE,
  ICHIMOKU,
  KST,
  MACD,
  MASS,
  PERCENT_OSCILLATOR,
  SCHAFF,
} from '../../engine/indicators/differences.js';
import { ADX, AROON, VORTEX } from '../../engine/indicators/directional.js';
import { Frame } from '../../engine/indicators/frame.js';
import { ALMA, DEMA, HMA, T3, TEMA, TRIMA, TRIX, VWAP, VWMA } from '../../engine/indicators/moving-averages.js';
import {
  AWESOME,
  BALANCE_OF_POWER,
  CCI,
  CHANDE_MOMENTUM,
  ROC,
  RSI,
  STOCH_RSI,
  STOCHASTIC,
  TSI,
  ULTIMATE,
  WILLIAMS_R,
} from '../../engine/indicators/oscillators.js';
import { MAX, SMA } from '../../engine/indicators/rolling.js';
import { EMA, RMA } from '../../engine/indicators/smoothing.js';
import { ATR_STOP, PSAR, SUPERTREND } from '../../engine/indicators/trailing-stops.js';
import {
  ATR,
  BOLLINGER,
  CHANDELIER,
  KELTNER,
  KELTNER_ORIGINAL,
  NATR,
  TTM_MOMENTUM,
  ULCER,
  VOLATILITY_STOP,
} from '../../engine/indicators/volatility.js';
import {
  ADI,
  ADOSC,
  CMF,
  EASE_OF_MOVEMENT,
  FORCE,
  KLINGER,
  MFI,
  NVI,
  OBV,
  VPT,
} from '../../engine/indicators/volume.js';
import { EPMA, WMA } from '../../engine/indicators/weighted.js';
import { allocateBars } from '../../engine/series/bars.js';
import * as ind from '../reference/indicators.js';
import { goldenPath } from './tree.js';

/**
 * 120 generated bars, and for each indicator the first bar with a value and the value on the last
 * bar.
 */
interface Golden {
  readonly generator: Readonly<Record<'seed' | 'multiplier' | 'modulus' | 'bars', number>>;
  readonly bars: Readonly<Record<'open' | 'high' | 'low' | 'close' | 'volume', number[]>>;
  readonly values: readonly { series: string; params: number[]; first: number; value: number }[];
  /** Averages of columns with missing cells. */
  readonly gaps: {
    readonly window: number;
    readonly examples: readonly Readonly<Record<'values' | 'ema', readonly (number | null)[]>>[];
  };
}

export const golden: Golden = JSON.parse(readFileSync(goldenPath('check-values.json'), 'utf8'));

const { open: O, high: H, low: L, close: C, volume: V } = golden.bars;

/** The indicators that were timed in C: the bench compares each series with the nearest of them. */
export type TimedInC =
  | 'SMA 20'
  | 'EMA 20'
  | 'RSI 14' // one recursion or sum for gains and one for losses
  | 'ATR 14'
  | 'MACD 12/26/9' // three averages, one of another
  | 'Bollinger 20'
  | 'Stochastic 14/3/3'
  | 'ADX 14'
  | 'rolling max 20'
  | 'rolling stddev 20'; // two sums over the same window

/**
 * A series of the golden file: its nearest relative, which reads its bars in the same way and as
 * often; its column in the engine; its values from the definition. A condition reads the series
 * `lag` bars late, its column does not.
 */
type Row = readonly [
  relative: TimedInC,
  column: (...params: number[]) => Column | { column: Column; lag: number },
  naive: (...params: number[]) => number[],
];

const table: Readonly<Record<string, Row>> = {
  SMA: ['SMA 20', (n) => SMA(close, n), (n) => ind.sma(C, n)],
  EMA: ['EMA 20', (n) => EMA(close, n), (n) => ind.ema(C, n)],
  RMA: ['EMA 20', (n) => RMA(close, n), (n) => ind.rma(C, n)],
  WMA: ['rolling stddev 20', (n) => WMA(close, n), (n) => ind.wma(C, n)],
  DEMA: ['EMA 20', (n) => DEMA(close, n), (n) => ind.dema(C, n)],
  TEMA: ['MACD 12/26/9', (n) => TEMA(close, n), (n) => ind.tema(C, n)],
  TRIMA: ['SMA 20', (n) => TRIMA(close, n), (n) => ind.trima(C, n)],
  EPMA: ['rolling stddev 20', (n) => EPMA(close, n), (n) => ind.epma(C, n)],
  HMA: ['rolling stddev 20', (n) => HMA(close, n), (n) => ind.hma(C, n)],
  ALMA: [
    'rolling stddev 20',
    (n, offset, sigma) => ALMA(close, n, offset, sigma),
    (n, offset, sigma) => ind.alma(C, n, offset, sigma),
  ],
  T3: ['MACD 12/26/9', (n, v) => T3(close, n, v), (n, v) => ind.t3(C, n, v)],
  KAMA: ['RSI 14', (n, p1, p2) => KAMA(close, n, p1, p2), (n, pow1, pow2) => ind.kama(C, n, pow1, pow2)],
  MAMA: [
    'ADX 14',
    (fast, slow, warmup) => MAMA(fast, slow, warmup)[0],
    (fast, slow, warmup) => ind.mama(ind.medianPrice(H, L), fast, slow, warmup).mama,
  ],
  FAMA: [
    'ADX 14',
    (fast, slow, warmup) => MAMA(fast, slow, warmup)[1],
    (fast, slow, warmup) => ind.mama(ind.medianPrice(H, L), fast, slow, warmup).fama,
  ],
  RSI: ['RSI 14', (n) => RSI(close, n), (n) => ind.rsi(C, n)],
  '%K': ['Stochastic 14/3/3', (n) => STOCHASTIC(n), (n) => ind.stochK(H, L, C, n)],
  WR: ['Stochastic 14/3/3', (n) => WILLIAMS_R(n), (n) => ind.williamsR(H, L, C, n)],
  TSI: ['RSI 14', (slow, fast) => TSI(slow, fast), (slow, fast) => ind.tsi(C, slow, fast)],
  UO: [
    'Stochastic 14/3/3',
    (a, b, c) => ULTIMATE(a, b, c),
    (short, medium, long) => ind.ultimate(H, L, C, short, medium, long),
  ],
  ROC: ['SMA 20', (n) => ROC(n), (n) => ind.roc(C, n)],
  AO: ['MACD 12/26/9', (fast, slow) => AWESOME(fast, slow), (fast, slow) => ind.awesome(H, L, fast, slow)],
  StochRSI: ['Stochastic 14/3/3', (n) => STOCH_RSI(n), (n) => ind.stochRsi(C, n).value],
  PPO: [
    'MACD 12/26/9',
    (fast, slow) => PERCENT_OSCILLATOR(close, fast, slow),
    (fast, slow) => ind.percentOscillator(C, fast, slow, 1).line,
  ],
  'PPO signal': [
    'MACD 12/26/9',
    (fast, slow, sign) => EMA(PERCENT_OSCILLATOR(close, fast, slow), sign),
    (fast, slow, sign) => ind.percentOscillator(C, fast, slow, sign).signal,
  ],
  PVO: [
    'MACD 12/26/9',
    (fast, slow) => PERCENT_OSCILLATOR(volume, fast, slow),
    (fast, slow) => ind.percentOscillator(V, fast, slow, 1).line,
  ],
  BOP: ['SMA 20', () => BALANCE_OF_POWER, () => ind.bop(O, H, L, C)],
  CMO: ['RSI 14', (n) => CHANDE_MOMENTUM(n), (n) => ind.cmo(C, n)],
  MACD: [
    'MACD 12/26/9',
    (fast, slow) => EMA_DIFFERENCE(close, fast, slow),
    (fast, slow) => ind.macd(C, fast, slow, 1).line,
  ],
  'MACD signal': [
    'MACD 12/26/9',
    (fast, slow, sign) => MACD(fast, slow, sign)[1],
    (fast, slow, sign) => ind.macd(C, fast, slow, sign).signal,
  ],
  ADX: ['ADX 14', (n) => ADX(n)[2], (n) => ind.adx(H, L, C, n).adx],
  '+DI': ['ADX 14', (n) => ADX(n)[0], (n) => ind.adx(H, L, C, n).plus],
  '-DI': ['ADX 14', (n) => ADX(n)[1], (n) => ind.adx(H, L, C, n).minus],
  'Aroon up': ['rolling max 20', (n) => AROON(n)[0], (n) => ind.aroon(H, L, n).up],
  'Aroon down': ['rolling max 20', (n) => AROON(n)[1], (n) => ind.aroon(H, L, n).down],
  TRIX: ['MACD 12/26/9', (n) => TRIX(close, n), (n) => ind.trix(C, n)],
  'Mass index': ['MACD 12/26/9', (fast, slow) => MASS(fast, slow), (fast, slow) => ind.massIndex(H, L, fast, slow)],
  tenkan: ['rolling max 20', (a, b, c) => ICHIMOKU(a, b, c).tenkan, (t, k, s) => ind.ichimoku(H, L, t, k, s).tenkan],
  span_a: ['rolling max 20', (a, b, c) => ICHIMOKU(a, b, c).spanA, (t, k, s) => ind.ichimoku(H, L, t, k, s).spanA],
  span_b: ['rolling max 20', (a, b, c) => ICHIMOKU(a, b, c).spanB, (t, k, s) => ind.ichimoku(H, L, t, k, s).spanB],
  KST: [
    'Stochastic 14/3/3',
    (a, b, c, d, e, f, g, h) => KST([a, b, c, d], [e, f, g, h], 1)[0],
    (...p) => ind.kst(C, p.slice(0, 4), p.slice(4, 8), 1).line,
  ],
  'KST signal': [
    'Stochastic 14/3/3',
    (a, b, c, d, e, f, g, h, sign) => KST([a, b, c, d], [e, f, g, h], sign)[1],
    (...p) => ind.kst(C, p.slice(0, 4), p.slice(4, 8), p[8]).signal,
  ],
  DPO: ['SMA 20', (n) => DETRENDED_PRICE(n), (n) => ind.dpo(C, n)],
  CCI: ['Bollinger 20', (n, constant) => CCI(n, constant), (n, constant) => ind.cci(H, L, C, n, constant)],
  'VI+': ['ADX 14', (n) => VORTEX(n)[0], (n) => ind.vortex(H, L, C, n).plus],
  'VI-': ['ADX 14', (n) => VORTEX(n)[1], (n) => ind.vortex(H, L, C, n).minus],
  SAR: ['ADX 14', (step, max) => PSAR(step, max), (step, most) => ind.psar(H, L, C, step, most)],
  STC: [
    'Stochastic 14/3/3',
    (slow, fast, cycle, s1, s2) => SCHAFF(slow, fast, cycle, s1, s2),
    (slow, fast, cycle, s1, s2) => ind.stc(C, slow, fast, cycle, s1, s2).value,
  ],
  'HA close': ['EMA 20', () => HEIKIN_ASHI[0], () => ind.heikinAshi(O, H, L, C).close],
  'HA open': ['EMA 20', () => HEIKIN_ASHI[1], () => ind.heikinAshi(O, H, L, C).open],
  high_offset: [
    'rolling max 20',
    (n, m) => CHANDELIER(n, m).highOffset,
    (n, m) => ind.chandelier(H, L, C, n, m).highOffset,
  ],
  low_offset: [
    'rolling max 20',
    (n, m) => CHANDELIER(n, m).lowOffset,
    (n, m) => ind.chandelier(H, L, C, n, m).lowOffset,
  ],
  'alligator jaw': [
    'EMA 20',
    (n, lag) => ({ column: RMA(medianPrice, n), lag }),
    (n, offset) => ind.alligatorLine(H, L, n, offset),
  ],
  'SuperTrend dir': ['ATR 14', (n, m) => SUPERTREND(ATR(n), n, m), (n, m) => ind.superTrend(H, L, C, n, m).dir],
  'ATR-stop dir': ['ATR 14', (n, m) => ATR_STOP(ATR(n), n, m), (n, m) => ind.atrStop(H, L, C, n, m).dir],
  'squeeze momentum': ['rolling max 20', (n) => TTM_MOMENTUM(n), (n) => ind.squeezeMomentum(H, L, C, n)],
  ATR: ['ATR 14', (n) => ATR(n), (n) => ind.atr(H, L, C, n)],
  NATR: ['ATR 14', (n) => NATR(n), (n) => ind.natr(H, L, C, n)],
  'BB upper': ['Bollinger 20', (n, k) => BOLLINGER(n, k).upper, (n, k) => ind.bollinger(C, n, k).upper],
  'BB width': ['Bollinger 20', (n, k) => BOLLINGER(n, k).width, (n, k) => ind.bollingerWidth(C, n, k)],
  'KC upper': [
    'ATR 14',
    (n, atr, m) => KELTNER(n, atr, m)[0],
    (n, atrWindow, m) => ind.keltner(H, L, C, n, atrWindow, m).upper,
  ],
  'KC upper original': ['SMA 20', (n) => KELTNER_ORIGINAL(n)[0], (n) => ind.keltnerOriginal(H, L, C, n).upper],
  'Donchian U': ['rolling max 20', (n) => ({ column: MAX(high, n), lag: 1 }), (n) => ind.donchian(H, L, n).upper],
  Ulcer: ['Bollinger 20', (n) => ULCER(n), (n) => ind.ulcer(C, n)],
  'volatility stop upper': [
    'Bollinger 20',
    (n, m) => VOLATILITY_STOP(n, m)[0],
    (n, m) => ind.volatilityStop(C, n, m).upper,
  ],
  ADI: ['ATR 14', () => ADI, () => ind.adi(H, L, C, V)],
  OBV: ['EMA 20', () => OBV, () => ind.obv(C, V)],
  CMF: ['rolling stddev 20', (n) => CMF(n), (n) => ind.cmf(H, L, C, V, n)],
  Force: ['EMA 20', (n) => FORCE(n), (n) => ind.force(C, V, n)],
  EOM: ['ATR 14', () => EASE_OF_MOVEMENT, () => ind.eom(H, L, V)],
  VPT: ['EMA 20', () => VPT, () => ind.vpt(C, V)],
  NVI: ['EMA 20', (n = 255) => NVI(n)[0], () => ind.nvi(C, V)],
  'NVI line': ['EMA 20', (n) => NVI(n)[1], (n) => ind.nviLine(C, V, n)],
  MFI: ['RSI 14', (n) => MFI(n), (n) => ind.mfi(H, L, C, V, n)],
  VWAP: ['rolling stddev 20', (n) => VWAP(n), (n) => ind.vwap(H, L, C, V, n)],
  VWMA: ['rolling stddev 20', (n) => VWMA(n), (n) => ind.vwma(C, V, n)],
  ADOSC: ['MACD 12/26/9', (fast, slow) => ADOSC(fast, slow), (fast, slow) => ind.adosc(H, L, C, V, fast, slow)],
  KVO: [
    'MACD 12/26/9',
    (fast, slow) => KLINGER(fast, slow, 13)[0],
    (fast, slow) => ind.kvo(H, L, C, V, fast, slow, 1).line,
  ],
  'KVO signal': [
    'MACD 12/26/9',
    (fast, slow, sign) => KLINGER(fast, slow, sign)[1],
    (fast, slow, sign) => ind.kvo(H, L, C, V, fast, slow, sign).signal,
  ],
};

const bars = allocateBars(golden.bars.close.length, 3_600_000);
for (const name of ['open', 'high', 'low', 'close', 'volume'] as const) bars[name].set(golden.bars[name]);
const frame = Frame.of(bars);

/** The series that stand in the table; the golden file must name the same. */
export const seriesInTable: readonly string[] = Object.keys(table);

/**
 * Every value of the golden file with its series. `assertRight` compares the column over the
 * generated bars, and the naive series over the same bars, with the value.
 */
export const checkValues = golden.values.map(({ series, params, first, value }) => {
  const row = table[series];
  if (!row) throw new Error(`${series} is not in the table of check values`);
  const [relative, columnOf, naiveOf] = row;
  const asked = columnOf(...params);
  const { column, lag } = 'lag' in asked ? asked : { column: asked, lag: 0 };
  const assertRight = (): void => {
    const values = frame.column(column);
    const naive = naiveOf(...params);
    assert.equal(naive.length, values.length);
    const firstOf = (line: ArrayLike<number>) => Array.from(line).findIndex((entry) => !Number.isNaN(entry));
    assert.deepEqual([firstOf(values) + lag, firstOf(naive)], [first, first], 'first value');
    assert.ok(!naive.slice(first).some(Number.isNaN), 'no gap afterwards');
    for (const actual of [values[values.length - 1 - lag], naive[naive.length - 1]]) {
      assert.ok(
        Math.abs(actual - value) <= 1e-9 * Math.abs(value) + 5e-10 * Math.max(1, Math.abs(value)),
        `${series} ${JSON.stringify(params)}: ${actual} against ${value}`,
      );
    }
  };
  return { series, params, value, relative, column, assertRight };
});
