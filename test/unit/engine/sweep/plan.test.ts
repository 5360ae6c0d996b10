import assert from 'node:assert/strict';
import test from 'node:test';
import {
  neighboursOf,
  planSweep,
  RunIdentity,
  ruleOf,
  type SweepPlan,
  type SweepRun,
  sampleIndices,
} from '../../../../engine/sweep/index.js';
import { crossSweep, definitionOf, filter, planOf, sha256, trigger } from '../../../support/sweeps.js';

const windowsOf = ({ entry, dataset }: SweepRun) =>
  entry.flatMap((choice) => {
    const { params } = ruleOf(choice, dataset);
    return Object.keys(params)
      .sort()
      .map((name) => params[name]);
  });

const runsOf = (plan: SweepPlan): SweepRun[] => Array.from({ length: plan.totalRuns }, (_, i) => plan.run(i));

test('indices drawn with seed 42 are the published ones', () => {
  assert.deepEqual([...sampleIndices(100, 5, 42)], [3, 15, 27, 34, 71]);
  assert.deepEqual([...sampleIndices(6, 4, 42)], [0, 1, 2, 5]);
});

test('the hash of the published run is the published one', () => {
  const definition = definitionOf(
    crossSweep({
      datasets: [{ asset: 'BTC', timeframe: '1h' }],
      entry_signals: {
        triggers: [trigger('sma_cross_up', {}, { params: { window_fast: 5, window_slow: 20 } })],
        filters: [filter('is_above_sma', {}, { params: { window: 50 } })],
      },
    }),
  );
  const run = planSweep(definition, { sha256, runsMax: 10 }).run(0);
  const canonical = new RunIdentity(definition, sha256).canonical(run);
  const published = { ...JSON.parse(canonical), exec: { max_risk_per_trade: 0.01, reward_factor: 2 } };
  assert.equal(Object.keys(published).join(), 'asset,data,end,entry,exec,exit,start,timeframe');
  assert.equal(sha256(JSON.stringify(published)).slice(0, 16), '6672a6a4a9ac3149');
});

test('runs that a sweep lists twice run once, and their places stay in order', () => {
  const twice = crossSweep({
    datasets: [{ asset: 'BTC', timeframe: '1h' }],
    entry_signals: {
      triggers: [
        trigger('sma_cross_up', { window_fast: { values: [5, 10] } }, { params: { window_slow: 50 } }),
        trigger(
          'sma_cross_up',
          { window_fast: { values: [10, 20] } },
          { params: { window_slow: 50 }, timeframe: '1h' },
        ),
      ],
      filters: [filter('is_above_sma', {}, { params: { window: 100 } })],
    },
  });
  const plan = planOf(twice);
  assert.equal(plan.totalRuns, 6);
  assert.deepEqual(
    runsOf(plan).map((run) => [...windowsOf(run), run.variant]),
    [5, 10, 20].flatMap((fast) => [0, 1].map((variant) => [fast, 50, 100, variant])),
  );
  assert.match(plan.warnings.join(), /2 runs are listed more than once/);
  assert.equal(planOf(twice, { runsMax: 3 }).totalRuns, 4, 'counting stops one past the limit');
});

test('an empty space and one beyond 2^53 are refused', () => {
  const window = { window: { min: 2, max: 100, step: 1 } };
  const entry = (triggers: object[], names: string[], count: number) =>
    crossSweep({
      entry_signals: {
        triggers,
        filters: names.map((name) => filter(name, window)),
        min_filters: count,
        max_filters: count,
      },
    });
  const impossible = { window_fast: { values: [20] }, window_slow: { values: [10] } };
  assert.throws(
    () => planOf(entry([trigger('sma_cross_up', impossible)], ['is_above_sma'], 1)),
    /no valid combination/,
  );
  const wide = trigger('rsi_cross_up', { ...window, threshold: { min: 1, max: 99, step: 0.01 } });
  const names = ['is_above_sma', 'is_above_dema', 'is_above_vwma', 'is_above_tema', 'is_above_smma', 'is_above_trima'];
  assert.equal(planOf(entry([wide], names, 4)).totalRuns, 99 * 9_801 * 15 * 99 ** 4 * 4);
  assert.throws(() => planOf(entry([wide], names, 6)), /at most 2\^53/);
});

test('neighbours are the runs one step away along one axis, with constraints kept', () => {
  const json = crossSweep({
    datasets: [{ asset: 'BTC', timeframe: '1h' }],
    entry_signals: {
      triggers: [
        trigger('sma_cross_up', { window_fast: { min: 5, max: 20, step: 5 }, window_slow: { values: [10, 20] } }),
      ],
      filters: [filter('is_above_sma', { window: { values: [50, 100, 70] } }), filter('is_above_dema')],
      max_filters: 2,
      constraints: [['window_fast', '!=', 10]],
    },
    exit_signals: { triggers: [trigger('rsi_cross_up', { threshold: { values: [60, 70] } })] },
    execution_config: {
      sweep_axes: [
        { param: 'reward_factor', values: [2, 3, 5] },
        { param: 'stop_loss_calculation', values: ['fixed', 'dynamic_atr'] },
      ],
    },
  });
  const definition = definitionOf(json);
  const runs = runsOf(planOf(json));
  const identity = new RunIdentity(definition, sha256);
  /** The position of the run on every axis. */
  const place = ({ entry, exit, variant }: SweepRun) => [
    ...[...entry, ...exit].flatMap(({ space, combination }) => {
      const params = space.params(combination);
      return space.definition.axes.map(({ name, values }) => values.indexOf(params[name] as number));
    }),
    Math.floor(variant / 2),
    variant % 2,
  ];
  const names = ({ entry, exit }: SweepRun) =>
    [...entry, ...exit].map(({ space }) => space.definition.signal.name).join();
  const isNeighbour = (a: SweepRun, b: SweepRun) => {
    const [x, y] = [place(a), place(b)];
    return names(a) === names(b) && x.reduce((steps, at, i) => steps + Math.abs(at - y[i]), 0) === 1;
  };
  for (const run of runs) {
    const expected = runs.filter((other) => isNeighbour(run, other)).map((other) => identity.configHash(other));
    const actual = neighboursOf(run, definition).map((other) => identity.configHash(other));
    assert.deepEqual(actual.sort(), expected.sort());
  }
});
