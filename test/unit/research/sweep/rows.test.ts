import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { corpusSchemas } from '../../../../data/corpus/index.js';
import { queryResults } from '../../../../data/sweeps/index.js';
import { executionFieldNames } from '../../../../engine/execution/index.js';
import { metricNames } from '../../../../engine/metrics/index.js';
import { runBacktest } from '../../../../research/backtest/index.js';
import { runSweep } from '../../../../research/sweep/index.js';
import { soak } from '../../../support/scale.js';
import { sweepRequest } from '../../../support/sweep-setup.js';
import { crossSweep, filter, trigger } from '../../../support/sweeps.js';
import { readRows, sweepsIn } from './swept-rows.js';

const { home, services } = sweepsIn('rows');

const sweep = crossSweep({
  datasets: [
    { asset: 'ETH', timeframe: '1d' },
    { asset: 'BTC', timeframe: '4h' },
  ],
  entry_signals: {
    triggers: [trigger('sma_cross_up', { window_fast: { values: [3, 10] }, window_slow: { values: [20, 30] } })],
    filters: [filter('is_above_sma', { window: { values: [50] } }), filter('rsi_oversold', {}, { timeframe: '1d' })],
    max_filters: 2,
  },
  exit_signals: { triggers: [trigger('sma_cross_down', {}, { params: { window_fast: 7, window_slow: 25 } })] },
  execution_config: {
    base: { fee_pct: 0.0007, slippage_pct: 0.0003, max_hold_bars: 40, max_risk_per_trade: 0.0123456789 },
    sweep_axes: [
      { param: 'stop_loss_calculation', values: ['dynamic_atr', 'fixed'] },
      { param: 'cooldown_config.4h.short_loss_limit', values: [2, 3] },
    ],
  },
});

const folder = join(home, 'sweep');
const startMs = Date.now();
const outcome = await runSweep(
  sweepRequest(
    {
      ...sweep,
      execution_config: {
        ...(sweep.execution_config as object),
        base: {
          ...(sweep.execution_config as { base: object }).base,
          cooldown_config: {
            '4h': { short_loss_limit: 3, long_loss_limit: 6, short_window_bars: 12, long_window_bars: 36 },
          },
        },
      },
    },
    folder,
  ),
  services,
);
const { columns, records } = await readRows(folder);

test('every run has one row, with the documented columns', async () => {
  assert.equal(outcome.done, outcome.total);
  assert.deepEqual(
    records.map(({ run_index }) => run_index),
    Array.from({ length: outcome.total }, (_, i) => i),
  );
  const swept = ['sma_cross_up_window_fast', 'sma_cross_up_window_slow', 'is_above_sma_window'];
  const documented = [...corpusSchemas.results.columns.values()].flatMap(({ name, isLeftOut }) =>
    isLeftOut ? [] : name,
  );
  // An axis inside a setting has a column of its own behind the settings.
  documented.splice(documented.indexOf('total_trades'), 0, 'cooldown_config_4h_short_loss_limit');
  assert.deepEqual(
    columns,
    documented.concat(swept),
    'the stored rows can be queried, with swept parameters as columns',
  );
  const [record] = records;
  assert.equal(record!.experiment_id, 'exp_test');
  assert.equal(record!.strategy_name, 'exp_ETH_1d_sma_cross_up_0');
  const completed = Date.parse(String(record!.completed_at));
  assert.ok(completed >= startMs && completed <= Date.now(), String(record!.completed_at));
  assert.equal(record!.rng_seed, 42_000_000);
  assert.match(String(record!.start_date), /^\d{4}-\d\d-\d\d$/);
  const types = await queryResults([folder], 'SELECT typeof(start_date), typeof(end_date) FROM results LIMIT 1');
  assert.deepEqual(types.rows, [['DATE', 'DATE']]);
  assert.match(String(record!.data_file_hash), /^sha256:[0-9a-f]{64}$/);
  assert.match(String(record!.config_hash), /^[0-9a-f]{16}$/);
  assert.equal(new Set(records.map(({ config_hash }) => config_hash)).size, records.length);
  assert.ok(records.some(({ status }) => status === 'ok'));
});

test('a row alone is enough to rebuild its strategy and configuration, and to run to the same metrics', async () => {
  for (const record of records.filter((_, i) => soak || i % 5 === 0)) {
    const { asset, timeframe, entry_json, exit_json, strategy_name } = record as Record<string, string>;
    const config: Record<string, unknown> = {};
    for (const name of executionFieldNames) if (name in record) config[name] = record[name];
    config.enable_volatility_adjustment = record.enable_volatility_adj;
    config.cooldown_config = {
      [timeframe!]: {
        short_loss_limit: record.cooldown_short_loss_limit,
        short_window_bars: record.cooldown_short_window_bars,
        long_loss_limit: record.cooldown_long_loss_limit,
        long_window_bars: record.cooldown_long_window_bars,
      },
    };
    const strategy = { name: strategy_name, asset, entry: JSON.parse(entry_json!), exit: JSON.parse(exit_json!) };
    const { result } = await runBacktest({ strategy, interval: timeframe, window: {}, config }, services);
    for (const name of metricNames) {
      if (!(name in record)) continue;
      assert.equal(record[name], result.metrics[name], `${name} of run ${record.run_index}`);
    }
  }
});
