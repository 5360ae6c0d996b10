import { MAMA } from '../../indicators/adaptive.js';
import { LARGER, medianPrice, SMALLER } from '../../indicators/arithmetic.js';
import { HEIKIN_ASHI } from '../../indicators/candles.js';
import { type Column, close } from '../../indicators/column.js';
import { DETRENDED_PRICE, ICHIMOKU, KST, MACD, MASS, MIDPOINT, SCHAFF } from '../../indicators/differences.js';
import { ADX, AROON, VORTEX } from '../../indicators/directional.js';
import { RSI_DIVERGENCE } from '../../indicators/divergence.js';
import { HIGHER_TIMEFRAME_SLOPE } from '../../indicators/higher-timeframe.js';
import { ALMA, DEMA, HMA, T3, TEMA, TRIMA, TRIX } from '../../indicators/moving-averages.js';
import { CCI } from '../../indicators/oscillators.js';
import { SMA } from '../../indicators/rolling.js';
import { EMA, RMA } from '../../indicators/smoothing.js';
import { PSAR, SUPERTREND } from '../../indicators/trailing-stops.js';
import { ATR, CHANDELIER, TTM_MOMENTUM, TTM_SQUEEZE } from '../../indicators/volatility.js';
import { EPMA, WMA } from '../../indicators/weighted.js';
import { parseInterval } from '../../series/intervals.js';
import {
  above,
  ago,
  all,
  atLeast,
  atMost,
  below,
  byDirection,
  type Condition,
  crossesAbove,
  crossesBelow,
  noneOf,
  recently,
} from '../condition.js';
import type { Rules } from '../signal.js';

interface Mouth {
  readonly jaw: number;
  readonly teeth: number;
  readonly lips: number;
  readonly jaw_offset: number;
  readonly teeth_offset: number;
  readonly lips_offset: number;
}

/** The alligator's three lines, each read its own offset of bars earlier. */
const mouthLines = (mouth: Mouth) => ({
  jaw: ago(RMA(medianPrice, mouth.jaw), mouth.jaw_offset),
  teeth: ago(RMA(medianPrice, mouth.teeth), mouth.teeth_offset),
  lips: ago(RMA(medianPrice, mouth.lips), mouth.lips_offset),
});

const opensUp = (mouth: Mouth): Condition => {
  const { jaw, teeth, lips } = mouthLines(mouth);
  return all(above(lips, teeth), above(teeth, jaw));
};

const opensDown = (mouth: Mouth): Condition => {
  const { jaw, teeth, lips } = mouthLines(mouth);
  return all(below(lips, teeth), below(teeth, jaw));
};

const slope = (timeframe: string, window: number): Column => HIGHER_TIMEFRAME_SLOPE(parseInterval(timeframe), window);

/**
 * `window` + 1 completed buckets at any interval of the bars, and as many again for the average to
 * settle.
 */
const historyMs = ({ higher_tf, window }: { readonly higher_tf: string; readonly window: number }): number =>
  2 * (window + 1) * parseInterval(higher_tf);

const cloud = (edge: typeof LARGER, tenkan: number, kijun: number, senkou: number): Column => {
  const { spanA, spanB } = ICHIMOKU(tenkan, kijun, senkou);
  return edge(spanA, spanB);
};

const macdCross = (fast: number, slow: number, sign: number): readonly [line: Column, signal: Column] => {
  const [line, signal] = MACD(fast, slow, sign);
  return [line, signal];
};

/** Strict on both bars, unlike the crossings: a SAR that touches the close does not reverse. */
const flips = (before: typeof above, now: typeof above, step: number, maxStep: number): Condition => {
  const sar = PSAR(step, maxStep);
  return all(before(ago(sar, 1), ago(close, 1)), now(sar, close));
};

/** Compares every average with the next longer one. */
const stacked = (windows: readonly number[], relation: typeof above): Condition =>
  all(...windows.slice(1).map((longer, i) => relation(SMA(close, windows[i]), SMA(close, longer))));

const superTrend = (window: number, multiplier: number): Column => SUPERTREND(ATR(window), window, multiplier);

/** The squeeze was on one bar ago and is off now. */
const released = (depth: Column): Condition => all(above(ago(depth, 1), 0), atMost(depth, 0));

