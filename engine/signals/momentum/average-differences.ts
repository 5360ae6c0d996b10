import type { Column } from '../../indicators/column.js';
import { close, volume } from '../../indicators/column.js';
import { AWESOME, EMA_DIFFERENCE, PERCENT_OSCILLATOR } from '../../indicators/oscillators.js';
import { EMA } from '../../indicators/smoothing.js';
import { above, below, byDirection, crossesAbove, crossesBelow } from '../condition.js';
import { direction, fastBelowSlow, float, int } from '../params.js';
import type { Signal } from '../signal.js';
import { defineSignal } from '../signal.js';

/**
 * The direction as a name. Older clients send 1 for bullish and any other whole number for bearish.
 */
const awesomeDirection = (direction: string | number): string =>
  typeof direction === 'number' ? (direction === 1 ? 'bullish' : 'bearish') : direction;

/** A line with its own signal line. */
const withSignal = (line: Column, sign: number): readonly [line: Column, signal: Column] => [line, EMA(line, sign)];
const ppo = (fast: number, slow: number, sign: number) => withSignal(PERCENT_OSCILLATOR(close, fast, slow), sign);
const pvo = (fast: number, slow: number, sign: number) => withSignal(PERCENT_OSCILLATOR(volume, fast, slow), sign);

const windowFastAndWindowSlowAndThreshold = {
  window_fast: int(2, 15, 5),
  window_slow: int(20, 60, 34),
  threshold: float(0, 100, 0),
};
const windowSlowAndWindowFastAndWindowSign = {
  window_slow: int(15, 50, 26),
  window_fast: int(5, 20, 12),
  window_sign: int(3, 15, 9),
};
const windowFastAndWindowSlow = { window_fast: int(2, 100, 12), window_slow: int(5, 200, 26) };

