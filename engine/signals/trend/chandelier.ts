import { close } from '../../indicators/column.js';
import { CHANDELIER } from '../../indicators/volatility.js';
import { above, below } from '../condition.js';
import { float, int } from '../params.js';
import type { Signal } from '../signal.js';
import { defineSignal } from '../signal.js';

const params = { window: int(5, 100, 22), multiplier: float(0.5, 10, 3) };

export const chandelierSignals: readonly Signal[] = [
  defineSignal({
    name: 'chandelier_long_stop_hit',
    aliases: ['cl_below_high_offset'],
    category: 'trend',
    type: 'FILTER',
    family: 'trend_following',
    bias: 'bearish',
    requires: ['High', 'Low', 'Close'],
    params: params,
    indicators: ['CHANDELIER', 'ATR'],
    description: 'True while the close is under the long-side chandelier level.',
    definition: 'C[t] < high_offset[t]',
    minBars: ({ window }) => window,
    condition: ({ window, multiplier }) => below(close, CHANDELIER(window, multiplier).highOffset),
  }),
  defineSignal({
    name: 'chandelier_short_stop_hit',
    aliases: ['cl_above_low_offset'],
    category: 'trend',
    type: 'FILTER',
    family: 'trend_following',
    bias: 'bullish',
    requires: ['High', 'Low', 'Close'],
    params: params,
    indicators: ['CHANDELIER', 'ATR'],
    description: 'True while the close is over the short-side chandelier level.',
    definition: 'C[t] > low_offset[t]',
    minBars: ({ window }) => window,
    condition: ({ window, multiplier }) => above(close, CHANDELIER(window, multiplier).lowOffset),
  }),
];
