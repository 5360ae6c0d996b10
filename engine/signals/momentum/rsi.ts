import { close } from '../../indicators/column.js';
import { RSI } from '../../indicators/oscillators.js';
import { above, below, crossesAbove, crossesBelow } from '../condition.js';
import { float, int } from '../params.js';
import type { Signal } from '../signal.js';
import { defineSignal } from '../signal.js';

const windowAndThreshold = { window: int(2, 100, 14), threshold: float(0, 100, 50) };

export const rsiSignals: readonly Signal[] = [
  defineSignal({
    name: 'rsi_overbought',
    category: 'momentum',
    type: 'FILTER',
    family: 'mean_reversion',
    bias: 'bearish',
    requires: ['Close'],
    params: { window: int(2, 100, 14), threshold: float(50, 100, 70) },
    indicators: ['RSI', 'RMA'],
    description: 'True while RSI is above the overbought level.',
    definition: 'RSI(C,window)[t] > threshold',
    minBars: ({ window }) => window + 1,
    condition: ({ window, threshold }) => above(RSI(close, window), threshold),
  }),
  defineSignal({
    name: 'rsi_oversold',
    category: 'momentum',
    type: 'FILTER',
    family: 'mean_reversion',
    bias: 'bullish',
    requires: ['Close'],
    params: { window: int(2, 100, 14), threshold: float(0, 50, 30) },
    indicators: ['RSI', 'RMA'],
    description: 'True while RSI is below the oversold level.',
    definition: 'RSI(C,window)[t] < threshold',
    minBars: ({ window }) => window + 1,
    condition: ({ window, threshold }) => below(RSI(close, window), threshold),
  }),
  defineSignal({
    name: 'rsi_cross_up',
    category: 'momentum',
    type: 'TRIGGER',
    family: 'momentum',
    bias: 'bullish',
    requires: ['Close'],
    params: windowAndThreshold,
    indicators: ['RSI', 'RMA'],
    description: 'Fires on the bar where RSI moves from at-or-below to above the level.',
    definition: 'R = RSI(C,window): R[t-1] <= threshold and R[t] > threshold',
    minBars: ({ window }) => window + 1,
    condition: ({ window, threshold }) => crossesAbove(RSI(close, window), threshold),
  }),
  defineSignal({
    name: 'rsi_cross_down',
    category: 'momentum',
    type: 'TRIGGER',
    family: 'momentum',
    bias: 'bearish',
    requires: ['Close'],
    params: windowAndThreshold,
    indicators: ['RSI', 'RMA'],
    description: 'Fires on the bar where RSI moves from at-or-above to below the level.',
    definition: 'R = RSI(C,window): R[t-1] >= threshold and R[t] < threshold',
    minBars: ({ window }) => window + 1,
    condition: ({ window, threshold }) => crossesBelow(RSI(close, window), threshold),
  }),
];
