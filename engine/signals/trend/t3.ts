import { close } from '../../indicators/column.js';
import { T3 } from '../../indicators/moving-averages.js';
import { above, crossesAbove, crossesBelow } from '../condition.js';
import { fastBelowSlow, float, int } from '../params.js';
import type { Signal } from '../signal.js';
import { defineSignal } from '../signal.js';

const windowFastAndWindowSlowAndVolumeFactor = {
  window_fast: int(2, 100, 5),
  window_slow: int(2, 200, 10),
  volume_factor: float(0, 1, 0.7),
};

export const t3Signals: readonly Signal[] = [
  defineSignal({
    name: 'is_above_t3',
    category: 'trend',
    type: 'FILTER',
    family: 'trend_following',
    bias: 'bullish',
    requires: ['Close'],
    params: { window: int(2, 200, 10), volume_factor: float(0, 1, 0.7) },
    indicators: ['T3', 'EMA'],
    description: 'True while the close is above its Tillson T3 average.',
    definition: 'C[t] > T3(C,window,volume_factor)[t]',
    minBars: ({ window }) => 6 * window,
    condition: ({ window, volume_factor }) => above(close, T3(close, window, volume_factor)),
  }),
  defineSignal({
    name: 't3_cross_up',
    category: 'trend',
    type: 'TRIGGER',
    family: 'trend_following',
    bias: 'bullish',
    requires: ['Close'],
    params: windowFastAndWindowSlowAndVolumeFactor,
    constraints: fastBelowSlow,
    indicators: ['T3', 'EMA'],
    description: 'Fires when the fast Tillson T3 average crosses above the slow one.',
    definition:
      'f = T3(C,window_fast,volume_factor), s = T3(C,window_slow,volume_factor): f[t-1] <= s[t-1] and f[t] > s[t]',
    minBars: ({ window_slow }) => 6 * window_slow + 1,
    condition: ({ window_fast, window_slow, volume_factor }) =>
      crossesAbove(T3(close, window_fast, volume_factor), T3(close, window_slow, volume_factor)),
  }),
  defineSignal({
    name: 't3_cross_down',
    category: 'trend',
    type: 'TRIGGER',
    family: 'trend_following',
    bias: 'bearish',
    requires: ['Close'],
    params: windowFastAndWindowSlowAndVolumeFactor,
    constraints: fastBelowSlow,
    indicators: ['T3', 'EMA'],
    description: 'Fires when the fast Tillson T3 average crosses below the slow one.',
    definition:
      'f = T3(C,window_fast,volume_factor), s = T3(C,window_slow,volume_factor): f[t-1] >= s[t-1] and f[t] < s[t]',
    minBars: ({ window_slow }) => 6 * window_slow + 1,
    condition: ({ window_fast, window_slow, volume_factor }) =>
      crossesBelow(T3(close, window_fast, volume_factor), T3(close, window_slow, volume_factor)),
  }),
];
