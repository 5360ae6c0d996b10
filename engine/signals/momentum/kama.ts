import { KAMA } from '../../indicators/adaptive.js';
import { close } from '../../indicators/column.js';
import { crossesAbove, crossesBelow } from '../condition.js';
import { int } from '../params.js';
import type { Signal } from '../signal.js';
import { defineSignal } from '../signal.js';

const params = { window: int(5, 30, 10), pow1: int(1, 10, 2), pow2: int(10, 50, 30) };

export const kamaSignals: readonly Signal[] = [
  defineSignal({
    name: 'kama_cross_up',
    category: 'momentum',
    type: 'TRIGGER',
    family: 'trend_following',
    bias: 'bullish',
    requires: ['Close'],
    params: params,
    indicators: ['KAMA'],
    description: "Fires when the close crosses above Kaufman's adaptive average.",
    definition: 'K = KAMA(window,pow1,pow2): C[t-1] <= K[t-1] and C[t] > K[t]',
    minBars: ({ window, pow1, pow2 }) => window + Math.max(pow1, pow2),
    condition: ({ window, pow1, pow2 }) => crossesAbove(close, KAMA(close, window, pow1, pow2)),
  }),
  defineSignal({
    name: 'kama_cross_down',
    category: 'momentum',
    type: 'TRIGGER',
    family: 'trend_following',
    bias: 'bearish',
    requires: ['Close'],
    params: params,
    indicators: ['KAMA'],
    description: "Fires when the close crosses below Kaufman's adaptive average.",
    definition: 'K = KAMA(window,pow1,pow2): C[t-1] >= K[t-1] and C[t] < K[t]',
    minBars: ({ window, pow1, pow2 }) => window + Math.max(pow1, pow2),
    condition: ({ window, pow1, pow2 }) => crossesBelow(close, KAMA(close, window, pow1, pow2)),
  }),
];
