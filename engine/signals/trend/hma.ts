import { close } from '../../indicators/column.js';
import { HMA } from '../../indicators/moving-averages.js';
import { above, crossesAbove, crossesBelow } from '../condition.js';
import { fastBelowSlow, int } from '../params.js';
import type { Signal } from '../signal.js';
import { defineSignal } from '../signal.js';

const windowFastAndWindowSlow = { window_fast: int(4, 100, 9), window_slow: int(4, 200, 25) };

export const hmaSignals: readonly Signal[] = [
  defineSignal({
    name: 'is_above_hma',
    category: 'trend',
    type: 'FILTER',
    family: 'trend_following',
    bias: 'bullish',
    requires: ['Close'],
    params: { window: int(4, 200, 16) },
    indicators: ['HMA', 'WMA'],
    description: 'True while the close is above its Hull average.',
    definition: 'C[t] > HMA(C,window)[t]',
    minBars: ({ window }) => window,
    condition: ({ window }) => above(close, HMA(close, window)),
  }),
  defineSignal({
    name: 'hma_cross_up',
    category: 'trend',
    type: 'TRIGGER',
    family: 'trend_following',
    bias: 'bullish',
    requires: ['Close'],
    params: windowFastAndWindowSlow,
    constraints: fastBelowSlow,
    indicators: ['HMA', 'WMA'],
    description: 'Fires when the fast Hull average crosses above the slow one.',
    definition: 'f = HMA(C,window_fast), s = HMA(C,window_slow): f[t-1] <= s[t-1] and f[t] > s[t]',
    minBars: ({ window_slow }) => window_slow + 1,
    condition: ({ window_fast, window_slow }) => crossesAbove(HMA(close, window_fast), HMA(close, window_slow)),
  }),
  defineSignal({
    name: 'hma_cross_down',
    category: 'trend',
    type: 'TRIGGER',
    family: 'trend_following',
    bias: 'bearish',
    requires: ['Close'],
    params: windowFastAndWindowSlow,
    constraints: fastBelowSlow,
    indicators: ['HMA', 'WMA'],
    description: 'Fires when the fast Hull average crosses below the slow one.',
    definition: 'f = HMA(C,window_fast), s = HMA(C,window_slow): f[t-1] >= s[t-1] and f[t] < s[t]',
    minBars: ({ window_slow }) => window_slow + 1,
    condition: ({ window_fast, window_slow }) => crossesBelow(HMA(close, window_fast), HMA(close, window_slow)),
  }),
];
