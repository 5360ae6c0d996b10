import { close } from '../../indicators/column.js';
import { RMA } from '../../indicators/smoothing.js';
import { above, crossesAbove, crossesBelow } from '../condition.js';
import { fastBelowSlow, int } from '../params.js';
import type { Signal } from '../signal.js';
import { defineSignal } from '../signal.js';

const windowFastAndWindowSlow = { window_fast: int(2, 100, 14), window_slow: int(2, 200, 50) };

export const smmaSignals: readonly Signal[] = [
  defineSignal({
    name: 'is_above_smma',
    category: 'trend',
    type: 'FILTER',
    family: 'trend_following',
    bias: 'bullish',
    requires: ['Close'],
    params: { window: int(2, 200, 14) },
    indicators: ['SMMA', 'RMA'],
    description: 'True while the close is above its smoothed (Wilder) average.',
    definition: 'C[t] > SMMA(C,window)[t]',
    minBars: ({ window }) => window,
    condition: ({ window }) => above(close, RMA(close, window)),
  }),
  defineSignal({
    name: 'smma_cross_up',
    category: 'trend',
    type: 'TRIGGER',
    family: 'trend_following',
    bias: 'bullish',
    requires: ['Close'],
    params: windowFastAndWindowSlow,
    constraints: fastBelowSlow,
    indicators: ['SMMA', 'RMA'],
    description: 'Fires when the fast smoothed (Wilder) average crosses above the slow one.',
    definition: 'f = SMMA(C,window_fast), s = SMMA(C,window_slow): f[t-1] <= s[t-1] and f[t] > s[t]',
    minBars: ({ window_slow }) => window_slow + 1,
    condition: ({ window_fast, window_slow }) => crossesAbove(RMA(close, window_fast), RMA(close, window_slow)),
  }),
  defineSignal({
    name: 'smma_cross_down',
    category: 'trend',
    type: 'TRIGGER',
    family: 'trend_following',
    bias: 'bearish',
    requires: ['Close'],
    params: windowFastAndWindowSlow,
    constraints: fastBelowSlow,
    indicators: ['SMMA', 'RMA'],
    description: 'Fires when the fast smoothed (Wilder) average crosses below the slow one.',
    definition: 'f = SMMA(C,window_fast), s = SMMA(C,window_slow): f[t-1] >= s[t-1] and f[t] < s[t]',
    minBars: ({ window_slow }) => window_slow + 1,
    condition: ({ window_fast, window_slow }) => crossesBelow(RMA(close, window_fast), RMA(close, window_slow)),
  }),
];
