import { close } from '../../indicators/column.js';
import { EMA } from '../../indicators/smoothing.js';
import { above, byDirection, crossesAbove, crossesBelow } from '../condition.js';
import { direction, fastBelowSlow, int } from '../params.js';
import type { Signal } from '../signal.js';
import { defineSignal } from '../signal.js';

const windowFastAndWindowSlow = { window_fast: int(2, 100, 9), window_slow: int(5, 200, 21) };

export const emaSignals: readonly Signal[] = [
  defineSignal({
    name: 'ema_cross_up',
    category: 'trend',
    type: 'TRIGGER',
    family: 'trend_following',
    bias: 'bullish',
    requires: ['Close'],
    params: windowFastAndWindowSlow,
    constraints: fastBelowSlow,
    indicators: ['EMA'],
    description: 'Fires when the fast EMA crosses above the slow EMA.',
    definition: 'f = EMA(C,window_fast), s = EMA(C,window_slow): f[t-1] <= s[t-1] and f[t] > s[t]',
    minBars: ({ window_slow }) => window_slow + 1,
    condition: ({ window_fast, window_slow }) => crossesAbove(EMA(close, window_fast), EMA(close, window_slow)),
  }),
  defineSignal({
    name: 'ema_cross_down',
    category: 'trend',
    type: 'TRIGGER',
    family: 'trend_following',
    bias: 'bearish',
    requires: ['Close'],
    params: windowFastAndWindowSlow,
    constraints: fastBelowSlow,
    indicators: ['EMA'],
    description: 'Fires when the fast EMA crosses below the slow EMA.',
    definition: 'f = EMA(C,window_fast), s = EMA(C,window_slow): f[t-1] >= s[t-1] and f[t] < s[t]',
    minBars: ({ window_slow }) => window_slow + 1,
    condition: ({ window_fast, window_slow }) => crossesBelow(EMA(close, window_fast), EMA(close, window_slow)),
  }),
  defineSignal({
    name: 'ema_crossover',
    category: 'trend',
    type: 'TRIGGER',
    family: 'trend_following',
    bias: 'by_direction',
    requires: ['Close'],
    params: { window_fast: int(1, 200, 9), window_slow: int(1, 200, 21), direction: direction() },
    constraints: fastBelowSlow,
    indicators: ['EMA'],
    description: 'Fires when two EMAs cross in the chosen direction.',
    definition:
      'f = EMA(C,window_fast), s = EMA(C,window_slow); direction = bullish: f[t-1] <= s[t-1] and f[t] > s[t]; direction = bearish: f[t-1] >= s[t-1] and f[t] < s[t]; any other direction value: False',
    minBars: ({ window_slow }) => window_slow + 1,
    condition: ({ window_fast, window_slow, direction }) =>
      byDirection(direction, {
        bullish: crossesAbove(EMA(close, window_fast), EMA(close, window_slow)),
        bearish: crossesBelow(EMA(close, window_fast), EMA(close, window_slow)),
      }),
  }),
  defineSignal({
    name: 'price_above_ema',
    category: 'trend',
    type: 'FILTER',
    family: 'trend_following',
    bias: 'bullish',
    requires: ['Close'],
    params: { window: int(2, 200, 20) },
    indicators: ['EMA'],
    description: 'True while the close is above its EMA.',
    definition: 'C[t] > EMA(C,window)[t]',
    minBars: ({ window }) => window,
    condition: ({ window }) => above(close, EMA(close, window)),
  }),
];
