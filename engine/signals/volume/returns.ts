import { CUMULATIVE_RETURN, RETURN } from '../../indicators/volume.js';
import { above, atLeast, below } from '../condition.js';
import { float } from '../params.js';
import type { Signal } from '../signal.js';
import { defineSignal } from '../signal.js';

const thresholdOnly = { threshold: float(0, 100, 0) };

export const returnsSignals: readonly Signal[] = [
  defineSignal({
    name: 'daily_return_positive',
    category: 'volume',
    type: 'FILTER',
    family: 'momentum',
    bias: 'bullish',
    requires: ['Close'],
    params: thresholdOnly,
    indicators: ['RETURN'],
    description: 'True when the one-bar return exceeds the level.',
    definition: 'DR[t] > threshold (percent)',
    minBars: () => 2,
    condition: ({ threshold }) => above(RETURN, threshold),
  }),
  defineSignal({
    name: 'daily_return_negative',
    category: 'volume',
    type: 'FILTER',
    family: 'momentum',
    bias: 'bearish',
    requires: ['Close'],
    params: thresholdOnly,
    indicators: ['RETURN'],
    description: 'True when the one-bar return is under the level.',
    definition: 'DR[t] < threshold (percent; the sign of threshold is not flipped)',
    minBars: () => 2,
    condition: ({ threshold }) => below(RETURN, threshold),
  }),
  defineSignal({
    name: 'cumulative_return_positive',
    category: 'volume',
    type: 'FILTER',
    family: 'trend_following',
    bias: 'bullish',
    requires: ['Close'],
    params: thresholdOnly,
    indicators: ['CUMRETURN'],
    description: 'True while the return since the first supplied bar exceeds the level.',
    definition: 'CR[t] > threshold (percent)',
    minBars: () => 2,
    condition: ({ threshold }) => above(CUMULATIVE_RETURN, threshold),
  }),
  defineSignal({
    name: 'cumulative_return_target',
    category: 'volume',
    type: 'FILTER',
    family: 'none',
    bias: 'bullish',
    requires: ['Close'],
    params: { target: float(1, 100, 10) },
    indicators: ['CUMRETURN'],
    description: 'True once the return since the first supplied bar reaches the target.',
    definition: 'CR[t] >= target (percent)',
    minBars: () => 2,
    condition: ({ target }) => atLeast(CUMULATIVE_RETURN, target),
  }),
];
