import { close } from '../../indicators/column.js';
import { PSAR } from '../../indicators/directional.js';
import type { Condition } from '../condition.js';
import { above, ago, all, below, byDirection } from '../condition.js';
import { direction, float } from '../params.js';
import type { Signal } from '../signal.js';
import { defineSignal } from '../signal.js';

/** Strict on both bars, unlike the crossings: a SAR that touches the close does not reverse. */
const flips = (before: typeof above, now: typeof above, step: number, maxStep: number): Condition => {
  const sar = PSAR(step, maxStep);
  return all(before(ago(sar, 1), ago(close, 1)), now(sar, close));
};

const stepAndMaxStep = { step: float(0.01, 0.1, 0.02), max_step: float(0.1, 0.5, 0.2) };

export const psarSignals: readonly Signal[] = [
  defineSignal({
    name: 'psar_bullish',
    category: 'trend',
    type: 'FILTER',
    family: 'trend_following',
    bias: 'bullish',
    requires: ['High', 'Low', 'Close'],
    params: stepAndMaxStep,
    indicators: ['PSAR'],
    description: 'True while the parabolic SAR is under the close.',
    definition: 'sar[t] < C[t]',
    minBars: () => 2,
    condition: ({ step, max_step }) => below(PSAR(step, max_step), close),
  }),
  defineSignal({
    name: 'psar_bearish',
    category: 'trend',
    type: 'FILTER',
    family: 'trend_following',
    bias: 'bearish',
    requires: ['High', 'Low', 'Close'],
    params: stepAndMaxStep,
    indicators: ['PSAR'],
    description: 'True while the parabolic SAR is over the close.',
    definition: 'sar[t] > C[t]',
    minBars: () => 2,
    condition: ({ step, max_step }) => above(PSAR(step, max_step), close),
  }),
  defineSignal({
    name: 'psar_reversal',
    category: 'trend',
    type: 'TRIGGER',
    family: 'trend_following',
    bias: 'by_direction',
    requires: ['High', 'Low', 'Close'],
    params: { step: float(0.01, 0.1, 0.02), max_step: float(0.1, 0.5, 0.2), direction: direction() },
    indicators: ['PSAR'],
    description: 'Fires when the parabolic SAR changes side of the close.',
    definition:
      'direction = bullish: sar[t-1] > C[t-1] and sar[t] < C[t]; direction = bearish: sar[t-1] < C[t-1] and sar[t] > C[t]; any other direction value: False (all comparisons strict)',
    minBars: () => 3,
    condition: ({ step, max_step, direction }) =>
      byDirection(direction, {
        bullish: flips(above, below, step, max_step),
        bearish: flips(below, above, step, max_step),
      }),
  }),
];
