import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openBars } from '../../../../data/bars/index.js';
import { queryResults } from '../../../../data/sweeps/index.js';
import { executionFieldNames, metricNames } from '../../../../engine/index.js';
import { runBacktest } from '../../../../research/backtest/index.js';
import { runSweep, sweepReport } from '../../../../research/sweep/index.js';
import { sweepRequest } from '../../../support/sweep-setup.js';
import { crossSweep } from '../../../support/sweeps.js';
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

test('values that contradict each other are refused before any bar is read', async () => {
  const contradictory = { sweep_axes: [{ param: 'leverage', values: [10] }, { param: 'maintenance_margin', values: [0.2] }] }; // biome-ignore format: one line
  const run = rowsOf('refused', { ...sweep, execution_config: contradictory });
  await assert.rejects(run, /maintenance_margin must be below 1 \/ leverage = 0.1, was 0.2/);
});
