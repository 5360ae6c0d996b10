import { close } from '../../indicators/column.js';
import { VWAP, VWMA } from '../../indicators/moving-averages.js';
import { above, below, crossesAbove, crossesBelow } from '../condition.js';
import { fastBelowSlow, int } from '../params.js';
import type { Signal } from '../signal.js';
import { defineSignal } from '../signal.js';

const windowOnly = { window: int(5, 50, 14) };
const windowFastAndWindowSlow = { window_fast: int(2, 100, 9), window_slow: int(2, 200, 21) };

export const weightedAveragesSignals: readonly Signal[] = [
  defineSignal({
    name: 'vwap_above',
    category: 'volume',
    type: 'FILTER',
    family: 'trend_following',
    bias: 'bullish',
    requires: ['High', 'Low', 'Close', 'Volume'],
    params: windowOnly,
    indicators: ['VWAP'],
    description: 'True while the close is above the rolling VWAP.',
    definition: 'C[t] > VWAP(window)[t]',
    minBars: ({ window }) => window,
    condition: ({ window }) => above(close, VWAP(window)),
  }),
  defineSignal({
    name: 'vwap_below',
    category: 'volume',
    type: 'FILTER',
    family: 'trend_following',
    bias: 'bearish',
    requires: ['High', 'Low', 'Close', 'Volume'],
    params: windowOnly,
    indicators: ['VWAP'],
    description: 'True while the close is below the rolling VWAP.',
    definition: 'C[t] < VWAP(window)[t]',
    minBars: ({ window }) => window,
    condition: ({ window }) => below(close, VWAP(window)),
  }),
  defineSignal({
    name: 'is_above_vwma',
    category: 'volume',
    type: 'FILTER',
    family: 'trend_following',
    bias: 'bullish',
    requires: ['Close', 'Volume'],
    params: { window: int(2, 200, 20) },
    indicators: ['VWMA'],
    description: 'True while the close is above its volume-weighted average.',
    definition: 'C[t] > VWMA(window)[t]',
    minBars: ({ window }) => window,
    condition: ({ window }) => above(close, VWMA(window)),
  }),
  defineSignal({
    name: 'vwma_cross_up',
    category: 'volume',
    type: 'TRIGGER',
    family: 'trend_following',
    bias: 'bullish',
    requires: ['Close', 'Volume'],
    params: windowFastAndWindowSlow,
    constraints: fastBelowSlow,
    indicators: ['VWMA'],
    description: 'Fires when the fast volume-weighted average crosses above the slow one.',
    definition: 'f = VWMA(window_fast), s = VWMA(window_slow): f[t-1] <= s[t-1] and f[t] > s[t]',
    minBars: ({ window_slow }) => window_slow + 1,
    condition: ({ window_fast, window_slow }) => crossesAbove(VWMA(window_fast), VWMA(window_slow)),
  }),
  defineSignal({
    name: 'vwma_cross_down',
    category: 'volume',
    type: 'TRIGGER',
    family: 'trend_following',
    bias: 'bearish',
    requires: ['Close', 'Volume'],
    params: windowFastAndWindowSlow,
    constraints: fastBelowSlow,
    indicators: ['VWMA'],
    description: 'Fires when the fast volume-weighted average crosses below the slow one.',
    definition: 'f = VWMA(window_fast), s = VWMA(window_slow): f[t-1] >= s[t-1] and f[t] < s[t]',
    minBars: ({ window_slow }) => window_slow + 1,
    condition: ({ window_fast, window_slow }) => crossesBelow(VWMA(window_fast), VWMA(window_slow)),
  }),
];
