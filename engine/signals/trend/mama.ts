import { MAMA } from '../../indicators/adaptive.js';
import { close } from '../../indicators/column.js';
import { above, crossesAbove, crossesBelow } from '../condition.js';
import { float, int } from '../params.js';
import type { Signal } from '../signal.js';
import { defineSignal } from '../signal.js';

const params = { fast_limit: float(0.1, 1, 0.5), slow_limit: float(0.01, 0.5, 0.05), warmup_bars: int(6, 200, 64) };

export const mamaSignals: readonly Signal[] = [
  defineSignal({
    name: 'is_above_mama',
    category: 'trend',
    type: 'FILTER',
    family: 'trend_following',
    bias: 'bullish',
    requires: ['High', 'Low', 'Close'],
    params: params,
    constraints: [['slow_limit', '<=', 'fast_limit']],
    indicators: ['MAMA'],
    description: 'True while the close is above the MESA adaptive average.',
    definition: 'C[t] > mama[t]',
    minBars: ({ warmup_bars }) => warmup_bars + 1,
    condition: ({ fast_limit, slow_limit, warmup_bars }) => above(close, MAMA(fast_limit, slow_limit, warmup_bars)[0]),
  }),
  defineSignal({
    name: 'mama_cross_up',
    category: 'trend',
    type: 'TRIGGER',
    family: 'trend_following',
    bias: 'bullish',
    requires: ['High', 'Low'],
    params: params,
    constraints: [['slow_limit', '<=', 'fast_limit']],
    indicators: ['MAMA'],
    description: 'Fires when MAMA crosses above FAMA.',
    definition: 'm = mama, f = fama: m[t-1] <= f[t-1] and m[t] > f[t]',
    minBars: ({ warmup_bars }) => warmup_bars + 2,
    condition: ({ fast_limit, slow_limit, warmup_bars }) => crossesAbove(...MAMA(fast_limit, slow_limit, warmup_bars)),
  }),
  defineSignal({
    name: 'mama_cross_down',
    category: 'trend',
    type: 'TRIGGER',
    family: 'trend_following',
    bias: 'bearish',
    requires: ['High', 'Low'],
    params: params,
    constraints: [['slow_limit', '<=', 'fast_limit']],
    indicators: ['MAMA'],
    description: 'Fires when MAMA crosses below FAMA.',
    definition: 'm = mama, f = fama: m[t-1] >= f[t-1] and m[t] < f[t]',
    minBars: ({ warmup_bars }) => warmup_bars + 2,
    condition: ({ fast_limit, slow_limit, warmup_bars }) => crossesBelow(...MAMA(fast_limit, slow_limit, warmup_bars)),
  }),
];
