import { RSI_DIVERGENCE } from '../../indicators/divergence.js';
import { above } from '../condition.js';
import { int } from '../params.js';
import type { Signal } from '../signal.js';
import { defineSignal } from '../signal.js';

const params = { rsi_window: int(2, 100, 14), swing_window: int(2, 20, 5), min_swing_distance: int(3, 50, 10) };

export const rsiDivergenceSignals: readonly Signal[] = [
  defineSignal({
    name: 'rsi_bullish_divergence',
    category: 'trend',
    type: 'TRIGGER',
    family: 'mean_reversion',
    bias: 'bullish',
    requires: ['Close'],
    params: params,
    indicators: ['SWING', 'RSI', 'RMA'],
    description: 'Fires when a lower price low meets a higher RSI low.',
    definition:
      'R = RSI(C,rsi_window), s = swing_window; seen from bar t take every pair p1 < p2 of consecutive low swings of C with p2-p1 >= min_swing_distance; q1, q2 = the low swings of R nearest to p1 and p2 (tie: the earlier one); the pair qualifies if q1 != q2 and max(p2,q2)+s == t; True if some qualifying pair has C[p2] < C[p1] and R[q2] > R[q1]',
    minBars: ({ rsi_window, swing_window, min_swing_distance }) => rsi_window + 2 * swing_window + min_swing_distance,
    condition: ({ rsi_window, swing_window, min_swing_distance }) =>
      above(RSI_DIVERGENCE(rsi_window, swing_window, min_swing_distance, 'low', false), 0),
  }),
  defineSignal({
    name: 'rsi_bearish_divergence',
    category: 'trend',
    type: 'TRIGGER',
    family: 'mean_reversion',
    bias: 'bearish',
    requires: ['Close'],
    params: params,
    indicators: ['SWING', 'RSI', 'RMA'],
    description: 'Fires when a higher price high meets a lower RSI high.',
    definition:
      'R = RSI(C,rsi_window), s = swing_window; seen from bar t take every pair p1 < p2 of consecutive high swings of C with p2-p1 >= min_swing_distance; q1, q2 = the high swings of R nearest to p1 and p2 (tie: the earlier one); the pair qualifies if q1 != q2 and max(p2,q2)+s == t; True if some qualifying pair has C[p2] > C[p1] and R[q2] < R[q1]',
    minBars: ({ rsi_window, swing_window, min_swing_distance }) => rsi_window + 2 * swing_window + min_swing_distance,
    condition: ({ rsi_window, swing_window, min_swing_distance }) =>
      above(RSI_DIVERGENCE(rsi_window, swing_window, min_swing_distance, 'high', false), 0),
  }),
  defineSignal({
    name: 'rsi_hidden_bullish_divergence',
    category: 'trend',
    type: 'TRIGGER',
    family: 'trend_following',
    bias: 'bullish',
    requires: ['Close'],
    params: params,
    indicators: ['SWING', 'RSI', 'RMA'],
    description: 'Fires when a higher price low meets a lower RSI low.',
    definition:
      'R = RSI(C,rsi_window), s = swing_window; seen from bar t take every pair p1 < p2 of consecutive low swings of C with p2-p1 >= min_swing_distance; q1, q2 = the low swings of R nearest to p1 and p2 (tie: the earlier one); the pair qualifies if q1 != q2 and max(p2,q2)+s == t; True if some qualifying pair has C[p2] > C[p1] and R[q2] < R[q1]',
    minBars: ({ rsi_window, swing_window, min_swing_distance }) => rsi_window + 2 * swing_window + min_swing_distance,
    condition: ({ rsi_window, swing_window, min_swing_distance }) =>
      above(RSI_DIVERGENCE(rsi_window, swing_window, min_swing_distance, 'low', true), 0),
  }),
  defineSignal({
    name: 'rsi_hidden_bearish_divergence',
    category: 'trend',
    type: 'TRIGGER',
    family: 'trend_following',
    bias: 'bearish',
    requires: ['Close'],
    params: params,
    indicators: ['SWING', 'RSI', 'RMA'],
    description: 'Fires when a lower price high meets a higher RSI high.',
    definition:
      'R = RSI(C,rsi_window), s = swing_window; seen from bar t take every pair p1 < p2 of consecutive high swings of C with p2-p1 >= min_swing_distance; q1, q2 = the high swings of R nearest to p1 and p2 (tie: the earlier one); the pair qualifies if q1 != q2 and max(p2,q2)+s == t; True if some qualifying pair has C[p2] < C[p1] and R[q2] > R[q1]',
    minBars: ({ rsi_window, swing_window, min_swing_distance }) => rsi_window + 2 * swing_window + min_swing_distance,
    condition: ({ rsi_window, swing_window, min_swing_distance }) =>
      above(RSI_DIVERGENCE(rsi_window, swing_window, min_swing_distance, 'high', true), 0),
  }),
];
