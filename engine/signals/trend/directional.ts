import type { Column } from '../../indicators/column.js';
import { ADX, AROON, VORTEX } from '../../indicators/directional.js';
import type { Condition } from '../condition.js';
import { above, below, byDirection, crossesAbove, crossesBelow } from '../condition.js';
import { direction, float, int } from '../params.js';
import type { Signal } from '../signal.js';
import { defineSignal } from '../signal.js';

/** Compares the two lines of an indicator, [leader, follower], by `relation`. */
const linesOf = ([first, second]: readonly Column[], relation: typeof above): Condition => relation(first, second);

const windowAndThreshold = { window: int(10, 50, 25), threshold: float(50, 100, 70) };
const windowOnly = { window: int(5, 30, 14) };

export const directionalSignals: readonly Signal[] = [
  defineSignal({
    name: 'adx_strong_trend',
    category: 'trend',
    type: 'FILTER',
    family: 'trend_following',
    bias: 'neutral',
    requires: ['High', 'Low', 'Close'],
    params: { window: int(5, 50, 14), threshold: float(15, 50, 25) },
    indicators: ['ADX'],
    description: 'True while the directional index shows a strong trend.',
    definition: 'ADX(window)[t] > threshold',
    minBars: ({ window }) => 2 * window,
    condition: ({ window, threshold }) => above(ADX(window)[2], threshold),
  }),
  defineSignal({
    name: 'adx_bullish_di',
    category: 'trend',
    type: 'FILTER',
    family: 'trend_following',
    bias: 'bullish',
    requires: ['High', 'Low', 'Close'],
    params: { window: int(5, 50, 14) },
    indicators: ['ADX'],
    description: 'True while +DI exceeds -DI.',
    definition: '+DI(window)[t] > -DI(window)[t]',
    minBars: ({ window }) => 2 * window,
    condition: ({ window }) => linesOf(ADX(window), above),
  }),
  defineSignal({
    name: 'aroon_up_trend',
    category: 'trend',
    type: 'FILTER',
    family: 'trend_following',
    bias: 'bullish',
    requires: ['High', 'Low'],
    params: windowAndThreshold,
    indicators: ['AROON'],
    description: 'True while Aroon Up is above the level.',
    definition: 'aroon_up(window)[t] > threshold',
    minBars: ({ window }) => window + 1,
    condition: ({ window, threshold }) => above(AROON(window)[0], threshold),
  }),
  defineSignal({
    name: 'aroon_down_trend',
    category: 'trend',
    type: 'FILTER',
    family: 'trend_following',
    bias: 'bearish',
    requires: ['High', 'Low'],
    params: windowAndThreshold,
    indicators: ['AROON'],
    description: 'True while Aroon Down is above the level.',
    definition: 'aroon_down(window)[t] > threshold',
    minBars: ({ window }) => window + 1,
    condition: ({ window, threshold }) => above(AROON(window)[1], threshold),
  }),
  defineSignal({
    name: 'aroon_crossover',
    category: 'trend',
    type: 'TRIGGER',
    family: 'trend_following',
    bias: 'by_direction',
    requires: ['High', 'Low'],
    params: { window: int(10, 50, 25), direction: direction() },
    indicators: ['AROON'],
    description: 'Fires when the Aroon lines cross in the chosen direction.',
    definition:
      'u = aroon_up, d = aroon_down; direction = bullish: u[t-1] <= d[t-1] and u[t] > d[t]; direction = bearish: u[t-1] >= d[t-1] and u[t] < d[t]; any other direction value: False',
    minBars: ({ window }) => window + 2,
    condition: ({ window, direction }) =>
      byDirection(direction, {
        bullish: linesOf(AROON(window), crossesAbove),
        bearish: linesOf(AROON(window), crossesBelow),
      }),
  }),
  defineSignal({
    name: 'vortex_bullish',
    category: 'trend',
    type: 'FILTER',
    family: 'trend_following',
    bias: 'bullish',
    requires: ['High', 'Low', 'Close'],
    params: windowOnly,
    indicators: ['VORTEX', 'TR'],
    description: 'True while positive vortex movement leads.',
    definition: 'VI+(window)[t] > VI-(window)[t]',
    minBars: ({ window }) => window + 1,
    condition: ({ window }) => linesOf(VORTEX(window), above),
  }),
  defineSignal({
    name: 'vortex_bearish',
    category: 'trend',
    type: 'FILTER',
    family: 'trend_following',
    bias: 'bearish',
    requires: ['High', 'Low', 'Close'],
    params: windowOnly,
    indicators: ['VORTEX', 'TR'],
    description: 'True while negative vortex movement leads.',
    definition: 'VI-(window)[t] > VI+(window)[t]',
    minBars: ({ window }) => window + 1,
    condition: ({ window }) => linesOf(VORTEX(window), below),
  }),
  defineSignal({
    name: 'vortex_crossover',
    category: 'trend',
    type: 'TRIGGER',
    family: 'trend_following',
    bias: 'by_direction',
    requires: ['High', 'Low', 'Close'],
    params: { window: int(5, 30, 14), direction: direction() },
    indicators: ['VORTEX', 'TR'],
    description: 'Fires when the vortex lines cross in the chosen direction.',
    definition:
      'p = VI+, n = VI-; direction = bullish: p[t-1] <= n[t-1] and p[t] > n[t]; direction = bearish: p[t-1] >= n[t-1] and p[t] < n[t]; any other direction value: False',
    minBars: ({ window }) => window + 2,
    condition: ({ window, direction }) =>
      byDirection(direction, {
        bullish: linesOf(VORTEX(window), crossesAbove),
        bearish: linesOf(VORTEX(window), crossesBelow),
      }),
  }),
];
