import type { Column } from '../../indicators/column.js';
import { SUPERTREND } from '../../indicators/directional.js';
import { ATR } from '../../indicators/volatility.js';
import { atLeast, atMost, crossesAbove, crossesBelow } from '../condition.js';
import { float, int } from '../params.js';
import type { Signal } from '../signal.js';
import { defineSignal } from '../signal.js';

const trend = (window: number, multiplier: number): Column => SUPERTREND(ATR(window), window, multiplier);

const params = { window: int(5, 50, 10), multiplier: float(0.5, 10, 3) };

export const supertrendSignals: readonly Signal[] = [
  defineSignal({
    name: 'supertrend_long',
    category: 'trend',
    type: 'FILTER',
    family: 'trend_following',
    bias: 'bullish',
    requires: ['High', 'Low', 'Close'],
    params: params,
    indicators: ['SUPERTREND', 'ATR'],
    description: 'True while SuperTrend is in its long regime.',
    definition: 'dir[t] == +1',
    minBars: ({ window }) => window + 1,
    condition: ({ window, multiplier }) => atLeast(trend(window, multiplier), 1),
  }),
  defineSignal({
    name: 'supertrend_short',
    category: 'trend',
    type: 'FILTER',
    family: 'trend_following',
    bias: 'bearish',
    requires: ['High', 'Low', 'Close'],
    params: params,
    indicators: ['SUPERTREND', 'ATR'],
    description: 'True while SuperTrend is in its short regime.',
    definition: 'dir[t] == -1',
    minBars: ({ window }) => window + 1,
    condition: ({ window, multiplier }) => atMost(trend(window, multiplier), -1),
  }),
  defineSignal({
    name: 'supertrend_flip_up',
    category: 'trend',
    type: 'TRIGGER',
    family: 'trend_following',
    bias: 'bullish',
    requires: ['High', 'Low', 'Close'],
    params: params,
    indicators: ['SUPERTREND', 'ATR'],
    description: 'Fires when SuperTrend turns from short to long.',
    definition: 'dir[t-1] == -1 and dir[t] == +1',
    minBars: ({ window }) => window + 2,
    condition: ({ window, multiplier }) => crossesAbove(trend(window, multiplier), 0),
  }),
  defineSignal({
    name: 'supertrend_flip_down',
    category: 'trend',
    type: 'TRIGGER',
    family: 'trend_following',
    bias: 'bearish',
    requires: ['High', 'Low', 'Close'],
    params: params,
    indicators: ['SUPERTREND', 'ATR'],
    description: 'Fires when SuperTrend turns from long to short.',
    definition: 'dir[t-1] == +1 and dir[t] == -1',
    minBars: ({ window }) => window + 2,
    condition: ({ window, multiplier }) => crossesBelow(trend(window, multiplier), 0),
  }),
];
