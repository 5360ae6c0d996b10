import { close } from '../../indicators/column.js';
import { SMA } from '../../indicators/rolling.js';
import { above, byDirection, crossesAbove, crossesBelow } from '../condition.js';
import { direction, fastBelowSlow, int } from '../params.js';
import type { Signal } from '../signal.js';
import { defineSignal } from '../signal.js';

const windowFastAndWindowSlow = { window_fast: int(1, 200, 20), window_slow: int(1, 200, 50) };

export const smaSignals: readonly Signal[] = [
  defineSignal({
    name: 'is_above_sma',
    category: 'trend',
    type: 'FILTER',
    family: 'trend_following',
    bias: 'bullish',
    requires: ['Close'],
    params: { window: int(1, 200, 50) },
    indicators: ['SMA'],
    description: 'True while the close is above its simple average.',
    definition: 'C[t] > SMA(C,window)[t]',
    minBars: ({ window }) => window,
    condition: ({ window }) => above(close, SMA(close, window)),
  }),
  defineSignal({
    name: 'sma_crossover',
    category: 'trend',
    type: 'TRIGGER',
    family: 'trend_following',
    bias: 'by_direction',
    requires: ['Close'],
    params: { window_fast: int(1, 200, 20), window_slow: int(1, 200, 50), direction: direction() },
    constraints: fastBelowSlow,
    indicators: ['SMA'],
    description: 'Fires when two simple averages cross in the chosen direction.',
    definition:
      'f = SMA(C,window_fast), s = SMA(C,window_slow); direction = bullish: f[t-1] <= s[t-1] and f[t] > s[t]; direction = bearish: f[t-1] >= s[t-1] and f[t] < s[t]; any other direction value: False',
    minBars: ({ window_slow }) => window_slow + 1,
    condition: ({ window_fast, window_slow, direction }) =>
      byDirection(direction, {
        bullish: crossesAbove(SMA(close, window_fast), SMA(close, window_slow)),
        bearish: crossesBelow(SMA(close, window_fast), SMA(close, window_slow)),
      }),
  }),
  defineSignal({
    name: 'sma_cross_up',
    category: 'trend',
    type: 'TRIGGER',
    family: 'trend_following',
    bias: 'bullish',
    requires: ['Close'],
    params: windowFastAndWindowSlow,
    constraints: fastBelowSlow,
    indicators: ['SMA'],
    description: 'Fires when the fast simple average crosses above the slow one.',
    definition: 'f = SMA(C,window_fast), s = SMA(C,window_slow): f[t-1] <= s[t-1] and f[t] > s[t]',
    minBars: ({ window_slow }) => window_slow + 1,
    condition: ({ window_fast, window_slow }) => crossesAbove(SMA(close, window_fast), SMA(close, window_slow)),
  }),
  defineSignal({
    name: 'sma_cross_down',
    category: 'trend',
    type: 'TRIGGER',
    family: 'trend_following',
    bias: 'bearish',
    requires: ['Close'],
    params: windowFastAndWindowSlow,
    constraints: fastBelowSlow,
    indicators: ['SMA'],
    description: 'Fires when the fast simple average crosses below the slow one.',
    definition: 'f = SMA(C,window_fast), s = SMA(C,window_slow): f[t-1] >= s[t-1] and f[t] < s[t]',
    minBars: ({ window_slow }) => window_slow + 1,
    condition: ({ window_fast, window_slow }) => crossesBelow(SMA(close, window_fast), SMA(close, window_slow)),
  }),
];
