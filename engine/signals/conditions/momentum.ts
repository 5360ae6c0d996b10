import { KAMA } from '../../indicators/adaptive.js';
import { type Column, close, volume } from '../../indicators/column.js';
import { EMA_DIFFERENCE, PERCENT_OSCILLATOR } from '../../indicators/differences.js';
import {
  AWESOME,
  BALANCE_OF_POWER,
  CHANDE_MOMENTUM,
  MOMENTUM,
  ROC,
  RSI,
  STOCH_RSI,
  STOCHASTIC,
  TSI,
  ULTIMATE,
  WILLIAMS_R,
} from '../../indicators/oscillators.js';
import { EMA } from '../../indicators/smoothing.js';
import { above, atLeast, atMost, below, byDirection, crossesAbove, crossesBelow } from '../condition.js';
import type { Rules } from '../signal.js';

/**
 * The direction as a name. Older clients send 1 for bullish and any other whole number for bearish.
 */
const awesomeDirection = (direction: string | number): string =>
  typeof direction === 'number' ? (direction === 1 ? 'bullish' : 'bearish') : direction;

/** The percent oscillator of a column, and its signal line. */
const percentLines = (x: Column, fast: number, slow: number, sign: number): readonly [line: Column, signal: Column] => {
  const line = PERCENT_OSCILLATOR(x, fast, slow);
  return [line, EMA(line, sign)];
};

export const momentum = {
  ao_bullish: ({ window_fast, window_slow, threshold }) => above(AWESOME(window_fast, window_slow), threshold),
  ao_bearish: ({ window_fast, window_slow, threshold }) => below(AWESOME(window_fast, window_slow), threshold),
  ao_zero_cross: ({ window_fast, window_slow, direction }) =>
    byDirection(awesomeDirection(direction), {
      bullish: crossesAbove(AWESOME(window_fast, window_slow), 0),
      bearish: crossesBelow(AWESOME(window_fast, window_slow), 0),
    }),
  ppo_bullish_cross: ({ window_slow, window_fast, window_sign }) =>
    crossesAbove(...percentLines(close, window_fast, window_slow, window_sign)),
  ppo_bearish_cross: ({ window_slow, window_fast, window_sign }) =>
    crossesBelow(...percentLines(close, window_fast, window_slow, window_sign)),
  pvo_bullish_cross: ({ window_slow, window_fast, window_sign }) =>
    crossesAbove(...percentLines(volume, window_fast, window_slow, window_sign)),
  pvo_bearish_cross: ({ window_slow, window_fast, window_sign }) =>
    crossesBelow(...percentLines(volume, window_fast, window_slow, window_sign)),
  apo_bullish: ({ window_fast, window_slow }) => above(EMA_DIFFERENCE(close, window_fast, window_slow), 0),
  apo_bearish: ({ window_fast, window_slow }) => below(EMA_DIFFERENCE(close, window_fast, window_slow), 0),
  apo_cross_up: ({ window_fast, window_slow }) => crossesAbove(EMA_DIFFERENCE(close, window_fast, window_slow), 0),
  apo_cross_down: ({ window_fast, window_slow }) => crossesBelow(EMA_DIFFERENCE(close, window_fast, window_slow), 0),
  kama_cross_up: ({ window, pow1, pow2 }) => crossesAbove(close, KAMA(close, window, pow1, pow2)),
  kama_cross_down: ({ window, pow1, pow2 }) => crossesBelow(close, KAMA(close, window, pow1, pow2)),
  roc_positive: ({ window, threshold }) => above(ROC(window), threshold),
  roc_negative: ({ window, threshold }) => below(ROC(window), threshold),
  roc_momentum_shift: ({ window, direction }) =>
    byDirection(direction, { bullish: crossesAbove(ROC(window), 0), bearish: crossesBelow(ROC(window), 0) }),
  mom_bullish: ({ window }) => above(MOMENTUM(window), 0),
  mom_bearish: ({ window }) => below(MOMENTUM(window), 0),
  mom_cross_up: ({ window }) => crossesAbove(MOMENTUM(window), 0),
  mom_cross_down: ({ window }) => crossesBelow(MOMENTUM(window), 0),
  bop_bullish: () => above(BALANCE_OF_POWER, 0),
  bop_bearish: () => below(BALANCE_OF_POWER, 0),
  bop_cross_up: () => crossesAbove(BALANCE_OF_POWER, 0),
  bop_cross_down: () => crossesBelow(BALANCE_OF_POWER, 0),
  rsi_overbought: ({ window, threshold }) => above(RSI(close, window), threshold),
  rsi_oversold: ({ window, threshold }) => below(RSI(close, window), threshold),
  rsi_cross_up: ({ window, threshold }) => crossesAbove(RSI(close, window), threshold),
  rsi_cross_down: ({ window, threshold }) => crossesBelow(RSI(close, window), threshold),
  stoch_overbought: ({ window, threshold }) => above(STOCHASTIC(window), threshold),
  stoch_oversold: ({ window, threshold }) => below(STOCHASTIC(window), threshold),
  williams_r_overbought: ({ window, threshold }) => above(WILLIAMS_R(window), threshold),
  williams_r_oversold: ({ window, threshold }) => below(WILLIAMS_R(window), threshold),
  stochrsi_overbought: ({ window, threshold }) => above(STOCH_RSI(window), threshold),
  stochrsi_oversold: ({ window, threshold }) => below(STOCH_RSI(window), threshold),
  tsi_bullish: ({ window_slow, window_fast, threshold }) => above(TSI(window_slow, window_fast), threshold),
  tsi_bearish: ({ window_slow, window_fast, threshold }) => below(TSI(window_slow, window_fast), threshold),
  uo_overbought: ({ window_short, window_medium, window_long, threshold }) =>
    above(ULTIMATE(window_short, window_medium, window_long), threshold),
  uo_oversold: ({ window_short, window_medium, window_long, threshold }) =>
    below(ULTIMATE(window_short, window_medium, window_long), threshold),
  cmo_overbought: ({ window, threshold }) => atLeast(CHANDE_MOMENTUM(window), threshold),
  cmo_oversold: ({ window, threshold }) => atMost(CHANDE_MOMENTUM(window), threshold),
  cmo_cross_up: ({ window, threshold }) => crossesAbove(CHANDE_MOMENTUM(window), threshold),
  cmo_cross_down: ({ window, threshold }) => crossesBelow(CHANDE_MOMENTUM(window), threshold),
} satisfies Partial<Rules>;
