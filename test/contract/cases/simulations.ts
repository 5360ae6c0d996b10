import assert from 'node:assert/strict';
import type { ApiCode } from '../../../rpc/index.js';
import { dipStrategy, without } from '../../support/backtests.js';
import { contract } from '../../support/contract.js';
import { assertRefused } from '../../support/refusals.js';
import { apiFor } from '../../support/service-users.js';

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

contract('a simulation trades both sides, and shows the whole strategy', async ({ api }) => {
  const [sell] = dipStrategy.exit;
  const [buy] = dipStrategy.entry;
  const short_entry = { any: [[sell], [{ ...buy, negate: true }]] };
  const strategy_config = { ...dipStrategy, short_entry, short_exit: [buy] };
  const execution_config = { leverage: 2, entry_order: 'limit', entry_offset_pct: 0.001, fee_pct: 0, slippage_pct: 0 };
  const { body, code, message } = await api.call('Simulations.Run', { ...run, strategy_config, execution_config });
  assert.equal(code, 'OK', message ?? '');
  assert.deepEqual(body.strategy_config.short_entry, short_entry);
  assert.equal(body.strategy_config.execution_config.entry_order, 'limit');
  const short = body.trades.find(({ side }: { side: string }) => side === 'exit_short');
  assert.ok(short.margin > 0 && short.liquidation_price > short.entry_price);
});

