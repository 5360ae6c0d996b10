import { close } from '../../indicators/column.js';
import { TEMA } from '../../indicators/moving-averages.js';
import { above, crossesAbove, crossesBelow } from '../condition.js';
import { fastBelowSlow, int } from '../params.js';
import type { Signal } from '../signal.js';
import { defineSignal } from '../signal.js';

const windowFastAndWindowSlow = { window_fast: int(2, 100, 9), window_slow: int(2, 200, 21) };

export const temaSignals: readonly Signal[] = [
  defineSignal({
    name: 'is_above_tema',
    category: 'trend',
    type: 'FILTER',
    family: 'trend_following',
    bias: 'bullish',
    requires: ['Close'],
    params: { window: int(2, 200, 21) },
    indicators: ['TEMA', 'EMA'],
    description: 'True while the close is above its triple exponential average.',
    definition: 'C[t] > TEMA(C,window)[t]',
    minBars: ({ window }) => window,
    condition: ({ window }) => above(close, TEMA(close, window)),
  }),
  defineSignal({
    name: 'tema_cross_up',
    category: 'trend',
    type: 'TRIGGER',
    family: 'trend_following',
    bias: 'bullish',
    requires: ['Close'],
    params: windowFastAndWindowSlow,
    constraints: fastBelowSlow,
    indicators: ['TEMA', 'EMA'],
    description: 'Fires when the fast triple exponential average crosses above the slow one.',
    definition: 'f = TEMA(C,window_fast), s = TEMA(C,window_slow): f[t-1] <= s[t-1] and f[t] > s[t]',
    minBars: ({ window_slow }) => window_slow + 1,
    condition: ({ window_fast, window_slow }) => crossesAbove(TEMA(close, window_fast), TEMA(close, window_slow)),
  }),
  defineSignal({
    name: 'tema_cross_down',
    category: 'trend',
    type: 'TRIGGER',
    family: 'trend_following',
    bias: 'bearish',
    requires: ['Close'],
    params: windowFastAndWindowSlow,
    constraints: fastBelowSlow,
    indicators: ['TEMA', 'EMA'],
    description: 'Fires when the fast triple exponential average crosses below the slow one.',
    definition: 'f = TEMA(C,window_fast), s = TEMA(C,window_slow): f[t-1] >= s[t-1] and f[t] < s[t]',
    minBars: ({ window_slow }) => window_slow + 1,
    condition: ({ window_fast, window_slow }) => crossesBelow(TEMA(close, window_fast), TEMA(close, window_slow)),
  }),
];
