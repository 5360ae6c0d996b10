import { close } from '../../indicators/column.js';
import { DEMA } from '../../indicators/moving-averages.js';
import { above, crossesAbove, crossesBelow } from '../condition.js';
import { fastBelowSlow, int } from '../params.js';
import type { Signal } from '../signal.js';
import { defineSignal } from '../signal.js';

const windowFastAndWindowSlow = { window_fast: int(2, 100, 9), window_slow: int(2, 200, 21) };

export const demaSignals: readonly Signal[] = [
  defineSignal({
    name: 'is_above_dema',
    category: 'trend',
    type: 'FILTER',
    family: 'trend_following',
    bias: 'bullish',
    requires: ['Close'],
    params: { window: int(2, 200, 21) },
    indicators: ['DEMA', 'EMA'],
    description: 'True while the close is above its double exponential average.',
    definition: 'C[t] > DEMA(C,window)[t]',
    minBars: ({ window }) => window,
    condition: ({ window }) => above(close, DEMA(close, window)),
  }),
  defineSignal({
    name: 'dema_cross_up',
    category: 'trend',
    type: 'TRIGGER',
    family: 'trend_following',
    bias: 'bullish',
    requires: ['Close'],
    params: windowFastAndWindowSlow,
    constraints: fastBelowSlow,
    indicators: ['DEMA', 'EMA'],
    description: 'Fires when the fast double exponential average crosses above the slow one.',
    definition: 'f = DEMA(C,window_fast), s = DEMA(C,window_slow): f[t-1] <= s[t-1] and f[t] > s[t]',
    minBars: ({ window_slow }) => window_slow + 1,
    condition: ({ window_fast, window_slow }) => crossesAbove(DEMA(close, window_fast), DEMA(close, window_slow)),
  }),
  defineSignal({
    name: 'dema_cross_down',
    category: 'trend',
    type: 'TRIGGER',
    family: 'trend_following',
    bias: 'bearish',
    requires: ['Close'],
    params: windowFastAndWindowSlow,
    constraints: fastBelowSlow,
    indicators: ['DEMA', 'EMA'],
    description: 'Fires when the fast double exponential average crosses below the slow one.',
    definition: 'f = DEMA(C,window_fast), s = DEMA(C,window_slow): f[t-1] >= s[t-1] and f[t] < s[t]',
    minBars: ({ window_slow }) => window_slow + 1,
    condition: ({ window_fast, window_slow }) => crossesBelow(DEMA(close, window_fast), DEMA(close, window_slow)),
  }),
];