export const averageDifferencesSignals: readonly Signal[] = [
  defineSignal({
    name: 'ao_bullish',
    category: 'momentum',
    type: 'FILTER',
    family: 'momentum',
    bias: 'bullish',
    requires: ['High', 'Low'],
    params: windowFastAndWindowSlowAndThreshold,
    constraints: fastBelowSlow,
    indicators: ['AO', 'SMA'],
    description: 'True while the awesome oscillator is above the level.',
    definition: 'AO(window_fast,window_slow)[t] > threshold',
    minBars: ({ window_slow }) => window_slow,
    condition: ({ window_fast, window_slow, threshold }) => above(AWESOME(window_fast, window_slow), threshold),
  }),
  defineSignal({
    name: 'ao_bearish',
    category: 'momentum',
    type: 'FILTER',
    family: 'momentum',
    bias: 'bearish',
    requires: ['High', 'Low'],
    params: windowFastAndWindowSlowAndThreshold,
    constraints: fastBelowSlow,
    indicators: ['AO', 'SMA'],
    description: 'True while the awesome oscillator is below the level.',
    definition: 'AO(window_fast,window_slow)[t] < threshold',
    minBars: ({ window_slow }) => window_slow,
    condition: ({ window_fast, window_slow, threshold }) => below(AWESOME(window_fast, window_slow), threshold),
  }),
  defineSignal({
    name: 'ao_zero_cross',
    category: 'momentum',
    type: 'TRIGGER',
    family: 'momentum',
    bias: 'by_direction',
    requires: ['High', 'Low'],
    params: { window_fast: int(2, 15, 5), window_slow: int(20, 60, 34), direction: direction() },
    constraints: fastBelowSlow,
    indicators: ['AO', 'SMA'],
    description: 'Fires when the awesome oscillator crosses zero in the chosen direction.',
    definition:
      'A = AO(window_fast,window_slow); direction = bullish: A[t-1] <= 0 and A[t] > 0; direction = bearish: A[t-1] >= 0 and A[t] < 0; any other direction value: False (integer direction: 1 = bullish, any other integer = bearish)',
    minBars: ({ window_slow }) => window_slow + 1,
    condition: ({ window_fast, window_slow, direction }) =>
      byDirection(awesomeDirection(direction), {
        bullish: crossesAbove(AWESOME(window_fast, window_slow), 0),
        bearish: crossesBelow(AWESOME(window_fast, window_slow), 0),
      }),
  }),
  defineSignal({
    name: 'ppo_bullish_cross',
    category: 'momentum',
    type: 'TRIGGER',
    family: 'momentum',
    bias: 'bullish',
    requires: ['Close'],
    params: windowSlowAndWindowFastAndWindowSign,
    constraints: fastBelowSlow,
    indicators: ['PPO', 'EMA'],
    description: 'Fires when the percentage price oscillator crosses above its signal line.',
    definition: 'p = PPO, s = its signal line: p[t-1] <= s[t-1] and p[t] > s[t]',
    minBars: ({ window_slow, window_sign }) => window_slow + window_sign,
    condition: ({ window_slow, window_fast, window_sign }) =>
      crossesAbove(...ppo(window_fast, window_slow, window_sign)),
  }),
  defineSignal({
    name: 'ppo_bearish_cross',
    category: 'momentum',
    type: 'TRIGGER',
    family: 'momentum',
    bias: 'bearish',
    requires: ['Close'],
    params: windowSlowAndWindowFastAndWindowSign,
    constraints: fastBelowSlow,
    indicators: ['PPO', 'EMA'],
    description: 'Fires when the percentage price oscillator crosses below its signal line.',
    definition: 'p = PPO, s = its signal line: p[t-1] >= s[t-1] and p[t] < s[t]',
    minBars: ({ window_slow, window_sign }) => window_slow + window_sign,
    condition: ({ window_slow, window_fast, window_sign }) =>
      crossesBelow(...ppo(window_fast, window_slow, window_sign)),
  }),
  defineSignal({
    name: 'pvo_bullish_cross',
    category: 'momentum',
    type: 'TRIGGER',
    family: 'volatility',
    bias: 'bullish',
    requires: ['Volume'],
    params: windowSlowAndWindowFastAndWindowSign,
    constraints: fastBelowSlow,
    indicators: ['PVO', 'EMA'],
    description: 'Fires when the percentage volume oscillator crosses above its signal line.',
    definition: 'p = PVO, s = its signal line: p[t-1] <= s[t-1] and p[t] > s[t]',
    minBars: ({ window_slow, window_sign }) => window_slow + window_sign,
    condition: ({ window_slow, window_fast, window_sign }) =>
      crossesAbove(...pvo(window_fast, window_slow, window_sign)),
  }),
  defineSignal({
    name: 'pvo_bearish_cross',
    category: 'momentum',
    type: 'TRIGGER',
    family: 'volatility',
    bias: 'bearish',
    requires: ['Volume'],
    params: windowSlowAndWindowFastAndWindowSign,
    constraints: fastBelowSlow,
    indicators: ['PVO', 'EMA'],
    description: 'Fires when the percentage volume oscillator crosses below its signal line.',
    definition: 'p = PVO, s = its signal line: p[t-1] >= s[t-1] and p[t] < s[t]',
    minBars: ({ window_slow, window_sign }) => window_slow + window_sign,
    condition: ({ window_slow, window_fast, window_sign }) =>
      crossesBelow(...pvo(window_fast, window_slow, window_sign)),
  }),
  defineSignal({
    name: 'apo_bullish',
    aliases: ['macd_line_positive'],
    category: 'momentum',
    type: 'FILTER',
    family: 'momentum',
    bias: 'bullish',
    requires: ['Close'],
    params: windowFastAndWindowSlow,
    constraints: fastBelowSlow,
    indicators: ['APO', 'EMA'],
    description: 'True while the fast EMA is above the slow EMA.',
    definition: 'APO(window_fast,window_slow)[t] > 0',
    minBars: ({ window_slow }) => window_slow,
    condition: ({ window_fast, window_slow }) => above(EMA_DIFFERENCE(close, window_fast, window_slow), 0),
  }),
  defineSignal({
    name: 'apo_bearish',
    aliases: ['macd_line_negative'],
    category: 'momentum',
    type: 'FILTER',
    family: 'momentum',
    bias: 'bearish',
    requires: ['Close'],
    params: windowFastAndWindowSlow,
    constraints: fastBelowSlow,
    indicators: ['APO', 'EMA'],
    description: 'True while the fast EMA is below the slow EMA.',
    definition: 'APO(window_fast,window_slow)[t] < 0',
    minBars: ({ window_slow }) => window_slow,
    condition: ({ window_fast, window_slow }) => below(EMA_DIFFERENCE(close, window_fast, window_slow), 0),
  }),
  defineSignal({
    name: 'apo_cross_up',
    aliases: ['macd_line_cross_up'],
    category: 'momentum',
    type: 'TRIGGER',
    family: 'momentum',
    bias: 'bullish',
    requires: ['Close'],
    params: windowFastAndWindowSlow,
    constraints: fastBelowSlow,
    indicators: ['APO', 'EMA'],
    description: 'Fires when the absolute price oscillator crosses above zero.',
    definition: 'A = APO(window_fast,window_slow): A[t-1] <= 0 and A[t] > 0',
    minBars: ({ window_slow }) => window_slow + 1,
    condition: ({ window_fast, window_slow }) => crossesAbove(EMA_DIFFERENCE(close, window_fast, window_slow), 0),
  }),
  defineSignal({
    name: 'apo_cross_down',
    aliases: ['macd_line_cross_down'],
    category: 'momentum',
    type: 'TRIGGER',
    family: 'momentum',
    bias: 'bearish',
    requires: ['Close'],
    params: windowFastAndWindowSlow,
    constraints: fastBelowSlow,
    indicators: ['APO', 'EMA'],
    description: 'Fires when the absolute price oscillator crosses below zero.',
    definition: 'A = APO(window_fast,window_slow): A[t-1] >= 0 and A[t] < 0',
    minBars: ({ window_slow }) => window_slow + 1,
    condition: ({ window_fast, window_slow }) => crossesBelow(EMA_DIFFERENCE(close, window_fast, window_slow), 0),
  }),
];
