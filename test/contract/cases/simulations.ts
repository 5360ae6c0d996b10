import assert from 'node:assert/strict';
import type { ApiCode } from '../../../rpc/index.js';
import { dipStrategy, without } from '../../support/backtests.js';
import { contract } from '../../support/contract.js';
import { assertRefused } from '../../support/refusals.js';

const dates = { start_date: '2023-01-01', end_date: '2023-12-31' };
const daily = { asset: 'BTC', timeframe: '1d' };
const run = { ...dates, ...daily, strategy_config: dipStrategy };

contract('a simulation answers with trades, bars and settings, and stores only a line of history', async ({ api }) => {
  const { body, code } = await api.call('Simulations.Run', run);
  assert.equal(code, 'OK');
  assert.deepEqual([body.success, body.error, body.is_synthetic], [true, null, false]);
  assert.deepEqual([body.ohlcv.length, body.ohlcv[0].time], [365, Date.UTC(2023, 0, 1) / 1000]);
  assert.equal(body.trades.length, body.metrics.total_trades);
  const { name, asset, timeframe, entry, execution_config } = body.strategy_config;
  assert.deepEqual([name, asset, timeframe, entry], ['Dip buyer', 'BTC', '1d', dipStrategy.entry]);
  assert.deepEqual([execution_config.position_size_calc, execution_config.volatility_window], ['v2', 24]);
  const { body: kept } = await api.call('Batch.Run', {
    ...dates,
    asset: 'BTC',
    interval: '1d',
    strategy_json: JSON.stringify(dipStrategy),
  });
  assert.deepEqual(body.metrics, kept.metrics, 'the figures of a backtest');
  assert.equal((await api.call('Backtests.History')).body.total, 1, 'that backtest');
  const { body: history } = await api.call('Simulations.History');
  assert.deepEqual([history.total, history.limit, history.offset], [1, 50, 0]);
  assert.deepEqual(without(['created_at'], history.results[0]), {
    simulation_id: body.simulation_id,
    kind: 'run',
    status: 'completed',
    strategy_name: 'Dip buyer',
    asset: 'BTC',
    timeframe: '1d',
    dataset_file: body.dataset_file,
    trade_count: body.trades.length,
    metrics: body.metrics,
    error: null,
  });
});

contract('a dataset is named by file, hash, object, or asset and timeframe', async ({ api }) => {
  const { datasets } = (await api.call('Catalogue.ListDatasets')).body;
  const dataset = datasets.find((each: Record<string, string>) => each.asset === 'BTC' && each.timeframe === '1d');
  const strategy_config = { ...dipStrategy, timeframe: '1D' };
  const first = await api.call('Simulations.Run', { ...dates, strategy_config });
  assert.equal(first.body.dataset_file, dataset.file, 'as the strategy says');
  for (const named of [
    { dataset_file: dataset.file },
    { dataset_id: dataset.hash },
    { dataset: dataset.file },
    { dataset },
    { dataset: daily },
    { asset: 'btc-usdt', timeframe: '1D' },
  ]) {
    const { body } = await api.call('Simulations.Run', { ...dates, ...named, strategy: dipStrategy });
    assert.deepEqual([body.dataset_file, body.metrics], [dataset.file, first.body.metrics], JSON.stringify(named));
  }
  const { body: coarse } = await api.call('Simulations.Run', {
    start_date: '2023-03-01',
    end_date: '2023-03-31',
    dataset_file: datasets.find(({ timeframe }: { timeframe: string }) => timeframe === '5m').file,
    timeframe: '4h',
    strategy_config: dipStrategy,
  });
  assert.deepEqual([coarse.ohlcv.length, coarse.strategy_config.timeframe], [31 * 6, '4h']);
  const { body: other } = await api.call('Simulations.Run', {
    ...run,
    asset: undefined,
    timeframe: undefined,
    dataset_file: datasets.find(({ asset }: { asset: string }) => asset === 'ETH').file,
  });
  assert.match(other.warnings.join(), /the strategy is for BTC but ran on ETH/);
  assert.equal(other.strategy_config.asset, 'ETH');
});

const refusals: readonly [body: object, code: ApiCode, message: RegExp][] = [
  [{}, 'MISSING_FIELD', /: dataset_file .*, strategy_config$/],
  [{ ...run, dataset_file: 'BTC.csv' }, 'RESOURCE_NOT_FOUND', /^dataset BTC\.csv not found$/],
  [{ ...run, asset: 'NOPE' }, 'RESOURCE_NOT_FOUND', /^no bars of NOPE/],
  [{ ...run, strategy_config: {} }, 'INVALID_FIELD', /must have entry/],
  [{ ...run, execution_config: { fee_pct: 9 } }, 'INVALID_FIELD', /^fee_pct must be/],
  [{ ...run, start_date: '2030-01-01', end_date: '2030-02-01' }, 'INVALID_FIELD', /1d bar of BTC/],
];

