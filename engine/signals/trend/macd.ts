import { MACD } from '../../indicators/oscillators.js';
import type { Condition } from '../condition.js';
import { above, crossesAbove, crossesBelow } from '../condition.js';
import { fastBelowSlow, int } from '../params.js';
import type { Signal } from '../signal.js';
import { defineSignal } from '../signal.js';

const macdCrosses = (crosses: typeof crossesAbove, fast: number, slow: number, sign: number): Condition => {
  const [line, signal] = MACD(fast, slow, sign);
  return crosses(line, signal);
};

const params = { window_fast: int(2, 50, 12), window_slow: int(10, 100, 26), window_sign: int(2, 50, 9) };

export const macdSignals: readonly Signal[] = [
  defineSignal({
    name: 'macd_bullish_cross',
    category: 'trend',
    type: 'TRIGGER',
    family: 'momentum',
    bias: 'bullish',
    requires: ['Close'],
    params: params,
    constraints: fastBelowSlow,
    indicators: ['MACD', 'EMA'],
    description: 'Fires when the MACD line crosses above its signal line.',
    definition: 'm = macd, s = signal: m[t-1] <= s[t-1] and m[t] > s[t]',
    minBars: ({ window_slow, window_sign }) => window_slow + window_sign,
    condition: ({ window_fast, window_slow, window_sign }) =>
      macdCrosses(crossesAbove, window_fast, window_slow, window_sign),
  }),
  defineSignal({
    name: 'macd_bearish_cross',
    category: 'trend',
    type: 'TRIGGER',
    family: 'momentum',
    bias: 'bearish',
    requires: ['Close'],
    params: params,
    constraints: fastBelowSlow,
    indicators: ['MACD', 'EMA'],
    description: 'Fires when the MACD line crosses below its signal line.',
    definition: 'm = macd, s = signal: m[t-1] >= s[t-1] and m[t] < s[t]',
    minBars: ({ window_slow, window_sign }) => window_slow + window_sign,
    condition: ({ window_fast, window_slow, window_sign }) =>
      macdCrosses(crossesBelow, window_fast, window_slow, window_sign),
  }),
  defineSignal({
    name: 'macd_positive',
    category: 'trend',
    type: 'FILTER',
    family: 'momentum',
    bias: 'bullish',
    requires: ['Close'],
    params: params,
    constraints: fastBelowSlow,
    indicators: ['MACD', 'EMA'],
    description: 'True while the MACD histogram is positive.',
    definition: 'macd histogram[t] > 0',
    minBars: ({ window_slow, window_sign }) => window_slow + window_sign,
    condition: ({ window_fast, window_slow, window_sign }) => above(MACD(window_fast, window_slow, window_sign)[2], 0),
  }),
];
