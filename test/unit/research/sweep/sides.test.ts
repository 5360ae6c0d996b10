import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openBars } from '../../../../data/bars/index.js';
import { queryResults } from '../../../../data/sweeps/index.js';
import {
  type BarSeries,
  computeMetrics,
  evaluateRules,
  executionFieldNames,
  metricNames,
  parseStrategy,
  planStrategy,
  resolveConfig,
  simulate,
} from '../../../../engine/index.js';
import { renderSweep } from '../../../../report/index.js';
import { runBacktest } from '../../../../research/backtest/index.js';
import { runSweep, sweepReport } from '../../../../research/sweep/index.js';
import { sweepRequest } from '../../../support/sweep-setup.js';
import { crossSweep, filter, trigger } from '../../../support/sweeps.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { root } from '../../../support/tree.js';

const home = temporaryFolder('sweep-sides');
const services = { store: openBars({ home, sampleDir: join(root, 'sample') }), engineVersion: '0.0.0-test' };

async function rowsOf(name: string, sweep: object) {
  const folder = join(home, name);
  const outcome = await runSweep(sweepRequest(sweep as Record<string, unknown>, folder), services);
  const { columns, rows } = await queryResults([folder], 'SELECT * FROM results ORDER BY run_index');
  return { outcome, records: rows.map((row) => Object.fromEntries(columns.map((column, i) => [column, row[i]]))) };
}

/** The settings of a row as a user would write them. */
function configOf(record: Record<string, unknown>, used: readonly string[]): Record<string, unknown> {
  const named = [...executionFieldNames, ...used].filter((name) => name in record);
  const tier = (key: string) => record[`cooldown_${key}`];
  return {
    ...Object.fromEntries(named.map((name) => [name, record[name]])),
    enable_volatility_adjustment: record.enable_volatility_adj,
    cooldown_config: {
      [String(record.timeframe)]: {
        short_loss_limit: tier('short_loss_limit'),
        short_window_bars: tier('short_window_bars'),
        long_loss_limit: tier('long_loss_limit'),
        long_window_bars: tier('long_window_bars'),
      },
    },
  };
}

const target_schedule = [
  [0, 0.05],
  [10, 0.02],
];
const sweep = crossSweep({
  datasets: [{ asset: 'ETH', timeframe: '1d' }],
  execution_config: {
    base: { target_calculation: 'schedule', target_schedule },
    sweep_axes: [
      { param: 'leverage', values: [1, 3] },
      { param: 'trailing_distance', values: [0.5, 2] },
    ],
  },
});

test('a sweep varies settings of margin and stops; its rows hold them and are the backtests', async () => {
  const { outcome, records } = await rowsOf('settings', sweep);
  assert.equal(outcome.total, 24);
  const used = ['leverage', 'trailing_distance', 'target_calculation', 'target_schedule'];
  const [first] = records as [Record<string, unknown>];
  assert.deepEqual(
    Object.keys(first).filter((name) => used.includes(name)),
    used,
    'columns of what is used, in the order of the table, and of nothing else',
  );
  assert.equal('trailing_start' in first, false);
  assert.deepEqual(
    new Set(records.map(({ leverage, trailing_distance }) => `${leverage} ${trailing_distance}`)),
    new Set(['1 0.5', '1 2', '3 0.5', '3 2']),
  );
  assert.equal(first.target_schedule, JSON.stringify(target_schedule));
  assert.ok(records.some(({ status }) => status === 'ok'));
  for (const record of records) {
    assert.notEqual(record.status, 'error', String(record.error_msg));
    const strategy = {
      name: 'of a row',
      asset: record.asset,
      entry: JSON.parse(String(record.entry_json)),
      exit: JSON.parse(String(record.exit_json)),
    };
    const config = { ...configOf(record, used), target_schedule };
    const { result } = await runBacktest({ strategy, interval: '1d', window: {}, config }, services);
    for (const name of metricNames.filter((one) => one in record)) {
      assert.equal(record[name], result.metrics[name], `${name} of run ${record.run_index}`);
    }
  }
  const { explored } = await sweepReport(outcome, 'sharpe_ratio', []);
  assert.ok(explored?.parameters.some(({ name }) => name.includes('leverage')));
});

