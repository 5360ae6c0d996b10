import type { Column } from '../../indicators/column.js';
import { TTM_MOMENTUM, TTM_SQUEEZE } from '../../indicators/volatility.js';
import type { Condition } from '../condition.js';
import { above, ago, all, atMost, below } from '../condition.js';
import { float, int } from '../params.js';
import type { Signal } from '../signal.js';
import { defineSignal } from '../signal.js';

/** The squeeze was on one bar ago and is off now. */
const released = (depth: Column): Condition => all(above(ago(depth, 1), 0), atMost(depth, 0));

const params = {
  bb_window: int(5, 100, 20),
  bb_std: float(0.5, 5, 2),
  kc_window: int(5, 100, 20),
  kc_atr_mult: float(0.5, 5, 1.5),
  mom_window: int(5, 50, 12),
};

export const ttmSqueezeSignals: readonly Signal[] = [
  defineSignal({
    name: 'ttm_squeeze_active',
    category: 'trend',
    type: 'FILTER',
    family: 'volatility',
    bias: 'neutral',
    requires: ['High', 'Low', 'Close'],
    params: params,
    indicators: ['TTM', 'SMA', 'EMA', 'ATR', 'EPMA'],
    description: 'True while the Bollinger bands sit inside the Keltner channel.',
    definition: 'depth[t] > 0',
    minBars: ({ bb_window, kc_window }) => Math.max(bb_window, kc_window) + 1,
    condition: ({ bb_window, bb_std, kc_window, kc_atr_mult }) =>
      above(TTM_SQUEEZE(bb_window, bb_std, kc_window, kc_atr_mult), 0),
  }),
  defineSignal({
    name: 'ttm_squeeze_fired_bullish',
    category: 'trend',
    type: 'TRIGGER',
    family: 'breakout',
    bias: 'bullish',
    requires: ['High', 'Low', 'Close'],
    params: params,
    indicators: ['TTM', 'SMA', 'EMA', 'ATR', 'EPMA'],
    description: 'Fires when a squeeze ends with positive momentum.',
    definition: 'depth[t-1] > 0 and depth[t] <= 0 and momentum[t] > 0',
    minBars: ({ bb_window, kc_window }) => Math.max(bb_window, kc_window) + 2,
    condition: ({ bb_window, bb_std, kc_window, kc_atr_mult, mom_window }) =>
      all(released(TTM_SQUEEZE(bb_window, bb_std, kc_window, kc_atr_mult)), above(TTM_MOMENTUM(mom_window), 0)),
  }),
  defineSignal({
    name: 'ttm_squeeze_fired_bearish',
    category: 'trend',
    type: 'TRIGGER',
    family: 'breakout',
    bias: 'bearish',
    requires: ['High', 'Low', 'Close'],
    params: params,
    indicators: ['TTM', 'SMA', 'EMA', 'ATR', 'EPMA'],
    description: 'Fires when a squeeze ends with negative momentum.',
    definition: 'depth[t-1] > 0 and depth[t] <= 0 and momentum[t] < 0',
    minBars: ({ bb_window, kc_window }) => Math.max(bb_window, kc_window) + 2,
    condition: ({ bb_window, bb_std, kc_window, kc_atr_mult, mom_window }) =>
      all(released(TTM_SQUEEZE(bb_window, bb_std, kc_window, kc_atr_mult)), below(TTM_MOMENTUM(mom_window), 0)),
  }),
];
