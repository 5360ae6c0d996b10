import { close } from '../../indicators/column.js';
import { KELTNER, KELTNER_ORIGINAL } from '../../indicators/volatility.js';
import { above, below, crossesAbove, crossesBelow } from '../condition.js';
import { bool, float, int } from '../params.js';
import type { Signal } from '../signal.js';
import { defineSignal } from '../signal.js';

const channel = (isOriginal: boolean, window: number, atrWindow: number, multiplier: number) =>
  isOriginal ? KELTNER_ORIGINAL(window) : KELTNER(window, atrWindow, multiplier);

const windowAndMore = {
  window: int(10, 50, 20),
  window_atr: int(5, 30, 10),
  multiplier: float(0.5, 5, 2),
  original_version: bool(false),
};
const windowAndWindowAtrAndMultiplier = {
  window: int(10, 50, 20),
  window_atr: int(5, 30, 10),
  multiplier: float(0.5, 5, 2),
};

export const keltnerSignals: readonly Signal[] = [
  defineSignal({
    name: 'kc_upper_breakout',
    category: 'volatility',
    type: 'TRIGGER',
    family: 'breakout',
    bias: 'bullish',
    requires: ['High', 'Low', 'Close'],
    params: windowAndMore,
    indicators: ['KELTNER', 'EMA', 'SMA', 'ATR'],
    description: 'Fires when the close crosses above the upper Keltner band.',
    definition: 'C[t-1] <= upper[t-1] and C[t] > upper[t]',
    minBars: ({ window, window_atr }) => Math.max(window, window_atr) + 1,
    condition: ({ window, window_atr, multiplier, original_version }) =>
      crossesAbove(close, channel(original_version, window, window_atr, multiplier)[0]),
  }),
  defineSignal({
    name: 'kc_lower_breakout',
    category: 'volatility',
    type: 'TRIGGER',
    family: 'breakout',
    bias: 'bearish',
    requires: ['High', 'Low', 'Close'],
    params: windowAndMore,
    indicators: ['KELTNER', 'EMA', 'SMA', 'ATR'],
    description: 'Fires when the close crosses below the lower Keltner band.',
    definition: 'C[t-1] >= lower[t-1] and C[t] < lower[t]',
    minBars: ({ window, window_atr }) => Math.max(window, window_atr) + 1,
    condition: ({ window, window_atr, multiplier, original_version }) =>
      crossesBelow(close, channel(original_version, window, window_atr, multiplier)[1]),
  }),
  defineSignal({
    name: 'kc_above_upper',
    category: 'volatility',
    type: 'FILTER',
    family: 'breakout',
    bias: 'bullish',
    requires: ['High', 'Low', 'Close'],
    params: windowAndWindowAtrAndMultiplier,
    indicators: ['KELTNER', 'EMA', 'ATR'],
    description: 'True while the close is above the upper Keltner band.',
    definition: 'C[t] > upper[t] (original_version is always false here)',
    minBars: ({ window, window_atr }) => Math.max(window, window_atr),
    condition: ({ window, window_atr, multiplier }) => above(close, KELTNER(window, window_atr, multiplier)[0]),
  }),
  defineSignal({
    name: 'kc_below_lower',
    category: 'volatility',
    type: 'FILTER',
    family: 'mean_reversion',
    bias: 'bearish',
    requires: ['High', 'Low', 'Close'],
    params: windowAndWindowAtrAndMultiplier,
    indicators: ['KELTNER', 'EMA', 'ATR'],
    description: 'True while the close is below the lower Keltner band.',
    definition: 'C[t] < lower[t] (original_version is always false here)',
    minBars: ({ window, window_atr }) => Math.max(window, window_atr),
    condition: ({ window, window_atr, multiplier }) => below(close, KELTNER(window, window_atr, multiplier)[1]),
  }),
];
