import { close } from '../../indicators/column.js';
import { EPMA } from '../../indicators/rolling.js';
import { above, crossesAbove, crossesBelow } from '../condition.js';
import { fastBelowSlow, int } from '../params.js';
import type { Signal } from '../signal.js';
import { defineSignal } from '../signal.js';

const windowFastAndWindowSlow = { window_fast: int(2, 100, 10), window_slow: int(2, 200, 30) };

export const epmaSignals: readonly Signal[] = [
  defineSignal({
    name: 'is_above_epma',
    category: 'trend',
    type: 'FILTER',
    family: 'trend_following',
    bias: 'bullish',
    requires: ['Close'],
    params: { window: int(2, 200, 20) },
    indicators: ['EPMA'],
    description: 'True while the close is above its end-point regression average.',
    definition: 'C[t] > EPMA(C,window)[t]',
    minBars: ({ window }) => window,
    condition: ({ window }) => above(close, EPMA(close, window)),
  }),
  defineSignal({
    name: 'epma_cross_up',
    category: 'trend',
    type: 'TRIGGER',
    family: 'trend_following',
    bias: 'bullish',
    requires: ['Close'],
    params: windowFastAndWindowSlow,
    constraints: fastBelowSlow,
    indicators: ['EPMA'],
    description: 'Fires when the fast end-point regression average crosses above the slow one.',
    definition: 'f = EPMA(C,window_fast), s = EPMA(C,window_slow): f[t-1] <= s[t-1] and f[t] > s[t]',
    minBars: ({ window_slow }) => window_slow + 1,
    condition: ({ window_fast, window_slow }) => crossesAbove(EPMA(close, window_fast), EPMA(close, window_slow)),
  }),
  defineSignal({
    name: 'epma_cross_down',
    category: 'trend',
    type: 'TRIGGER',
    family: 'trend_following',
    bias: 'bearish',
    requires: ['Close'],
    params: windowFastAndWindowSlow,
    constraints: fastBelowSlow,
    indicators: ['EPMA'],
    description: 'Fires when the fast end-point regression average crosses below the slow one.',
    definition: 'f = EPMA(C,window_fast), s = EPMA(C,window_slow): f[t-1] >= s[t-1] and f[t] < s[t]',
    minBars: ({ window_slow }) => window_slow + 1,
    condition: ({ window_fast, window_slow }) => crossesBelow(EPMA(close, window_fast), EPMA(close, window_slow)),
  }),
];
