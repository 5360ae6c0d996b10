import assert from 'node:assert/strict';
import test from 'node:test';
import { EngineError } from '../../../../../engine/errors.js';
import { Frame } from '../../../../../engine/indicators/frame.js';
import { resolveParams } from '../../../../../engine/indicators/params.js';
import { bitIndices } from '../../../../../engine/series/bits.js';
import { HOUR_MS } from '../../../../../engine/series/index.js';
import { signalMask } from '../../../../../engine/signals/evaluate.js';
import { requireSignal } from '../../../../../engine/signals/registry.js';
import { columnsRead, parseStrategy, planStrategy } from '../../../../../engine/strategy/index.js';
import { randomBars, withOnchain } from '../../../../support/random.js';

const formula = requireSignal('formula');
const bars = withOnchain(randomBars({ seed: 5, barCount: 300, tick: 0.01, flatChance: 0.1, volatility: 0.02 }), 6);

const barsOf = (when: string, params: Readonly<Record<string, number>> = {}): number[] =>
  bitIndices(signalMask(formula, resolveParams(formula, { ...params, when }), Frame.of(bars)));

const barsWhere = (rule: (t: number) => boolean): number[] =>
  Array.from({ length: bars.barCount }, (_, t) => t).filter(rule);

const { open, high, low, close, volume } = bars;

const closeOf = (t: number): Date => new Date(bars.time[t] + bars.intervalMs);

/** Value of a column on the last bar for which a condition held. */
function latestOf(t: number, holds: (t: number) => boolean, column: Float64Array): number {
  for (let k = t; k >= 0; k--) if (holds(k)) return column[k];
  return NaN;
}

/** Every operator and function of the language that is no indicator, against plain arithmetic. */
const rules: Record<string, (t: number) => boolean> = {
  'close == open': (t) => close[t] === open[t],
  'not close != open': (t) => close[t] === open[t],
  'close > open or high == low and volume > 0': (t) => close[t] > open[t] || (high[t] === low[t] && volume[t] > 0),
  '(close > open or high == low) and volume > 0': (t) => (close[t] > open[t] || high[t] === low[t]) && volume[t] > 0,
  'close - open - high + low < 2 * -0.1': (t) => close[t] - open[t] - high[t] + low[t] < -0.2,
  'max(open, close) * 2 * 0.5 > high - -0.01 * 0': (t) => Math.max(open[t], close[t]) > high[t],
  'min(open, 99) < 99': (t) => Math.min(open[t], 99) < 99,
  'hour() == 0 and minute() == 0': (t) => closeOf(t).getUTCHours() === 0 && closeOf(t).getUTCMinutes() === 0,
  'weekday() == 7': (t) => closeOf(t).getUTCDay() === 0,
  'day() < 3 and month() == 1': (t) => closeOf(t).getUTCDate() < 3 && closeOf(t).getUTCMonth() === 0,
  'barssince(close > open) == 2': (t) =>
    [t, t - 1, t - 2].map((bar) => close[bar] > open[bar]).join() === 'false,false,true',
  'barssince(close > open) >= 0': (t) => [...close.keys()].some((bar) => bar <= t && close[bar] > open[bar]),
  'valuewhen(close > open, close) == close': (t) => latestOf(t, (k) => close[k] > open[k], close) === close[t],
  'percentrank(volume, 1) == 100': (t) => t > 0 && volume[t - 1] <= volume[t],
  'percentrank(close, 10) == 0': (t) => t >= 10 && close.subarray(t - 10, t).every((before) => before > close[t]),
  'abs(close - open) > 0.5': (t) => Math.abs(close[t] - open[t]) > 0.5,
  'close[1] > open[2]': (t) => t >= 2 && close[t - 1] > open[t - 2],
  'close[1][1] > (close - open)[1]': (t) => t >= 2 && close[t - 2] > close[t - 1] - open[t - 1],
  '(not (close > open and high > low))[2]': (t) => t >= 2 && !(close[t - 2] > open[t - 2] && high[t - 2] > low[t - 2]),
  'not crosses_above(close, 100)': (t) => t >= 1 && !(close[t - 1] <= 100 && close[t] > 100),
  'recently(close > 1.02 * open, 3)': (t) => t >= 2 && [t, t - 1, t - 2].some((bar) => close[bar] > 1.02 * open[bar]),
  'not 0 / (high - low) != 0': (t) => high[t] !== low[t],
  'not (0 / (high - low) != 0 and close > open)': (t) => high[t] !== low[t],
  '1 / 0 > 1e300': () => true,
  '0 / 0 == 0 / 0': () => false,
  'close / -0 < 0 or close / 0 > 0': () => true,
};

