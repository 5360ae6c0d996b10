import { type Column, close } from '../../indicators/column.js';
import { ALMA, DEMA, HMA, T3, TEMA, TRIMA } from '../../indicators/moving-averages.js';
import { RMA } from '../../indicators/smoothing.js';
import { EPMA } from '../../indicators/weighted.js';
import { above, crossesAbove, crossesBelow } from '../condition.js';
import { fastBelowSlow, float, int, type ParamSpecs, type ParamValues } from '../params.js';
import { defineSignal, type Signal } from '../signal.js';

/**
 * A moving average for which the library has three signals: the close above it, and the fast one
 * crossing above and below the slow one.
 */
interface Family {
  readonly key: string;
  /** As the descriptions call it. */
  readonly label: string;
  /** Its name in the catalogue comes first. */
  readonly indicators: Signal['indicators'];
  readonly average: (x: Column, window: number, params: ParamValues) => Column;
  readonly windowMin: number;
  /** Default of the single window, of the fast and of the slow one. */
  readonly defaults: readonly [single: number, fast: number, slow: number];
  /** Parameters beside the windows. */
  readonly shape?: ParamSpecs;
  /** Bars needed per bar of the window; 1 by default. */
  readonly barsPerWindow?: number;
}

const families: readonly Family[] = [
  {
    key: 'dema',
    label: 'double exponential',
    indicators: ['DEMA', 'EMA'],
    average: DEMA,
    windowMin: 2,
    defaults: [21, 9, 21],
  },
  {
    key: 'tema',
    label: 'triple exponential',
    indicators: ['TEMA', 'EMA'],
    average: TEMA,
    windowMin: 2,
    defaults: [21, 9, 21],
  },
  {
    key: 'trima',
    label: 'triangular',
    indicators: ['TRIMA', 'SMA'],
    average: TRIMA,
    windowMin: 2,
    defaults: [20, 10, 30],
  },
  {
    key: 'smma',
    label: 'smoothed (Wilder)',
    indicators: ['SMMA', 'RMA'],
    average: RMA,
    windowMin: 2,
    defaults: [14, 14, 50],
  },
  {
    key: 'epma',
    label: 'end-point regression',
    indicators: ['EPMA'],
    average: EPMA,
    windowMin: 2,
    defaults: [20, 10, 30],
  },
  { key: 'hma', label: 'Hull', indicators: ['HMA', 'WMA'], average: HMA, windowMin: 4, defaults: [16, 9, 25] },
  {
    key: 'alma',
    label: 'Arnaud Legoux',
    indicators: ['ALMA'],
    average: (x, window, { offset, sigma }) => ALMA(x, window, offset as number, sigma as number),
    windowMin: 2,
    defaults: [21, 9, 21],
    shape: { offset: float(0, 1, 0.85), sigma: float(0.1, 20, 6) },
  },
  {
    key: 't3',
    label: 'Tillson T3',
    indicators: ['T3', 'EMA'],
    average: (x, window, { volume_factor }) => T3(x, window, volume_factor as number),
    windowMin: 2,
    defaults: [10, 5, 10],
    shape: { volume_factor: float(0, 1, 0.7) },
    barsPerWindow: 6,
  },
];

const WINDOW_MAX = 200;
const FAST_MAX = 100;

function signalsOf({
  key,
  label,
  indicators,
  average,
  windowMin,
  defaults,
  shape = {},
  barsPerWindow = 1,
}: Family): Signal[] {
  const shared = { category: 'trend', family: 'trend_following', requires: ['Close'], indicators } as const;
  const [single, fast, slow] = defaults;
  const call = (window: string) => `${indicators[0]}(C,${[window, ...Object.keys(shape)].join(',')})`;
  const crossing = (isUp: boolean) =>
    defineSignal({
      ...shared,
      name: `${key}_cross_${isUp ? 'up' : 'down'}`,
      type: 'TRIGGER',
      bias: isUp ? 'bullish' : 'bearish',
      params: { window_fast: int(windowMin, FAST_MAX, fast), window_slow: int(windowMin, WINDOW_MAX, slow), ...shape },
      constraints: fastBelowSlow,
      description: `Fires when the fast ${label} average crosses ${isUp ? 'above' : 'below'} the slow one.`,
      definition: `f = ${call('window_fast')}, s = ${call('window_slow')}: f[t-1] ${isUp ? '<=' : '>='} s[t-1] and f[t] ${isUp ? '>' : '<'} s[t]`,
      minBars: ({ window_slow }) => barsPerWindow * window_slow + 1,
      condition: (params) =>
        (isUp ? crossesAbove : crossesBelow)(
          average(close, params.window_fast, params),
          average(close, params.window_slow, params),
        ),
    });
  return [
    defineSignal({
      ...shared,
      name: `is_above_${key}`,
      type: 'FILTER',
      bias: 'bullish',
      params: { window: int(windowMin, WINDOW_MAX, single), ...shape },
      description: `True while the close is above its ${label} average.`,
      definition: `C[t] > ${call('window')}[t]`,
      minBars: ({ window }) => barsPerWindow * window,
      condition: (params) => above(close, average(close, params.window, params)),
    }),
    crossing(true),
    crossing(false),
  ];
}

export const movingAverageSignals: readonly Signal[] = families.flatMap(signalsOf);