contract('a wrong simulation is refused with the reason and leaves no line', async ({ api }) => {
  for (const [body, code, message] of refusals) {
    assertRefused(await api.call('Simulations.Run', body), code, message);
  }
  assert.equal((await api.call('Simulations.History')).body.total, 0);
});

contract('every preset generates its series, and its request runs on it', async ({ api }) => {
  const { presets } = (await api.call('Simulations.ListPresets')).body;
  assert.ok(presets.length >= 4);
  for (const preset of presets) {
    const { body, code } = await api.call('Simulations.Generate', without(['name', 'request'], preset));
    assert.equal(code, 'OK', preset.id);
    assert.deepEqual(
      [body.filename, body.dataset_file, body.asset_name, body.timeframe, body.seed, body.is_synthetic],
      [preset.request.dataset_file, body.filename, preset.asset_name, preset.timeframe, preset.seed, true],
    );
    assert.deepEqual((await api.call('Simulations.Generate', { id: preset.id })).body, body);
  }
  const { request } = presets[0];
  const { body } = await api.call('Simulations.Run', request);
  assert.deepEqual([body.success, body.is_synthetic, body.ohlcv.length], [true, true, 90 * 24]);
  assert.equal(body.metrics.benchmark_btc_return, null, 'there is nothing to compare it with');
  assert.ok(body.trades.length > 0);
});

const model = {
  asset_name: 'TEST',
  timeframe: '4h',
  duration_days: 20,
  n_agents: 10,
  initial_price: 50,
  market_condition: 'bearish',
  volatility: 0.8,
  seed: 1,
};

contract('a generated dataset belongs to its organization, and experiments do not list it', async ({ api, other }) => {
  const { body } = await api.call('Simulations.Generate', model);
  assert.deepEqual([body.rows, body.start_date, body.end_date], [120, '2024-01-01', '2024-01-20']);
  const request = { dataset_file: body.filename, strategy_config: { ...dipStrategy, asset: 'TEST' } };
  assert.equal((await api.call('Simulations.Run', request)).body.ohlcv[0].open, 50);
  assertRefused(await other.call('Simulations.Run', request), 'RESOURCE_NOT_FOUND', /^dataset synthetic-TEST-4h-/);
  const { datasets } = (await api.call('Catalogue.ListDatasets')).body;
  assert.ok(!datasets.some(({ asset }: { asset: string }) => asset === 'TEST'));
  const { body: history } = await api.call('Simulations.History', { limit: 1 });
  assert.deepEqual([history.total, history.limit, history.results[0].kind], [2, 1, 'run']);
  const { body: older } = await api.call('Simulations.History', { offset: 1 });
  const [line] = older.results;
  assert.deepEqual(
    [line.kind, line.dataset_file, line.strategy_name, line.trade_count, line.metrics],
    ['generate', body.filename, null, null, null],
  );
  assert.equal((await other.call('Simulations.History')).body.total, 0);
});

contract('a description gives candidates that run as they are', async ({ api }) => {
  const request = { prompt: 'Buy a breakout on high volume', timeframe: '1d', n: 99, seed: 5 };
  const { body } = await api.call('Simulations.Generate', request);
  assert.deepEqual([body.keywords, body.candidates.length], [['breakout', 'volume'], 10]);
  assert.deepEqual(body.strategy_config, body.candidates[0]);
  assert.deepEqual((await api.call('Simulations.Generate', request)).body, body, 'the same seed, the same candidates');
  for (const strategy_config of body.candidates.slice(0, 3)) {
    const { body: answer } = await api.call('Simulations.Run', { ...dates, strategy_config });
    assert.deepEqual([answer.success, answer.denied_signals], [true, []]);
  }
  const { body: plain } = await api.call('Simulations.Generate', { description: 'whatever' });
  assert.deepEqual([plain.keywords, plain.candidates.length, plain.seed], [['momentum'], 7, 42]);
});

contract('a wrong request to generate is refused with the reason', async ({ api }) => {
  for (const [body, code, message] of [
    [{ seed: 1 }, 'MISSING_FIELD', /: prompt .* or asset_name/],
    [{ prompt: 'trend', duration_days: 3 }, 'INVALID_FIELD', /either prompt.* or duration_days/],
    [{ id: 'nope' }, 'RESOURCE_NOT_FOUND', /^preset nope not found$/],
    [{ ...model, timeframe: '5m', duration_days: 174 }, 'INVALID_FIELD', /at most 50000 bars of 5m/],
  ] as const) {
    assertRefused(await api.call('Simulations.Generate', body), code, message);
  }
});