export const trend = {
  alligator_bullish: opensUp,
  alligator_bearish: opensDown,
  alligator_sleeping: (mouth) => noneOf(Object.values(mouthLines(mouth)), opensUp(mouth), opensDown(mouth)),
  chandelier_long_stop_hit: ({ window, multiplier }) => below(close, CHANDELIER(window, multiplier).highOffset),
  chandelier_short_stop_hit: ({ window, multiplier }) => above(close, CHANDELIER(window, multiplier).lowOffset),
  trix_bullish: ({ window, threshold }) => above(TRIX(close, window), threshold),
  trix_bearish: ({ window, threshold }) => below(TRIX(close, window), threshold),
  mass_reversal_signal: ({ window_fast, window_slow, threshold_high, threshold_low }) =>
    all(
      recently(10, above(MASS(window_fast, window_slow), threshold_high)),
      below(MASS(window_fast, window_slow), threshold_low),
    ),
  kst_bullish_cross: ({ roc1, roc2, roc3, roc4, window_sma1, window_sma2, window_sma3, window_sma4, nsig }) =>
    crossesAbove(...KST([roc1, roc2, roc3, roc4], [window_sma1, window_sma2, window_sma3, window_sma4], nsig)),
  kst_bearish_cross: ({ roc1, roc2, roc3, roc4, window_sma1, window_sma2, window_sma3, window_sma4, nsig }) =>
    crossesBelow(...KST([roc1, roc2, roc3, roc4], [window_sma1, window_sma2, window_sma3, window_sma4], nsig)),
  dpo_positive: ({ window }) => above(DETRENDED_PRICE(window), 0),
  dpo_negative: ({ window }) => below(DETRENDED_PRICE(window), 0),
  cci_overbought: ({ window, constant, threshold }) => above(CCI(window, constant), threshold),
  cci_oversold: ({ window, constant, threshold }) => below(CCI(window, constant), threshold),
  stc_overbought: ({ window_slow, window_fast, cycle, smooth1, smooth2, threshold }) =>
    above(SCHAFF(window_slow, window_fast, cycle, smooth1, smooth2), threshold),
  stc_oversold: ({ window_slow, window_fast, cycle, smooth1, smooth2, threshold }) =>
    below(SCHAFF(window_slow, window_fast, cycle, smooth1, smooth2), threshold),
  adx_strong_trend: ({ window, threshold }) => above(ADX(window)[2], threshold),
  adx_bullish_di: ({ window }) => above(ADX(window)[0], ADX(window)[1]),
  aroon_up_trend: ({ window, threshold }) => above(AROON(window)[0], threshold),
  aroon_down_trend: ({ window, threshold }) => above(AROON(window)[1], threshold),
  aroon_crossover: ({ window, direction }) =>
    byDirection(direction, {
      bullish: crossesAbove(...AROON(window)),
      bearish: crossesBelow(...AROON(window)),
    }),
  vortex_bullish: ({ window }) => above(...VORTEX(window)),
  vortex_bearish: ({ window }) => below(...VORTEX(window)),
  vortex_crossover: ({ window, direction }) =>
    byDirection(direction, {
      bullish: crossesAbove(...VORTEX(window)),
      bearish: crossesBelow(...VORTEX(window)),
    }),
  ema_cross_up: ({ window_fast, window_slow }) => crossesAbove(EMA(close, window_fast), EMA(close, window_slow)),
  ema_cross_down: ({ window_fast, window_slow }) => crossesBelow(EMA(close, window_fast), EMA(close, window_slow)),
  ema_crossover: ({ window_fast, window_slow, direction }) =>
    byDirection(direction, {
      bullish: crossesAbove(EMA(close, window_fast), EMA(close, window_slow)),
      bearish: crossesBelow(EMA(close, window_fast), EMA(close, window_slow)),
    }),
  price_above_ema: ({ window }) => above(close, EMA(close, window)),
  heikin_ashi_bullish: () => above(...HEIKIN_ASHI),
  heikin_ashi_bearish: () => below(...HEIKIN_ASHI),
  multi_tf_trend_bullish: {
    condition: ({ higher_tf, window, slope_threshold }) => above(slope(higher_tf, window), slope_threshold),
    historyMs,
  },
  multi_tf_trend_bearish: {
    condition: ({ higher_tf, window, slope_threshold }) => below(slope(higher_tf, window), -slope_threshold),
    historyMs,
  },
  ichimoku_bullish: {
    condition: ({ window_tenkan, window_kijun, window_senkou }) =>
      above(close, cloud(LARGER, window_tenkan, window_kijun, window_senkou)),
    asFormula: ({ window_tenkan, window_kijun, window_senkou }) =>
      `close > max(span_a(${window_tenkan}, ${window_kijun}), midpoint(${window_senkou}))`,
  },
  ichimoku_bearish: {
    condition: ({ window_tenkan, window_kijun, window_senkou }) =>
      below(close, cloud(SMALLER, window_tenkan, window_kijun, window_senkou)),
    asFormula: ({ window_tenkan, window_kijun, window_senkou }) =>
      `close < min(span_a(${window_tenkan}, ${window_kijun}), midpoint(${window_senkou}))`,
  },
  ichimoku_tk_cross: {
    condition: ({ window_tenkan, window_kijun, direction }) =>
      byDirection(direction, {
        bullish: crossesAbove(MIDPOINT(window_tenkan), MIDPOINT(window_kijun)),
        bearish: crossesBelow(MIDPOINT(window_tenkan), MIDPOINT(window_kijun)),
      }),
    asFormula: ({ window_tenkan, window_kijun, direction }) =>
      `crosses_${direction === 'bearish' ? 'below' : 'above'}(midpoint(${window_tenkan}), midpoint(${window_kijun}))`,
  },
  macd_bullish_cross: ({ window_fast, window_slow, window_sign }) =>
    crossesAbove(...macdCross(window_fast, window_slow, window_sign)),
  macd_bearish_cross: ({ window_fast, window_slow, window_sign }) =>
    crossesBelow(...macdCross(window_fast, window_slow, window_sign)),
  macd_positive: ({ window_fast, window_slow, window_sign }) =>
    above(MACD(window_fast, window_slow, window_sign)[2], 0),
  is_above_mama: ({ fast_limit, slow_limit, warmup_bars }) =>
    above(close, MAMA(fast_limit, slow_limit, warmup_bars)[0]),
  mama_cross_up: ({ fast_limit, slow_limit, warmup_bars }) =>
    crossesAbove(...MAMA(fast_limit, slow_limit, warmup_bars)),
  mama_cross_down: ({ fast_limit, slow_limit, warmup_bars }) =>
    crossesBelow(...MAMA(fast_limit, slow_limit, warmup_bars)),
  is_above_dema: ({ window }) => above(close, DEMA(close, window)),
  dema_cross_up: ({ window_fast, window_slow }) => crossesAbove(DEMA(close, window_fast), DEMA(close, window_slow)),
  dema_cross_down: ({ window_fast, window_slow }) => crossesBelow(DEMA(close, window_fast), DEMA(close, window_slow)),
  is_above_tema: ({ window }) => above(close, TEMA(close, window)),
  tema_cross_up: ({ window_fast, window_slow }) => crossesAbove(TEMA(close, window_fast), TEMA(close, window_slow)),
  tema_cross_down: ({ window_fast, window_slow }) => crossesBelow(TEMA(close, window_fast), TEMA(close, window_slow)),
  is_above_trima: ({ window }) => above(close, TRIMA(close, window)),
  trima_cross_up: ({ window_fast, window_slow }) => crossesAbove(TRIMA(close, window_fast), TRIMA(close, window_slow)),
  trima_cross_down: ({ window_fast, window_slow }) =>
    crossesBelow(TRIMA(close, window_fast), TRIMA(close, window_slow)),
  is_above_smma: ({ window }) => above(close, RMA(close, window)),
  smma_cross_up: ({ window_fast, window_slow }) => crossesAbove(RMA(close, window_fast), RMA(close, window_slow)),
  smma_cross_down: ({ window_fast, window_slow }) => crossesBelow(RMA(close, window_fast), RMA(close, window_slow)),
  is_above_epma: ({ window }) => above(close, EPMA(close, window)),
  epma_cross_up: ({ window_fast, window_slow }) => crossesAbove(EPMA(close, window_fast), EPMA(close, window_slow)),
  epma_cross_down: ({ window_fast, window_slow }) => crossesBelow(EPMA(close, window_fast), EPMA(close, window_slow)),
  is_above_hma: ({ window }) => above(close, HMA(close, window)),
  hma_cross_up: ({ window_fast, window_slow }) => crossesAbove(HMA(close, window_fast), HMA(close, window_slow)),
  hma_cross_down: ({ window_fast, window_slow }) => crossesBelow(HMA(close, window_fast), HMA(close, window_slow)),
  is_above_alma: ({ window, offset, sigma }) => above(close, ALMA(close, window, offset, sigma)),
  alma_cross_up: ({ window_fast, window_slow, offset, sigma }) =>
    crossesAbove(ALMA(close, window_fast, offset, sigma), ALMA(close, window_slow, offset, sigma)),
  alma_cross_down: ({ window_fast, window_slow, offset, sigma }) =>
    crossesBelow(ALMA(close, window_fast, offset, sigma), ALMA(close, window_slow, offset, sigma)),
  is_above_t3: ({ window, volume_factor }) => above(close, T3(close, window, volume_factor)),
  t3_cross_up: ({ window_fast, window_slow, volume_factor }) =>
    crossesAbove(T3(close, window_fast, volume_factor), T3(close, window_slow, volume_factor)),
  t3_cross_down: ({ window_fast, window_slow, volume_factor }) =>
    crossesBelow(T3(close, window_fast, volume_factor), T3(close, window_slow, volume_factor)),
  psar_bullish: ({ step, max_step }) => below(PSAR(step, max_step), close),
  psar_bearish: ({ step, max_step }) => above(PSAR(step, max_step), close),
  psar_reversal: ({ step, max_step, direction }) =>
    byDirection(direction, {
      bullish: flips(above, below, step, max_step),
      bearish: flips(below, above, step, max_step),
    }),
  ma_ribbon_bullish: ({ windows }) => stacked(windows, above),
  ma_ribbon_bearish: ({ windows }) => stacked(windows, below),
  ma_ribbon_tangled: ({ windows }) =>
    noneOf(
      windows.map((window) => SMA(close, window)),
      stacked(windows, above),
      stacked(windows, below),
    ),
  rsi_bullish_divergence: ({ rsi_window, swing_window, min_swing_distance }) =>
    above(RSI_DIVERGENCE(rsi_window, swing_window, min_swing_distance, 'low', false), 0),
  rsi_bearish_divergence: ({ rsi_window, swing_window, min_swing_distance }) =>
    above(RSI_DIVERGENCE(rsi_window, swing_window, min_swing_distance, 'high', false), 0),
  rsi_hidden_bullish_divergence: ({ rsi_window, swing_window, min_swing_distance }) =>
    above(RSI_DIVERGENCE(rsi_window, swing_window, min_swing_distance, 'low', true), 0),
  rsi_hidden_bearish_divergence: ({ rsi_window, swing_window, min_swing_distance }) =>
    above(RSI_DIVERGENCE(rsi_window, swing_window, min_swing_distance, 'high', true), 0),
  is_above_sma: ({ window }) => above(close, SMA(close, window)),
  sma_crossover: ({ window_fast, window_slow, direction }) =>
    byDirection(direction, {
      bullish: crossesAbove(SMA(close, window_fast), SMA(close, window_slow)),
      bearish: crossesBelow(SMA(close, window_fast), SMA(close, window_slow)),
    }),
  sma_cross_up: ({ window_fast, window_slow }) => crossesAbove(SMA(close, window_fast), SMA(close, window_slow)),
  sma_cross_down: ({ window_fast, window_slow }) => crossesBelow(SMA(close, window_fast), SMA(close, window_slow)),
  supertrend_long: ({ window, multiplier }) => atLeast(superTrend(window, multiplier), 1),
  supertrend_short: ({ window, multiplier }) => atMost(superTrend(window, multiplier), -1),
  supertrend_flip_up: ({ window, multiplier }) => crossesAbove(superTrend(window, multiplier), 0),
  supertrend_flip_down: ({ window, multiplier }) => crossesBelow(superTrend(window, multiplier), 0),
  ttm_squeeze_active: ({ bb_window, bb_std, kc_window, kc_atr_mult }) =>
    above(TTM_SQUEEZE(bb_window, bb_std, kc_window, kc_atr_mult), 0),
  ttm_squeeze_fired_bullish: ({ bb_window, bb_std, kc_window, kc_atr_mult, mom_window }) =>
    all(released(TTM_SQUEEZE(bb_window, bb_std, kc_window, kc_atr_mult)), above(TTM_MOMENTUM(mom_window), 0)),
  ttm_squeeze_fired_bearish: ({ bb_window, bb_std, kc_window, kc_atr_mult, mom_window }) =>
    all(released(TTM_SQUEEZE(bb_window, bb_std, kc_window, kc_atr_mult)), below(TTM_MOMENTUM(mom_window), 0)),
  wma_cross_up: ({ window_fast, window_slow }) => crossesAbove(WMA(close, window_fast), WMA(close, window_slow)),
  wma_cross_down: ({ window_fast, window_slow }) => crossesBelow(WMA(close, window_fast), WMA(close, window_slow)),
} satisfies Partial<Rules>;
