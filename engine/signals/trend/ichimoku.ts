import { LARGER, SMALLER } from '../../indicators/arithmetic.js';
import type { Column } from '../../indicators/column.js';
import { close } from '../../indicators/column.js';
import { ICHIMOKU, MIDPOINT } from '../../indicators/oscillators.js';
import { above, below, byDirection, crossesAbove, crossesBelow } from '../condition.js';
import { direction, int } from '../params.js';
import type { Signal } from '../signal.js';
import { defineSignal } from '../signal.js';

type CloudEdge = typeof LARGER;
const cloud = (edge: CloudEdge, tenkan: number, kijun: number, senkou: number): Column => {
  const { spanA, spanB } = ICHIMOKU(tenkan, kijun, senkou);
  return edge(spanA, spanB);
};

const windowTenkanAndWindowKijunAndWindowSenkou = {
  window_tenkan: int(5, 20, 9),
  window_kijun: int(15, 40, 26),
  window_senkou: int(30, 70, 52),
};

export const ichimokuSignals: readonly Signal[] = [
  defineSignal({
    name: 'ichimoku_bullish',
    category: 'trend',
    type: 'FILTER',
    family: 'trend_following',
    bias: 'bullish',
    requires: ['High', 'Low', 'Close'],
    params: windowTenkanAndWindowKijunAndWindowSenkou,
    indicators: ['ICHIMOKU'],
    description: 'True while the close is above both (undisplaced) cloud spans.',
    definition: 'C[t] > max(span_a[t], span_b[t])',
    minBars: ({ window_senkou }) => window_senkou,
    asFormula: ({ window_tenkan, window_kijun, window_senkou }) =>
      `close > max(span_a(${window_tenkan}, ${window_kijun}), midpoint(${window_senkou}))`,
    condition: ({ window_tenkan, window_kijun, window_senkou }) =>
      above(close, cloud(LARGER, window_tenkan, window_kijun, window_senkou)),
  }),
  defineSignal({
    name: 'ichimoku_bearish',
    category: 'trend',
    type: 'FILTER',
    family: 'trend_following',
    bias: 'bearish',
    requires: ['High', 'Low', 'Close'],
    params: windowTenkanAndWindowKijunAndWindowSenkou,
    indicators: ['ICHIMOKU'],
    description: 'True while the close is below both (undisplaced) cloud spans.',
    definition: 'C[t] < min(span_a[t], span_b[t])',
    minBars: ({ window_senkou }) => window_senkou,
    asFormula: ({ window_tenkan, window_kijun, window_senkou }) =>
      `close < min(span_a(${window_tenkan}, ${window_kijun}), midpoint(${window_senkou}))`,
    condition: ({ window_tenkan, window_kijun, window_senkou }) =>
      below(close, cloud(SMALLER, window_tenkan, window_kijun, window_senkou)),
  }),
  defineSignal({
    name: 'ichimoku_tk_cross',
    category: 'trend',
    type: 'TRIGGER',
    family: 'trend_following',
    bias: 'by_direction',
    requires: ['High', 'Low'],
    params: {
      window_tenkan: int(5, 20, 9),
      window_kijun: int(15, 40, 26),
      window_senkou: int(30, 70, 52),
      direction: direction(),
    },
    indicators: ['ICHIMOKU'],
    description: 'Fires when the conversion line crosses the base line in the chosen direction.',
    definition:
      'k = tenkan, j = kijun; direction = bullish: k[t-1] <= j[t-1] and k[t] > j[t]; direction = bearish: k[t-1] >= j[t-1] and k[t] < j[t]; any other direction value: False',
    minBars: ({ window_senkou }) => window_senkou + 1,
    asFormula: ({ window_tenkan, window_kijun, direction }) =>
      `crosses_${direction === 'bearish' ? 'below' : 'above'}(midpoint(${window_tenkan}), midpoint(${window_kijun}))`,
    condition: ({ window_tenkan, window_kijun, direction }) =>
      byDirection(direction, {
        bullish: crossesAbove(MIDPOINT(window_tenkan), MIDPOINT(window_kijun)),
        bearish: crossesBelow(MIDPOINT(window_tenkan), MIDPOINT(window_kijun)),
      }),
  }),
];