const cross = (name: string) => ({
  triggers: [trigger(name, { window_fast: { values: [5, 10] } }, { params: { window_slow: 30 } })],
});
const bothSides = {
  ...sweep,
  entry_signals: cross('sma_cross_up'),
  exit_signals: { triggers: [trigger('sma_cross_down', {}, { params: { window_fast: 7, window_slow: 25 } })] },
  short_entry_signals: { ...cross('sma_cross_down'), filters: [filter('is_above_sma', { window: { values: [50] } })] },
  short_exit_signals: { triggers: [trigger('sma_cross_up', {}, { params: { window_fast: 7, window_slow: 25 } })] },
  execution_config: { sweep_axes: [{ param: 'opposite_entry', values: ['deny', 'reverse'] }] },
};

/** The rules of a row as masks, through a backtest's own planning. */
function masksOf(record: Record<string, unknown>, bars: BarSeries) {
  const strategy = (entry: string, exit: string) =>
    parseStrategy(
      { name: 'of a row', entry: JSON.parse(String(record[entry])), exit: JSON.parse(String(record[exit])) },
      'relaxed',
    );
  const of = (entry: string, exit: string) => evaluateRules(planStrategy(strategy(entry, exit), bars.intervalMs), bars);
  const [long, short] = [of('entry_json', 'exit_json'), of('short_entry_json', 'short_exit_json')];
  return { entry: long.entry, exit: long.exit, shortEntry: short.entry, shortExit: short.exit };
}

for (const search of [
  {},
  { search_mode: 'random', n_random: 12 },
  { search_mode: 'tpe', tpe: { trials: 8, startup_trials: 4 } },
]) {
  test(`a ${'search_mode' in search ? search.search_mode : 'grid'} sweep has rules of both sides, and its rows run to the same metrics`, async () => {
    const { outcome, records } = await rowsOf(`both-${JSON.stringify(search).length}`, { ...bothSides, ...search });
    assert.equal(outcome.done, outcome.total);
    assert.equal(new Set(records.map(({ config_hash }) => config_hash)).size, records.length);
    const { bars } = outcome.prepared.loaded[0] ?? assert.fail('no bars');
    for (const record of records) {
      assert.notEqual(record.status, 'error', String(record.error_msg));
      const { config } = resolveConfig({
        request: configOf(record, ['opposite_entry']),
        interval: bars.intervalMs,
        takesPositionFields: true,
      });
      const input = { bars, first: 0, ...masksOf(record, bars), config };
      const metrics = computeMetrics({ ...input, ...simulate(input) });
      for (const name of metricNames.filter((one) => one in record)) {
        assert.equal(record[name], metrics[name], `${name} of run ${record.run_index}`);
      }
    }
    assert.ok(records.some(({ opposite_entry }) => opposite_entry === 'reverse'));
    const sheet = await sweepReport(outcome, 'sharpe_ratio', []);
    assert.ok((sheet.best[0]?.short?.entry.length ?? 0) > 0);
    assert.ok(sheet.explored?.parameters.some(({ name }) => name.startsWith('short ')));
    assert.match(renderSweep(sheet), /Enters short when/);
  });
}

test('a sweep may be short only; its short entry needs a trigger, and a sieve does not know it', async () => {
  const { entry_signals, exit_signals, ...shortOnly } = bothSides;
  const { outcome, records } = await rowsOf('short-only', shortOnly);
  assert.equal(outcome.total, 4);
  assert.deepEqual(new Set(records.map(({ entry_json }) => entry_json)), new Set(['[]']));
  assert.deepEqual(new Set(records.map(({ trigger_name }) => trigger_name)), new Set(['sma_cross_down']));
  assert.ok(records.every(({ status }) => status === 'ok'));
  const refuses = (more: object, message: RegExp) =>
    assert.rejects(rowsOf('refused', { ...bothSides, ...more }), message);
  await refuses({ short_entry_signals: {} }, /short_entry_signals.triggers must have at least 1 TRIGGER/);
  await refuses({ short_entry_signals: undefined }, /short_exit_signals needs short_entry_signals/);
  await refuses({ sieve: { order: true } }, /sieve has not learned from short_entry_signals/);
});

test('values that contradict each other are refused before any bar is read', async () => {
  const contradictory = { sweep_axes: [{ param: 'leverage', values: [10] }, { param: 'maintenance_margin', values: [0.2] }] }; // biome-ignore format: one line
  const run = rowsOf('refused', { ...sweep, execution_config: contradictory });
  await assert.rejects(run, /maintenance_margin must be below 1 \/ leverage = 0.1, was 0.2/);
});
