import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { KAMA, MAMA } from '../../engine/indicators/adaptive.js';
import { medianPrice } from '../../engine/indicators/arithmetic.js';
import { HEIKIN_ASHI } from '../../engine/indicators/candles.js';
import { type Column, close, high, volume } from '../../engine/indicators/column.js';
import { ADX, AROON, ATR_STOP, PSAR, SUPERTREND, VORTEX } from '../../engine/indicators/directional.js';
import { Frame } from '../../engine/indicators/frame.js';
import { ALMA, DEMA, HMA, T3, TEMA, TRIMA, TRIX, VWAP, VWMA } from '../../engine/indicators/moving-averages.js';
import {
  AWESOME,
  BALANCE_OF_POWER,
  CCI,
  CHANDE_MOMENTUM,
  DETRENDED_PRICE,
  EMA_DIFFERENCE,
  FORCE,
  ICHIMOKU,
  KST,
  MACD,
  MASS,
  PERCENT_OSCILLATOR,
  ROC,
  RSI,
  SCHAFF,
  STOCH_RSI,
  STOCHASTIC,
  TSI,
  ULTIMATE,
  WILLIAMS_R,
} from '../../engine/indicators/oscillators.js';
import { MAX, SMA } from '../../engine/indicators/rolling.js';
import { EMA, RMA } from '../../engine/indicators/smoothing.js';
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
import { ADI, ADOSC, CMF, EASE_OF_MOVEMENT, KLINGER, MFI, NVI, OBV, VPT } from '../../engine/indicators/volume.js';
import { EPMA, WMA } from '../../engine/indicators/weighted.js';
import { allocateBars } from '../../engine/series/bars.js';
import { goldenPath } from './tree.js';

/**
 * 120 generated bars, and for each indicator the first bar with a value and the value on the last
 * bar.
 */
interface Golden {
  readonly bars: Readonly<Record<'open' | 'high' | 'low' | 'close' | 'volume', number[]>>;
  readonly values: readonly { series: string; params: number[]; first: number; value: number }[];
}

const golden: Golden = JSON.parse(readFileSync(goldenPath('check-values.json'), 'utf8'));

/**
 * The expression of each series of the golden file in the engine. The condition reads a lag, the
 * column does not.
 */
