import { HEIKIN_ASHI } from '../../indicators/candles.js';
import { above, below } from '../condition.js';
import type { Signal } from '../signal.js';
import { defineSignal } from '../signal.js';

export const heikinAshiSignals: readonly Signal[] = [
  defineSignal({
    name: 'heikin_ashi_bullish',
    category: 'trend',
    type: 'FILTER',
    family: 'trend_following',
    bias: 'bullish',
    requires: ['Open', 'High', 'Low', 'Close'],
    params: {},
    indicators: ['HEIKINASHI'],
    description: 'True when the Heikin-Ashi candle closes above its open.',
    definition: 'hc[t] > ho[t]',
    minBars: () => 1,
    condition: () => above(...HEIKIN_ASHI),
  }),
  defineSignal({
    name: 'heikin_ashi_bearish',
    category: 'trend',
    type: 'FILTER',
    family: 'trend_following',
    bias: 'bearish',
    requires: ['Open', 'High', 'Low', 'Close'],
    params: {},
    indicators: ['HEIKINASHI'],
    description: 'True when the Heikin-Ashi candle closes below its open.',
    definition: 'hc[t] < ho[t]',
    minBars: () => 1,
    condition: () => below(...HEIKIN_ASHI),
  }),
];