for (const [when, rule] of Object.entries(rules)) {
  test(`${when} means what it says`, () => assert.deepEqual(barsOf(when), barsWhere(rule)));
}

test('columns beside the bars are read bar by bar, and last repeats the newest value', () => {
  const flow = bars.columns.WhaleNetInflow!;
  let newest = NaN;
  const latest = Array.from(flow, (value) => (newest = Number.isNaN(value) ? newest : value));
  assert.ok(flow.some(Number.isNaN));
  assert.deepEqual(
    barsOf('column(WhaleNetInflow) > 0'),
    barsWhere((t) => flow[t]! > 0),
  );
  assert.deepEqual(
    barsOf('not column(WhaleNetInflow) > 0'),
    barsWhere((t) => flow[t]! <= 0),
  );
  assert.deepEqual(
    barsOf('last(column(WhaleNetInflow)) > 0'),
    barsWhere((t) => latest[t]! > 0),
  );
});

test('parameters are named with their bounds, and a misspelled column with the right one', () => {
  const resolve = (params: Record<string, unknown>) => () => resolveParams(formula, params);
  const refuses = (params: Record<string, unknown>, code: string, message: RegExp, details: object) =>
    assert.throws(resolve(params), (error) => {
      assert.ok(error instanceof EngineError);
      assert.equal(error.code, code);
      assert.match(error.message, message);
      assert.deepEqual(error.details, { signal: 'formula', ...details });
      return true;
    });
  const when = 'close > sma(close, n)';
  refuses({}, 'MISSING_FIELD', /^formula: parameter when is required$/, { field: 'when' });
  refuses({ when: 5 }, 'INVALID_FIELD', /when must be a formula over columns.*, was 5$/, { field: 'when' });
  const missing = /parameter n, named at character 20 of when, is required$/;
  refuses({ when }, 'MISSING_FIELD', missing, { field: 'n', position: 20 });
  const hint = /parameter clsoe, named at character 1 of when, is required, did you mean close\?$/;
  refuses({ when: 'clsoe > 1' }, 'MISSING_FIELD', hint, { field: 'clsoe', position: 1 });
  refuses({ when, n: 0 }, 'INVALID_FIELD', /n must be 1\.\.2000, was 0$/, { field: 'n' });
  refuses({ when, n: 1.5 }, 'INVALID_FIELD', /n must be a whole number 1\.\.2000, was 1\.5$/, { field: 'n' });
  refuses({ when, n: 5, m: 5 }, 'INVALID_FIELD', /unknown parameter "m", known are: when, n$/, { field: 'm' });
  const future = /^formula: when is wrong at character 15: a shift reads the past only/;
  refuses({ when: 'close > close[-1]' }, 'INVALID_FIELD', future, { field: 'when', position: 15 });
});

const strategyOf = (params: object) =>
  parseStrategy(
    { name: 'x', entry: [{ name: 'formula', signal_type: 'TRIGGER', timeframe: null, params }] },
    'relaxed',
  );

test('a plan asks for the columns that a formula reads', () => {
  const strategy = strategyOf({ when: 'last(column(FearGreed)) < 20' });
  assert.deepEqual(columnsRead(strategy), ['FearGreed']);
  assert.deepEqual(columnsRead(strategyOf({ when: 'last(' })), []);
  const [denied] = planStrategy(strategy, HOUR_MS).denied;
  assert.equal(denied?.reason, 'unsupported_column');
  assert.match(denied?.message ?? '', /the data has no column FearGreed; add it with/);
  assert.deepEqual(planStrategy(strategy, HOUR_MS, ['FearGreed']).denied, []);
});
