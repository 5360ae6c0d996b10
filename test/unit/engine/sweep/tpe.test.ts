import assert from 'node:assert/strict';
import test from 'node:test';
import { betterSide, metricNames } from '../../../../engine/metrics/index.js';
import { RunIdentity, rankingMetrics, readSweep, type SweepPlan } from '../../../../engine/sweep/index.js';
import { resultColumns } from '../../../../workers/index.js';
import { crossSweep, definitionOf, filter, findDataset, planOf, sha256, trigger } from '../../../support/sweeps.js';
import { largeSweep, searchAll, syntheticMetric } from '../../../support/tpe.js';

const tpe = (settings: unknown, more: object = {}) => crossSweep({ search_mode: 'tpe', tpe: settings, ...more });
const large = (trials: number, more: object = {}) => largeSweep({ search_mode: 'tpe', tpe: { trials }, ...more });

const hashesOf = (json: unknown, plan: SweepPlan): string[] => {
  const identity = new RunIdentity(definitionOf(json), sha256);
  return Array.from({ length: plan.totalRuns }, (_, i) => identity.configHash(plan.run(i)));
};
/** Identities of the trials in their order. */
const trialsOf = (json: unknown, metric = syntheticMetric): string[] => {
  const plan = planOf(json);
  searchAll(plan, metric);
  return hashesOf(json, plan);
};

test('only the number of trials is required; the rest has defaults', () => {
  assert.deepEqual(definitionOf(tpe({ trials: 1_000 })).tpe, {
    trials: 1_000,
    startupTrials: 64,
    batch: 32,
    candidates: 24,
    goodFraction: 0.15,
    metric: 'sharpe_ratio',
  });
  assert.equal(definitionOf(tpe({ trials: 100 })).tpe?.startupTrials, 25, 'a quarter of few');
  assert.equal(definitionOf(tpe({ trials: 1 })).tpe?.startupTrials, 1);
  assert.equal(definitionOf(crossSweep()).tpe, null);
});

const refusals: Readonly<Record<string, readonly [json: unknown, error: RegExp]>> = {
  'no settings': [tpe(undefined), /tpe is required/],
  'a list': [tpe([]), /tpe must be an object/],
  'no trials': [tpe({}), /tpe\.trials is required/],
  'too many trials': [tpe({ trials: 100_001 }), /tpe\.trials must be a whole number 1\.\.100000, was 100001/],
  'more at the start than there are': [
    tpe({ trials: 20, startup_trials: 21 }),
    /tpe\.startup_trials must be a whole number 1\.\.20, was 21/,
  ],
  'an empty batch': [tpe({ trials: 20, batch: 0 }), /tpe\.batch must be a whole number 1\.\.4096, was 0/],
  'half a candidate': [
    tpe({ trials: 20, candidates: 1.5 }),
    /tpe\.candidates must be a whole number 1\.\.1000, was 1\.5/,
  ],
  'nothing good': [tpe({ trials: 20, good_fraction: 0 }), /good_fraction must be above 0 and at most 0\.5, was 0/],
  'too much good': [
    tpe({ trials: 20, good_fraction: 0.6 }),
    /good_fraction must be above 0 and at most 0\.5, was 0\.6/,
  ],
  'an unknown metric': [
    tpe({ trials: 20, metric: 'sharpe' }),
    /tpe\.metric must be one of .*was "sharpe", did you mean/,
  ],
  'a metric without a better side': [
    tpe({ trials: 20, metric: 'exposure' }),
    /tpe\.metric must be one of .*, was "exposure", of which neither more nor less is better$/,
  ],
  'no entry filter, as in a grid': [
    tpe({ trials: 20 }, { entry_signals: { triggers: [trigger('sma_cross_up')] } }),
    /filters must have at least 1 FILTER/,
  ],
};

for (const [what, [json, error]] of Object.entries(refusals)) {
  test(`${what} is refused by name, bound and value`, () => {
    const { definition, errors } = readSweep(json, findDataset);
    assert.equal(definition, null);
    assert.ok(
      errors.some((message) => error.test(message)),
      errors.join('\n'),
    );
  });
}

test('a setting that a search does not use causes a warning', () => {
  const { warnings } = readSweep(tpe({ trials: 5, trails: 6 }, { grid_signals: { n_param_combos: 3 } }), findDataset);
  assert.deepEqual(warnings, ['tpe: unknown trails, ignored', 'grid_signals is for search_mode grid, ignored']);
  assert.deepEqual(readSweep(crossSweep({ tpe: { trials: 5 } }), findDataset).warnings, [
    'tpe is for search_mode tpe, ignored',
  ]);
});

test('the metrics that rank runs are those of the table with a better side that are columns of the rows', () => {
  const expected = metricNames.filter((name) => betterSide(name) !== 'neither' && resultColumns.includes(name));
  assert.deepEqual(rankingMetrics, expected);
  assert.ok(expected.includes('max_drawdown') && !expected.includes('total_trades'));
});

test('where less is better a search goes down as it goes up elsewhere', () => {
  const down = { trials: 96, metric: 'max_drawdown' };
  const trials = trialsOf(largeSweep({ search_mode: 'tpe', tpe: down }), (run) => -syntheticMetric(run));
  assert.deepEqual(trials, trialsOf(large(96)));
});