contract('a rule without a timeframe or parameters takes those of the run and the registry', async ({ api }) => {
  const bare = dipStrategy.entry.map((rule) => ({ ...rule, timeframe: null, params: null }));
  const { body } = await api.call('Simulations.Run', {
    ...run,
    strategy_config: { ...dipStrategy, entry: bare },
  });
  const named = dipStrategy.entry.map((rule) => ({ ...rule, timeframe: '1d', params: {} }));
  const { body: same } = await api.call('Simulations.Run', {
    ...run,
    strategy_config: { ...dipStrategy, entry: named },
  });
  assert.deepEqual(body.strategy_config.entry, bare, 'as it was written');
  assert.deepEqual(body.metrics, same.metrics);
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

contract('settings of the request beat those of the strategy, and refused rules are listed', async ({ api }) => {
  const strategy_config = {
    ...dipStrategy,
    entry: [{ ...dipStrategy.entry[0], name: 'luck' }],
    execution_config: { initial_balance: 300, fee_pct: 0.001 },
  };
  const { body } = await api.call('Simulations.Run', { ...run, strategy_config, execution_config: { fee_pct: 0 } });
  const { fee_pct, initial_balance } = body.strategy_config.execution_config;
  assert.deepEqual([body.success, fee_pct, initial_balance], [true, 0, 300]);
  assert.deepEqual([body.denied_signals[0].name, body.trades], ['luck', []]);
});

const refusals: readonly [body: object, code: ApiCode, message: RegExp][] = [
  [{}, 'MISSING_FIELD', /: dataset_file .*, strategy_config$/],
  [daily, 'MISSING_FIELD', /: strategy_config$/],
  [{ strategy: dipStrategy }, 'MISSING_FIELD', /: dataset_file \(or/],
  [{ ...run, dataset_file: 'BTC.csv' }, 'RESOURCE_NOT_FOUND', /^dataset BTC\.csv not found$/],
  [{ ...run, asset: 'NOPE' }, 'RESOURCE_NOT_FOUND', /^no bars of NOPE/],
  [{ ...run, strategy_config: {} }, 'INVALID_FIELD', /must have entry/],
  [{ ...run, strategy_config: 'x' }, 'INVALID_FIELD', /^strategy_config must be an object/],
  [
    { ...run, strategy_config: { ...dipStrategy, entry: [...dipStrategy.entry, ...dipStrategy.entry] } },
    'INVALID_FIELD',
    /exactly 1 TRIGGER/,
  ],
  [{ ...run, execution_config: { fee_pct: 9 } }, 'INVALID_FIELD', /^fee_pct must be/],
  [{ ...run, start_date: '2030-01-01', end_date: '2030-02-01' }, 'INVALID_FIELD', /1d bar of BTC/],
  [{ ...run, timeframe: '1m' }, 'INVALID_FIELD', /^timeframe must be one of/],
  [{ ...run, dataset: 7 }, 'INVALID_FIELD', /^dataset must be a name or a dataset object/],
];

contract('a wrong simulation is refused with the reason and leaves no line', async ({ api }) => {
  for (const [body, code, message] of refusals) {
    assertRefused(await api.call('Simulations.Run', body), code, message);
  }
  assert.equal((await api.call('Simulations.History')).body.total, 0);
});

contract('bars that are not held are drawn for a simulation that allows them', async ({ api }) => {
  const asked = {
    strategy_config: { ...dipStrategy, asset: 'ETH' },
    ...{ timeframe: '5m', start_date: '2024-03-01', end_date: '2024-03-10' },
  };
  const refused = await api.call('Simulations.Run', asked);
  assertRefused(refused, 'RESOURCE_NOT_FOUND', /a run with allow_generated_bars draws them/);
  const { body } = await api.call('Simulations.Run', { ...asked, execution_config: { allow_generated_bars: true } });
  assert.match(body.warnings.join(), /5m bars of ETH \(\d+ of \d+ with the history\) are generated/);
});

contract('a listed file with another hash is unknown', async ({ api }) => {
  const [dataset] = (await api.call('Catalogue.ListDatasets')).body.datasets;
  const request = { ...run, dataset: { ...dataset, hash: `sha256:${'0'.repeat(64)}` } };
  assertRefused(await api.call('Simulations.Run', request), 'RESOURCE_NOT_FOUND', /^dataset .* not found$/);
  const finer = { ...dates, dataset_file: dataset.file, timeframe: '1h', strategy: dipStrategy };
  assertRefused(await api.call('Simulations.Run', finer), 'INVALID_FIELD', /^timeframe must be a multiple of 1d/);
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

contract(
  'a generated dataset belongs to its organization, and experiments do not list it',
  async ({ api, other, service }) => {
    const { token } = await service.login();
    const own = apiFor(service, api.transport, token);
    const { body } = await own.call('Simulations.Generate', model);
    assert.deepEqual([body.rows, body.start_date, body.end_date], [120, '2024-01-01', '2024-01-20']);
    const request = { dataset_file: body.filename, strategy_config: { ...dipStrategy, asset: 'TEST' } };
    assert.equal((await own.call('Simulations.Run', request)).body.ohlcv[0].open, 50);
    assertRefused(await other.call('Simulations.Run', request), 'RESOURCE_NOT_FOUND', /^dataset synthetic-TEST-4h-/);
    const { datasets } = (await own.call('Catalogue.ListDatasets')).body;
    assert.ok(!datasets.some(({ asset }: { asset: string }) => asset === 'TEST'));
    const { body: history } = await own.call('Simulations.History', { limit: 1 });
    assert.deepEqual([history.total, history.limit, history.results[0].kind], [2, 1, 'run']);
    const { body: older } = await own.call('Simulations.History', { offset: 1 });
    const [line] = older.results;
    assert.deepEqual(
      [line.kind, line.dataset_file, line.strategy_name, line.trade_count, line.metrics],
      ['generate', body.filename, null, null, null],
    );
    assert.equal((await other.call('Simulations.History')).body.total, 0);
  },
);

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

const generateRefusals: readonly [body: object, code: ApiCode, message: RegExp][] = [
  [{ seed: 1 }, 'MISSING_FIELD', /: prompt .* or asset_name/],
  [{ prompt: 'trend', duration_days: 3 }, 'INVALID_FIELD', /either prompt.* or duration_days/],
  [{ duration_days: 3 }, 'MISSING_FIELD', /: asset_name$/],
  [{ id: 'nope' }, 'RESOURCE_NOT_FOUND', /^preset nope not found$/],
  [{ ...model, timeframe: '5m', duration_days: 174 }, 'INVALID_FIELD', /at most 50000 bars of 5m/],
  [{ prompt: 'trend', n: 5.5 }, 'INVALID_FIELD', /^n must be a whole number/],
  [{ prompt: ' ' }, 'INVALID_FIELD', /^prompt must be a text that is not blank/],
];

contract('a wrong request to generate is refused with the reason', async ({ api }) => {
  for (const [body, code, message] of generateRefusals) {
    assertRefused(await api.call('Simulations.Generate', body), code, message);
  }
});
