import type { Column } from '../../indicators/column.js';
import { HIGHER_TIMEFRAME_SLOPE } from '../../indicators/higher-timeframe.js';
import { parseInterval } from '../../series/intervals.js';
import { above, below } from '../condition.js';
import { float, int, timeframe } from '../params.js';
import type { Signal } from '../signal.js';
import { defineSignal } from '../signal.js';

const slope = (timeframe: string, window: number): Column => HIGHER_TIMEFRAME_SLOPE(parseInterval(timeframe), window);

/**
 * `window` + 1 completed buckets at any interval of the bars, and as many again for the average to
 * settle.
 */
const history = ({ higher_tf, window }: { readonly higher_tf: string; readonly window: number }): number =>
  2 * (window + 1) * parseInterval(higher_tf);

const params = {
  higher_tf: timeframe(['5m', '15m', '30m', '1h', '4h', '1D', '1W'], '1W'),
  window: int(2, 100, 10),
  slope_threshold: float(0, 0.5, 0),
};

export const higherTimeframeSignals: readonly Signal[] = [
  defineSignal({
    name: 'multi_tf_trend_bullish',
    category: 'trend',
    type: 'FILTER',
    family: 'trend_following',
    bias: 'bullish',
    requires: ['Close'],
    params: params,
    indicators: ['MTF_SLOPE', 'EMA'],
    description: 'True while the higher-timeframe EMA is rising.',
    definition: 'slope[t] > slope_threshold',
    minBars: () => 2,
    needsTimestamps: true,
    historyMs: history,
    condition: ({ higher_tf, window, slope_threshold }) => above(slope(higher_tf, window), slope_threshold),
  }),
  defineSignal({
    name: 'multi_tf_trend_bearish',
    category: 'trend',
    type: 'FILTER',
    family: 'trend_following',
    bias: 'bearish',
    requires: ['Close'],
    params: params,
    indicators: ['MTF_SLOPE', 'EMA'],
    description: 'True while the higher-timeframe EMA is falling.',
    definition: 'slope[t] < -slope_threshold',
    minBars: () => 2,
    needsTimestamps: true,
    historyMs: history,
    condition: ({ higher_tf, window, slope_threshold }) => below(slope(higher_tf, window), -slope_threshold),
  }),
];
