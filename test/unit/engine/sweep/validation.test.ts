import assert from 'node:assert/strict';
import test from 'node:test';
import { EngineError } from '../../../../engine/errors.js';
import { readAxis } from '../../../../engine/sweep/axis.js';
import { readSweep } from '../../../../engine/sweep/index.js';
import { crossSweep, filter, findDataset, trigger } from '../../../support/sweeps.js';

const problemsOf = (json: unknown) => readSweep(json, findDataset);
const withEntry = (entry: object) =>
  crossSweep({ entry_signals: { ...(crossSweep().entry_signals as object), ...entry } });
const withFilter = (name: string, swept: object = {}, more: object = {}) =>
  withEntry({ filters: [filter(name, swept, more)] });
const withAxes = (...sweep_axes: readonly object[]) => crossSweep({ execution_config: { sweep_axes } });
const over = (param: string, ...values: readonly unknown[]) => ({ param, values });

const cross = trigger('sma_cross_up', { window_fast: { values: [5] }, window_slow: { values: [20] } });
const above = filter('is_above_sma', { window: { values: [50] } });
const adjustment = [over('enable_volatility_adjustment', false, true), over('target_volatility', 0.1, 0)];

const refusals: Readonly<Record<string, readonly [json: unknown, error: RegExp]>> = {
  'another mode': [crossSweep({ search_mode: 'bayes' }), /search_mode must be grid, random or tpe, was "bayes"/],
  'no entry trigger': [withEntry({ triggers: [] }), /at least 1 TRIGGER/],
  'more filters than listed': [withEntry({ max_filters: 3 }), /max_filters must be at most the 1 listed, was 3/],
  'an unknown parameter': [
    withFilter('is_above_sma', { length: { values: [5] } }),
    /unknown parameter "length", known are: window/,
  ],
  'a formula with an error': [
    withFilter('formula', { when: { values: ['close > open', 'close >'] } }),
    /when is wrong at character 8: expected a column/,
  ],
  'a value out of range': [
    withFilter('is_above_sma', { window: { values: [50, 5_000] } }),
    /window must be 1\.\.200, was 5000/,
  ],
  'a column that the data lacks': [
    withFilter('funding_negative_regime'),
    /needs the column PerpFundingRate, which BTC 1h lacks; add it with: barline data columns add FILE --asset BTC/,
  ],
  'a finer timeframe': [
    withEntry({ filters: [{ ...above, timeframe: '15m' }] }),
    /"15m" is finer than the dataset's 1h/,
  ],
  'a range the wrong way round': [
    withFilter('is_above_sma', { window: { min: 9, max: 5, step: 1 } }),
    /min must be at most max, was 9 against 5/,
  ],
  'a wrong base beside sound axes': [
    crossSweep({
      execution_config: { base: { fee_pct: -1 }, sweep_axes: [over('reward_factor', 2, 3)] },
    }),
    /execution_config\.base: fee_pct must be/,
  ],
  'a field swept twice': [withAxes(over('reward_factor', 2), over('reward_factor', 3)), /reward_factor is swept twice/],
  'a target of 0 for the adjustment that another axis turns on': [
    withAxes(...adjustment),
    /sweep_axes with enable_volatility_adjustment true and target_volatility 0: target_volatility must be a number > 0/,
  ],
  'the same in a random search': [
    crossSweep({ search_mode: 'random', n_random: 1, execution_config: { sweep_axes: adjustment } }),
    /target_volatility must be a number > 0 when the adjustment is on, was 0/,
  ],
  'random without a count': [crossSweep({ search_mode: 'random' }), /n_random is required/],
};

for (const [what, [json, error]] of Object.entries(refusals)) {
  test(`${what} is refused by name, bound and value`, () => {
    const { definition, errors } = problemsOf(json);
    assert.equal(definition, null);
    assert.ok(
      errors.some((message) => error.test(message)),
      errors.join('\n'),
    );
  });
}

test('unusual but harmless values cause a warning', () => {
  const { errors, warnings } = problemsOf(
    crossSweep({
      color: 'red',
      entry_signals: {
        triggers: [cross],
        filters: [{ ...above, params: { window: 9 } }, filter('is_above_dema', { window: { values: [9] } })],
        max_filters: 2,
      },
    }),
  );
  assert.deepEqual(errors, []);
  assert.match(warnings.join('\n'), /unknown color/);
  assert.match(warnings.join('\n'), /window is both fixed and swept/);
  assert.match(warnings.join('\n'), /a saved strategy may have at most 1 filter/);
});

