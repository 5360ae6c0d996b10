import { close } from '../../indicators/column.js';
import { SMA } from '../../indicators/rolling.js';
import type { Condition } from '../condition.js';
import { above, all, below, noneOf } from '../condition.js';
import { risingList } from '../params.js';
import type { Signal } from '../signal.js';
import { defineSignal } from '../signal.js';

/** Compares every average with the next longer one. */
const stacked = (windows: readonly number[], relation: typeof above): Condition =>
  all(...windows.slice(1).map((longer, i) => relation(SMA(close, windows[i]), SMA(close, longer))));

const params = { windows: risingList(2, 1000, [5, 8, 13, 21, 34, 55, 89, 144]) };

export const ribbonSignals: readonly Signal[] = [
  defineSignal({
    name: 'ma_ribbon_bullish',
    category: 'trend',
    type: 'FILTER',
    family: 'trend_following',
    bias: 'bullish',
    requires: ['Close'],
    params: params,
    indicators: ['RIBBON', 'SMA'],
    description: 'True while all ribbon averages are stacked fastest on top.',
    definition: 'm_0 > m_1 > ... > m_last (strict, every adjacent pair)',
    minBars: ({ windows }) => Math.max(...windows),
    condition: ({ windows }) => stacked(windows, above),
  }),
  defineSignal({
    name: 'ma_ribbon_bearish',
    category: 'trend',
    type: 'FILTER',
    family: 'trend_following',
    bias: 'bearish',
    requires: ['Close'],
    params: params,
    indicators: ['RIBBON', 'SMA'],
    description: 'True while all ribbon averages are stacked fastest at the bottom.',
    definition: 'm_0 < m_1 < ... < m_last (strict, every adjacent pair)',
    minBars: ({ windows }) => Math.max(...windows),
    condition: ({ windows }) => stacked(windows, below),
  }),
  defineSignal({
    name: 'ma_ribbon_tangled',
    category: 'trend',
    type: 'FILTER',
    family: 'none',
    bias: 'neutral',
    requires: ['Close'],
    params: params,
    indicators: ['RIBBON', 'SMA'],
    description: 'True while the ribbon averages are in no strict order.',
    definition: 'all m_j non-NaN and neither the bullish nor the bearish stacking holds',
    minBars: ({ windows }) => Math.max(...windows),
    condition: ({ windows }) =>
      noneOf(
        windows.map((window) => SMA(close, window)),
        stacked(windows, above),
        stacked(windows, below),
      ),
  }),
];