const columns: Record<string, (...params: number[]) => Column | { column: Column; lag: number }> = {
  SMA: (n) => SMA(close, n),
  EMA: (n) => EMA(close, n),
  RMA: (n) => RMA(close, n),
  WMA: (n) => WMA(close, n),
  DEMA: (n) => DEMA(close, n),
  TEMA: (n) => TEMA(close, n),
  TRIMA: (n) => TRIMA(close, n),
  EPMA: (n) => EPMA(close, n),
  HMA: (n) => HMA(close, n),
  ALMA: (n, offset, sigma) => ALMA(close, n, offset, sigma),
  T3: (n, v) => T3(close, n, v),
  KAMA: (n, p1, p2) => KAMA(close, n, p1, p2),
  MAMA: (fast, slow, warmup) => MAMA(fast, slow, warmup)[0],
  FAMA: (fast, slow, warmup) => MAMA(fast, slow, warmup)[1],
  RSI: (n) => RSI(close, n),
  '%K': (n) => STOCHASTIC(n),
  WR: (n) => WILLIAMS_R(n),
  TSI: (slow, fast) => TSI(slow, fast),
  UO: (a, b, c) => ULTIMATE(a, b, c),
  ROC: (n) => ROC(n),
  AO: (fast, slow) => AWESOME(fast, slow),
  StochRSI: (n) => STOCH_RSI(n),
  PPO: (fast, slow) => PERCENT_OSCILLATOR(close, fast, slow),
  'PPO signal': (fast, slow, sign) => EMA(PERCENT_OSCILLATOR(close, fast, slow), sign),
  PVO: (fast, slow) => PERCENT_OSCILLATOR(volume, fast, slow),
  BOP: () => BALANCE_OF_POWER,
  CMO: (n) => CHANDE_MOMENTUM(n),
  MACD: (fast, slow) => EMA_DIFFERENCE(close, fast, slow),
  'MACD signal': (fast, slow, sign) => MACD(fast, slow, sign)[1],
  ADX: (n) => ADX(n)[2],
  '+DI': (n) => ADX(n)[0],
  '-DI': (n) => ADX(n)[1],
  'Aroon up': (n) => AROON(n)[0],
  'Aroon down': (n) => AROON(n)[1],
  TRIX: (n) => TRIX(close, n),
  'Mass index': (fast, slow) => MASS(fast, slow),
  tenkan: (a, b, c) => ICHIMOKU(a, b, c).tenkan,
  span_a: (a, b, c) => ICHIMOKU(a, b, c).spanA,
  span_b: (a, b, c) => ICHIMOKU(a, b, c).spanB,
  KST: (a, b, c, d, e, f, g, h) => KST([a, b, c, d], [e, f, g, h], 1)[0],
  'KST signal': (a, b, c, d, e, f, g, h, sign) => KST([a, b, c, d], [e, f, g, h], sign)[1],
  DPO: (n) => DETRENDED_PRICE(n),
  CCI: (n, constant) => CCI(n, constant),
  'VI+': (n) => VORTEX(n)[0],
  'VI-': (n) => VORTEX(n)[1],
  SAR: (step, max) => PSAR(step, max),
  STC: (slow, fast, cycle, s1, s2) => SCHAFF(slow, fast, cycle, s1, s2),
  'HA close': () => HEIKIN_ASHI[0],
  'HA open': () => HEIKIN_ASHI[1],
  high_offset: (n, m) => CHANDELIER(n, m).highOffset,
  low_offset: (n, m) => CHANDELIER(n, m).lowOffset,
  'alligator jaw': (n, lag) => ({ column: RMA(medianPrice, n), lag }),
  'SuperTrend dir': (n, m) => SUPERTREND(ATR(n), n, m),
  'ATR-stop dir': (n, m) => ATR_STOP(ATR(n), n, m),
  'squeeze momentum': (n) => TTM_MOMENTUM(n),
  ATR: (n) => ATR(n),
  NATR: (n) => NATR(n),
  'BB upper': (n, k) => BOLLINGER(n, k).upper,
  'BB width': (n, k) => BOLLINGER(n, k).width,
  'KC upper': (n, atr, m) => KELTNER(n, atr, m)[0],
  'KC upper original': (n) => KELTNER_ORIGINAL(n)[0],
  'Donchian U': (n) => ({ column: MAX(high, n), lag: 1 }),
  Ulcer: (n) => ULCER(n),
  'volatility stop upper': (n, m) => VOLATILITY_STOP(n, m)[0],
  ADI: () => ADI,
  OBV: () => OBV,
  CMF: (n) => CMF(n),
  Force: (n) => FORCE(volume, n),
  EOM: () => EASE_OF_MOVEMENT,
  VPT: () => VPT,
  NVI: (n = 255) => NVI(n)[0],
  'NVI line': (n) => NVI(n)[1],
  MFI: (n) => MFI(n),
  VWAP: (n) => VWAP(n),
  VWMA: (n) => VWMA(n),
  ADOSC: (fast, slow) => ADOSC(fast, slow),
  KVO: (fast, slow) => KLINGER(fast, slow, 13)[0],
  'KVO signal': (fast, slow, sign) => KLINGER(fast, slow, sign)[1],
};

const bars = allocateBars(golden.bars.close.length, 3_600_000);
for (const name of ['open', 'high', 'low', 'close', 'volume'] as const) bars[name].set(golden.bars[name]);
const frame = Frame.of(bars);

/** The series that have a column here; the golden file must name the same. */
export const seriesWithColumn: readonly string[] = Object.keys(columns);

/**
 * Every series of the golden file as its column. `assertRight` compares the column over the
 * generated bars with the file.
 */
export const checkValues = golden.values.map(({ series, params, first, value }) => {
  const asked = columns[series](...params);
  const { column, lag } = 'lag' in asked ? asked : { column: asked, lag: 0 };
  const assertRight = (): void => {
    const values = frame.column(column);
    assert.equal(values.findIndex((entry) => !Number.isNaN(entry)) + lag, first);
    const actual = values[values.length - 1 - lag];
    assert.ok(
      Math.abs(actual - value) <= 1e-9 * Math.abs(value) + 5e-10 * Math.max(1, Math.abs(value)),
      `${series} ${JSON.stringify(params)}: ${actual} against ${value}`,
    );
  };
  return { series, params, column, assertRight };
});