test('an unknown dataset, and one with few bars, are named', () => {
  const { errors } = readSweep(crossSweep(), () => {
    throw new EngineError('NOT_FOUND', 'no such dataset');
  });
  assert.deepEqual(errors, ['datasets[0]: no such dataset', 'datasets[1]: no such dataset']);
  const { warnings } = readSweep(crossSweep(), (entry) => ({ ...findDataset(entry), rows: 499 }));
  assert.deepEqual(warnings, ['datasets[0] has only 499 bars', 'datasets[1] has only 499 bars']);
});

test('the values of an axis are a list without repetitions, or steps by multiplication', () => {
  assert.deepEqual(readAxis('x', { values: [3, 1, 3, 'a', true, 1] }), [3, 1, 'a', true]);
  assert.deepEqual(readAxis('x', { min: 2, max: 9, step: 3 }), [2, 5, 8]);
  assert.deepEqual(readAxis('x', { min: 0.1, max: 0.5, step: 0.1 }), [0.1, 0.2, 0.3, 0.4, 0.5]);
  assert.equal(readAxis('x', { min: 1, max: 10_000, step: 1 }).length, 10_000);
  assert.throws(() => readAxis('x', { min: 0, max: 10_000, step: 1 }), /at most 10000 values, has 10001/);
});

test('an entry without a filter is read where the rule is relaxed, and counts stay within the listed ones', () => {
  const relaxed = (entry: object) => readSweep(crossWith(entry), findDataset, undefined, [], undefined, 'relaxed');
  const crossWith = (entry: object) =>
    crossSweep({ entry_signals: { ...(crossSweep().entry_signals as object), ...entry } });
  for (const entry of [{ filters: [] }, { filters: [], min_filters: 0 }, { min_filters: 0 }]) {
    assert.deepEqual(relaxed(entry).errors, [], JSON.stringify(entry));
  }
  assert.match(
    relaxed({ filters: [], min_filters: 1 }).errors.join(),
    /max_filters must be at most the 0 listed, was 1/,
  );
  assert.match(relaxed({ filters: [], triggers: [] }).errors.join(), /triggers must have at least 1 TRIGGER/);
  const { definition } = relaxed({ filters: [] });
  assert.deepEqual([definition?.entry[0]?.filterMin, definition?.entry[0]?.filterMax], [0, 0]);
});

test('a signal of a sweep runs on weeks where the rule is relaxed, and not in the documented form', () => {
  const { entry_signals: entry } = crossSweep() as { entry_signals: { triggers: object[]; filters: object[] } };
  const weekly = { ...entry, filters: entry.filters.map((one) => ({ ...one, timeframe: '1w' })) };
  const read = (composition?: 'relaxed') =>
    readSweep(crossSweep({ entry_signals: weekly }), findDataset, undefined, [], undefined, composition);
  const { definition, errors } = read('relaxed');
  assert.deepEqual(errors, []);
  assert.deepEqual(definition?.entry[0]?.filters[0].timeframe, '7d');
  assert.match(read().errors.join(), /entry_signals\.filters\[0\]\.timeframe "1w" cannot be built from bars of 1h/);
});

test('an axis over a setting that nothing reads in any configuration is named', () => {
  const idle = (base: object, ...axes: readonly (readonly [param: string, values: readonly unknown[]])[]) => {
    const sweep_axes = axes.map(([param, values]) => ({ param, values }));
    const { errors, warnings } = problemsOf(crossSweep({ execution_config: { base, sweep_axes } }));
    assert.deepEqual(errors, []);
    return warnings.filter((line) => line.includes('equal runs'));
  };
  const starts = ['trailing_start', [0.5, 1]] as const;
  assert.deepEqual(idle({}, starts), [
    'execution_config: trailing_start is swept and acts only with trailing_distance, so its values give equal runs',
  ]);
  assert.deepEqual(idle({ trailing_distance: 0.01 }, starts), []);
  assert.deepEqual(idle({}, starts, ['trailing_distance', [null, 0.01]]), [], 'it acts in some configurations');
  const stops = ['fixed_stop_pct', [0.01, 0.02]] as const;
  assert.match(idle({}, stops)[0] ?? '', /fixed_stop_pct is swept and acts only with stop_loss_calculation fixed/);
  assert.deepEqual(idle({}, ['stop_loss_calculation', ['dynamic_atr', 'fixed']], stops), []);
  assert.match(idle({}, ['maintenance_margin', [0.01, 0.02]])[0] ?? '', /acts only with leverage or short rules/);
  assert.deepEqual(idle({}, ['maintenance_margin', [0.01, 0.02]], ['leverage', [1, 1.5]]), []);
  assert.deepEqual(idle({}, ['reward_factor', [1, 2, 3]], ['max_hold_bars', [10, 20]]), [], 'they always act');
});