test('a space beyond 2^53 and a dataset listed twice are refused', () => {
  const axes = ['max_hold_bars', 'cooldown_config.1h.short_window_bars', 'volatility_window'].map((param) => ({
    param,
    ...{ min: 2, max: 500, step: 1 },
  }));
  const vast = large(10, { execution_config: { sweep_axes: axes } });
  assert.throws(() => planOf(vast), /at most 2\^53 configurations/);
  const btc = { asset: 'BTC', timeframe: '1h' };
  assert.throws(() => planOf(large(10, { datasets: [btc, btc] })), /BTC 1h is listed twice/);
});

test('the same seed gives the same trials, another seed or other results give others', () => {
  const trials = trialsOf(large(96));
  assert.equal(new Set(trials).size, 96);
  assert.deepEqual(trialsOf(large(96)), trials);
  assert.notDeepEqual(trialsOf(large(96, { seed: 7 })), trials);
  const inverse = trialsOf(large(96), (run) => -syntheticMetric(run));
  assert.deepEqual(inverse.slice(0, 24), trials.slice(0, 24), 'the startup knows no results');
  assert.notDeepEqual(inverse, trials);
});

test('batches end at the right places, dataset by dataset, and are proposed only after their results', () => {
  const settings = { trials: 10, startup_trials: 4, batch: 3 };
  const plan = planOf(tpe(settings, { entry_signals: largeSweep().entry_signals }));
  assert.equal(plan.totalRuns, 20);
  assert.throws(() => plan.run(0), /run 0 is not proposed yet/);
  const ends: number[] = [];
  searchAll(plan, (run, i) => {
    assert.equal(run.datasetIndex, i < 10 ? 0 : 1);
    assert.throws(() => plan.search!.propose(), /tell the results of a batch before/);
    const end = plan.search!.places(0, 20).findIndex(Number.isNaN);
    if (ends.at(-1) !== end) ends.push(end);
    return 1;
  });
  assert.deepEqual(ends, [4, 7, 10, 14, 17, -1]);
});

test('a space with fewer configurations than trials runs whole, each once, and the plan says so', () => {
  const json = tpe({ trials: 50, batch: 5 });
  const plan = planOf(json);
  assert.equal(plan.totalRuns, 24, '6 combinations, 2 variants, 2 datasets');
  assert.deepEqual(plan.warnings, [
    'BTC 1h: the space has 12 configurations, fewer than tpe.trials: each is run once',
    'ETH 1h: the space has 12 configurations, fewer than tpe.trials: each is run once',
  ]);
  const grid = crossSweep();
  assert.deepEqual(trialsOf(json, (_run) => NaN).sort(), hashesOf(grid, planOf(grid)).sort());
});

test('a configuration that the lists contain twice is one trial', () => {
  const json = tpe(
    { trials: 50 },
    {
      datasets: [{ asset: 'BTC', timeframe: '1h' }],
      entry_signals: {
        triggers: [
          trigger('sma_cross_up', { window_fast: { values: [5, 10] } }, { params: { window_slow: 50 } }),
          trigger('sma_cross_up', { window_fast: { values: [20, 10] } }, { params: { window_slow: 50 } }),
        ],
        filters: [filter('is_above_sma', {}, { params: { window: 100 } })],
      },
    },
  );
  const trials = trialsOf(json, () => 0);
  assert.equal(trials.length, 6, '3 windows, 2 variants');
  assert.equal(new Set(trials).size, 6);
});

test('failed runs rank worst, so a search keeps away from them', () => {
  const isSma = (name: string) => name === 'sma_cross_up';
  const counts = { failing: 0, sound: 0 };
  searchAll(planOf(large(256)), (run, i) => {
    const fails = isSma(run.entry[0].space.definition.signal.name);
    if (i >= 128) counts[fails ? 'failing' : 'sound']++;
    return fails ? NaN : -1e9 + syntheticMetric(run);
  });
  assert.ok(counts.failing < 12, `${counts.failing} of 128 trials went where every run fails`);
});

test('the best of 128 trials beats the best of as many random ones, in the median of 50 seeds and nearly always', () => {
  const trials = 128;
  const bestOf = (values: Iterable<number>) => Math.max(...values);
  const pairs = Array.from({ length: 50 }, (_, seed) => {
    const random = planOf(
      largeSweep({
        ...{ search_mode: 'random', n_random: trials, seed },
        random_signals: { min_exit_triggers: 1, max_exit_filters: 0 },
      }),
    );
    const drawn = Array.from({ length: trials }, (_, i) => syntheticMetric(random.run(i)));
    return { tpe: bestOf(searchAll(planOf(large(trials, { seed })), syntheticMetric)), random: bestOf(drawn) };
  });
  const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1];
  const medians = { tpe: median(pairs.map((one) => one.tpe)), random: median(pairs.map((one) => one.random)) };
  assert.ok(medians.tpe > medians.random + 0.1, JSON.stringify(medians));
  const wins = pairs.filter((one) => one.tpe > one.random).length;
  assert.ok(wins >= 45, `${wins} of 50 seeds`);
});
