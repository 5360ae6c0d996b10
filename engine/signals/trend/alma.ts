import { close } from '../../indicators/column.js';
import { ALMA } from '../../indicators/moving-averages.js';
import { above, crossesAbove, crossesBelow } from '../condition.js';
import { fastBelowSlow, float, int } from '../params.js';
import type { Signal } from '../signal.js';
import { defineSignal } from '../signal.js';

const windowFastAndMore = {
  window_fast: int(2, 100, 9),
  window_slow: int(2, 200, 21),
  offset: float(0, 1, 0.85),
  sigma: float(0.1, 20, 6),
};

export const almaSignals: readonly Signal[] = [
  defineSignal({
    name: 'is_above_alma',
    category: 'trend',
    type: 'FILTER',
    family: 'trend_following',
    bias: 'bullish',
    requires: ['Close'],
    params: { window: int(2, 200, 21), offset: float(0, 1, 0.85), sigma: float(0.1, 20, 6) },
    indicators: ['ALMA'],
    description: 'True while the close is above its Arnaud Legoux average.',
    definition: 'C[t] > ALMA(C,window,offset,sigma)[t]',
    minBars: ({ window }) => window,
    condition: ({ window, offset, sigma }) => above(close, ALMA(close, window, offset, sigma)),
  }),
  defineSignal({
    name: 'alma_cross_up',
    category: 'trend',
    type: 'TRIGGER',
    family: 'trend_following',
    bias: 'bullish',
    requires: ['Close'],
    params: windowFastAndMore,
    constraints: fastBelowSlow,
    indicators: ['ALMA'],
    description: 'Fires when the fast Arnaud Legoux average crosses above the slow one.',
    definition:
      'f = ALMA(C,window_fast,offset,sigma), s = ALMA(C,window_slow,offset,sigma): f[t-1] <= s[t-1] and f[t] > s[t]',
    minBars: ({ window_slow }) => window_slow + 1,
    condition: ({ window_fast, window_slow, offset, sigma }) =>
      crossesAbove(ALMA(close, window_fast, offset, sigma), ALMA(close, window_slow, offset, sigma)),
  }),
  defineSignal({
    name: 'alma_cross_down',
    category: 'trend',
    type: 'TRIGGER',
    family: 'trend_following',
    bias: 'bearish',
    requires: ['Close'],
    params: windowFastAndMore,
    constraints: fastBelowSlow,
    indicators: ['ALMA'],
    description: 'Fires when the fast Arnaud Legoux average crosses below the slow one.',
    definition:
      'f = ALMA(C,window_fast,offset,sigma), s = ALMA(C,window_slow,offset,sigma): f[t-1] >= s[t-1] and f[t] < s[t]',
    minBars: ({ window_slow }) => window_slow + 1,
    condition: ({ window_fast, window_slow, offset, sigma }) =>
      crossesBelow(ALMA(close, window_fast, offset, sigma), ALMA(close, window_slow, offset, sigma)),
  }),
];
