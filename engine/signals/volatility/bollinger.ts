import { close } from '../../indicators/column.js';
import { BOLLINGER } from '../../indicators/volatility.js';
import { above, below, crossesAbove, crossesBelow } from '../condition.js';
import { float, int } from '../params.js';
import type { Signal } from '../signal.js';
import { defineSignal } from '../signal.js';

const windowAndWindowDev = { window: int(5, 100, 20), window_dev: int(1, 5, 2) };

export const bollingerSignals: readonly Signal[] = [
  defineSignal({
    name: 'bb_upper_breakout',
    category: 'volatility',
    type: 'TRIGGER',
    family: 'breakout',
    bias: 'bullish',
    requires: ['Close'],
    params: windowAndWindowDev,
    indicators: ['BBANDS', 'SMA'],
    description: 'Fires when the close crosses above the upper Bollinger band.',
    definition: 'C[t-1] <= upper[t-1] and C[t] > upper[t]',
    minBars: ({ window }) => window + 1,
    asFormula: ({ window, window_dev }) => `crosses_above(close, bollinger_upper(${window}, ${window_dev}))`,
    condition: ({ window, window_dev }) => crossesAbove(close, BOLLINGER(window, window_dev).upper),
  }),
  defineSignal({
    name: 'bb_lower_breakout',
    category: 'volatility',
    type: 'TRIGGER',
    family: 'breakout',
    bias: 'bearish',
    requires: ['Close'],
    params: windowAndWindowDev,
    indicators: ['BBANDS', 'SMA'],
    description: 'Fires when the close crosses below the lower Bollinger band.',
    definition: 'C[t-1] >= lower[t-1] and C[t] < lower[t]',
    minBars: ({ window }) => window + 1,
    asFormula: ({ window, window_dev }) => `crosses_below(close, bollinger_lower(${window}, ${window_dev}))`,
    condition: ({ window, window_dev }) => crossesBelow(close, BOLLINGER(window, window_dev).lower),
  }),
  defineSignal({
    name: 'bb_squeeze',
    category: 'volatility',
    type: 'TRIGGER',
    family: 'volatility',
    bias: 'neutral',
    requires: ['Close'],
    params: { window: int(5, 100, 20), window_dev: int(1, 5, 2), threshold: float(1, 20, 5) },
    indicators: ['BBANDS', 'SMA'],
    description: 'Fires when Bollinger band width drops under the level.',
    definition: 'width[t-1] >= threshold and width[t] < threshold',
    minBars: ({ window }) => window + 1,
    asFormula: ({ window, window_dev, threshold }) =>
      `crosses_below(bollinger_width(${window}, ${window_dev}), ${threshold})`,
    condition: ({ window, window_dev, threshold }) => crossesBelow(BOLLINGER(window, window_dev).width, threshold),
  }),
  defineSignal({
    name: 'bb_above_upper',
    category: 'volatility',
    type: 'FILTER',
    family: 'breakout',
    bias: 'bullish',
    requires: ['Close'],
    params: windowAndWindowDev,
    indicators: ['BBANDS', 'SMA'],
    description: 'True while the close is above the upper Bollinger band.',
    definition: 'C[t] > upper[t]',
    minBars: ({ window }) => window,
    asFormula: ({ window, window_dev }) => `close > bollinger_upper(${window}, ${window_dev})`,
    condition: ({ window, window_dev }) => above(close, BOLLINGER(window, window_dev).upper),
  }),
  defineSignal({
    name: 'bb_below_lower',
    category: 'volatility',
    type: 'FILTER',
    family: 'mean_reversion',
    bias: 'bearish',
    requires: ['Close'],
    params: windowAndWindowDev,
    indicators: ['BBANDS', 'SMA'],
    description: 'True while the close is below the lower Bollinger band.',
    definition: 'C[t] < lower[t]',
    minBars: ({ window }) => window,
    asFormula: ({ window, window_dev }) => `close < bollinger_lower(${window}, ${window_dev})`,
    condition: ({ window, window_dev }) => below(close, BOLLINGER(window, window_dev).lower),
  }),
];
