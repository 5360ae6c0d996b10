import { type Column, close, high, low } from '../../indicators/column.js';
import { MAX, MIN } from '../../indicators/rolling.js';
import { ATR_STOP } from '../../indicators/trailing-stops.js';
import {
  ATR,
  BOLLINGER,
  CHANDELIER,
  KELTNER,
  KELTNER_ORIGINAL,
  NATR,
  STARC,
  ULCER,
  VOLATILITY_STOP,
} from '../../indicators/volatility.js';
import { above, ago, all, atLeast, atMost, below, crossesAbove, crossesBelow } from '../condition.js';
import type { Rules } from '../signal.js';

const channel = (isOriginal: boolean, window: number, atrWindow: number, multiplier: number) =>
  isOriginal ? KELTNER_ORIGINAL(window) : KELTNER(window, atrWindow, multiplier);

const trail = (window: number, multiplier: number): Column => ATR_STOP(ATR(window), window, multiplier);

export const volatility = {
  bb_upper_breakout: {
    condition: ({ window, window_dev }) => crossesAbove(close, BOLLINGER(window, window_dev).upper),
    asFormula: ({ window, window_dev }) => `crosses_above(close, bollinger_upper(${window}, ${window_dev}))`,
  },
  bb_lower_breakout: {
    condition: ({ window, window_dev }) => crossesBelow(close, BOLLINGER(window, window_dev).lower),
    asFormula: ({ window, window_dev }) => `crosses_below(close, bollinger_lower(${window}, ${window_dev}))`,
  },
  bb_squeeze: {
    condition: ({ window, window_dev, threshold }) => crossesBelow(BOLLINGER(window, window_dev).width, threshold),
    asFormula: ({ window, window_dev, threshold }) =>
      `crosses_below(bollinger_width(${window}, ${window_dev}), ${threshold})`,
  },
  bb_above_upper: {
    condition: ({ window, window_dev }) => above(close, BOLLINGER(window, window_dev).upper),
    asFormula: ({ window, window_dev }) => `close > bollinger_upper(${window}, ${window_dev})`,
  },
  bb_below_lower: {
    condition: ({ window, window_dev }) => below(close, BOLLINGER(window, window_dev).lower),
    asFormula: ({ window, window_dev }) => `close < bollinger_lower(${window}, ${window_dev})`,
  },
  dc_upper_breakout: ({ window }) => crossesAbove(close, ago(MAX(high, window), 1)),
  dc_lower_breakout: ({ window }) => crossesBelow(close, ago(MIN(low, window), 1)),
  starc_upper_breakout: ({ window, window_atr, multiplier }) => above(close, STARC(window, window_atr, multiplier)[0]),
  starc_lower_breakout: ({ window, window_atr, multiplier }) => below(close, STARC(window, window_atr, multiplier)[1]),
  volatility_stop_upper: ({ window, multiplier }) => atLeast(close, VOLATILITY_STOP(window, multiplier)[0]),
  volatility_stop_lower: ({ window, multiplier }) => atMost(close, VOLATILITY_STOP(window, multiplier)[1]),
  cl_high_offset_break: ({ window, multiplier }) => crossesBelow(close, CHANDELIER(window, multiplier).highOffset),
  cl_low_offset_break: ({ window, multiplier }) => crossesAbove(close, CHANDELIER(window, multiplier).lowOffset),
  kc_upper_breakout: ({ window, window_atr, multiplier, original_version }) =>
    crossesAbove(close, channel(original_version, window, window_atr, multiplier)[0]),
  kc_lower_breakout: ({ window, window_atr, multiplier, original_version }) =>
    crossesBelow(close, channel(original_version, window, window_atr, multiplier)[1]),
  kc_above_upper: ({ window, window_atr, multiplier }) => above(close, KELTNER(window, window_atr, multiplier)[0]),
  kc_below_lower: ({ window, window_atr, multiplier }) => below(close, KELTNER(window, window_atr, multiplier)[1]),
  atr_high_volatility: ({ window, threshold_pct }) => all(above(NATR(window), threshold_pct), above(close, 0)),
  ulcer_high_risk: ({ window, threshold }) => above(ULCER(window), threshold),
  ulcer_low_risk: ({ window, threshold }) => below(ULCER(window), threshold),
  natr_high_volatility: ({ window, threshold }) => above(NATR(window), threshold),
  natr_low_volatility: ({ window, threshold }) => below(NATR(window), threshold),
  atr_trailing_stop_long: ({ window, multiplier }) => atLeast(trail(window, multiplier), 1),
  atr_trailing_stop_short: ({ window, multiplier }) => atMost(trail(window, multiplier), -1),
  atr_trailing_stop_flip_up: ({ window, multiplier }) =>
    all(atMost(ago(trail(window, multiplier), 1), -1), atLeast(trail(window, multiplier), 1)),
  atr_trailing_stop_flip_down: ({ window, multiplier }) =>
    all(atLeast(ago(trail(window, multiplier), 1), 1), atMost(trail(window, multiplier), -1)),
} satisfies Partial<Rules>;
