import { close } from '../../indicators/column.js';
import { WMA } from '../../indicators/weighted.js';
import { crossesAbove, crossesBelow } from '../condition.js';
import { fastBelowSlow, int } from '../params.js';
import type { Signal } from '../signal.js';
import { defineSignal } from '../signal.js';

const params = { window_fast: int(2, 50, 9), window_slow: int(10, 100, 21) };

export const wmaSignals: readonly Signal[] = [
  defineSignal({
    name: 'wma_cross_up',
    category: 'trend',
    type: 'TRIGGER',
    family: 'trend_following',
    bias: 'bullish',
    requires: ['Close'],
    params: params,
    constraints: fastBelowSlow,
    indicators: ['WMA'],
    description: 'Fires when the fast weighted average crosses above the slow one.',
    definition: 'f = WMA(C,window_fast), s = WMA(C,window_slow): f[t-1] <= s[t-1] and f[t] > s[t]',
    minBars: ({ window_slow }) => window_slow + 1,
    condition: ({ window_fast, window_slow }) => crossesAbove(WMA(close, window_fast), WMA(close, window_slow)),
  }),
  defineSignal({
    name: 'wma_cross_down',
    category: 'trend',
    type: 'TRIGGER',
    family: 'trend_following',
    bias: 'bearish',
    requires: ['Close'],
    params: params,
    constraints: fastBelowSlow,
    indicators: ['WMA'],
    description: 'Fires when the fast weighted average crosses below the slow one.',
    definition: 'f = WMA(C,window_fast), s = WMA(C,window_slow): f[t-1] >= s[t-1] and f[t] < s[t]',
    minBars: ({ window_slow }) => window_slow + 1,
    condition: ({ window_fast, window_slow }) => crossesBelow(WMA(close, window_fast), WMA(close, window_slow)),
  }),
];
