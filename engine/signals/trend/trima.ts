import { close } from '../../indicators/column.js';
import { TRIMA } from '../../indicators/moving-averages.js';
import { above, crossesAbove, crossesBelow } from '../condition.js';
import { fastBelowSlow, int } from '../params.js';
import type { Signal } from '../signal.js';
import { defineSignal } from '../signal.js';

const windowFastAndWindowSlow = { window_fast: int(2, 100, 10), window_slow: int(2, 200, 30) };

export const trimaSignals: readonly Signal[] = [
  defineSignal({
    name: 'is_above_trima',
    category: 'trend',
    type: 'FILTER',
    family: 'trend_following',
    bias: 'bullish',
    requires: ['Close'],
    params: { window: int(2, 200, 20) },
    indicators: ['TRIMA', 'SMA'],
    description: 'True while the close is above its triangular average.',
    definition: 'C[t] > TRIMA(C,window)[t]',
    minBars: ({ window }) => window,
    condition: ({ window }) => above(close, TRIMA(close, window)),
  }),
  defineSignal({
    name: 'trima_cross_up',
    category: 'trend',
    type: 'TRIGGER',
    family: 'trend_following',
    bias: 'bullish',
    requires: ['Close'],
    params: windowFastAndWindowSlow,
    constraints: fastBelowSlow,
    indicators: ['TRIMA', 'SMA'],
    description: 'Fires when the fast triangular average crosses above the slow one.',
    definition: 'f = TRIMA(C,window_fast), s = TRIMA(C,window_slow): f[t-1] <= s[t-1] and f[t] > s[t]',
    minBars: ({ window_slow }) => window_slow + 1,
    condition: ({ window_fast, window_slow }) => crossesAbove(TRIMA(close, window_fast), TRIMA(close, window_slow)),
  }),
  defineSignal({
    name: 'trima_cross_down',
    category: 'trend',
    type: 'TRIGGER',
    family: 'trend_following',
    bias: 'bearish',
    requires: ['Close'],
    params: windowFastAndWindowSlow,
    constraints: fastBelowSlow,
    indicators: ['TRIMA', 'SMA'],
    description: 'Fires when the fast triangular average crosses below the slow one.',
    definition: 'f = TRIMA(C,window_fast), s = TRIMA(C,window_slow): f[t-1] >= s[t-1] and f[t] < s[t]',
    minBars: ({ window_slow }) => window_slow + 1,
    condition: ({ window_fast, window_slow }) => crossesBelow(TRIMA(close, window_fast), TRIMA(close, window_slow)),
  }),
];
