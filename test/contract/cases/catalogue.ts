import assert from 'node:assert/strict';
import test from 'node:test';
import { signals } from '../../../engine/signals/index.js';
import { batchDefaults, executionDefaults, tradingDefaults } from '../../../service/config/index.js';
import { grpcApi, restApi } from '../../support/api.js';
import { contract, sharedService } from '../../support/contract.js';

contract('datasets are the held files, sorted, each with its identity', async ({ api }) => {
  const { body } = await api.call('Catalogue.ListDatasets');
  assert.deepEqual(
    body.datasets.map(({ asset, timeframe }: Record<string, string>) => `${asset} ${timeframe}`),
    ['BNB 1d', 'BTC 1d', 'BTC 1h', 'BTC 5m', 'ETH 1d', 'ETH 1h', 'SOL 1d', 'XRP 1d'],
  );
  const [daily] = body.datasets;
  assert.deepEqual([daily.rows, daily.start_date, daily.end_date], [1825, '2020-09-20', '2025-09-18']);
  for (const { file, hash } of body.datasets) {
    assert.match(hash, /^sha256:[0-9a-f]{64}$/);
    assert.match(file, /\.parquet$/);
  }
  assert.equal(new Set(body.datasets.map(({ file }: { file: string }) => file)).size, body.datasets.length);
});

contract('signals are listed with bounds and constraints, by type and words', async ({ api }) => {
  const { body } = await api.call('Catalogue.ListSignals', { search: 'macd bullish', type: 'TRIGGER' });
  const cross = body.signals.find(({ name }: { name: string }) => name === 'macd_bullish_cross');
  assert.deepEqual(cross.constraints, [['window_fast', '<', 'window_slow']]);
  const { type, min, max, default: otherwise, optional } = cross.params.window_fast;
  assert.deepEqual([type, min, max, otherwise, optional], ['int', 2, 50, 12, true]);
  assert.ok(body.signals.every((signal: Record<string, unknown>) => signal.type === 'TRIGGER'));
  const { body: averages } = await api.call('Catalogue.ListSignals', { search: 'moving average' });
  assert.ok(averages.signals.some(({ name }: { name: string }) => name === 'is_above_sma'));
  const { body: all } = await api.call('Catalogue.ListSignals', { search: ' ' });
  assert.equal(all.signals.length, signals.length);
  const required = all.signals.find(({ name }: { name: string }) => name === 'column_above').params.column;
  assert.deepEqual([required.default, required.optional], [null, false]);
  assert.deepEqual((await api.call('Catalogue.ListSignals', { search: 'nothing has this' })).body.signals, []);
});

test('documents of defaults stand alone in their answer, and those of the config need no credential', async () => {
  const { client, origin, login } = await sharedService();
  const { token } = await login();
  for (const [method, expected, by] of [
    ['Catalogue.GetExecutionDefaults', batchDefaults(), token],
    ['Config.GetTradingDefaults', tradingDefaults(), null],
    ['Config.GetExecutionDefaults', executionDefaults(), null],
  ] as const) {
    assert.deepEqual((await grpcApi(client, by).call(method)).body.defaults, expected);
    assert.deepEqual((await restApi(origin, by).call(method)).body, expected);
  }
});
