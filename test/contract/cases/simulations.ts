import assert from 'node:assert/strict';
import { dipStrategy } from '../../support/backtests.js';
import { contract } from '../../support/contract.js';
import { assertRefused } from '../../support/refusals.js';

const dates = { start_date: '2023-01-01', end_date: '2023-12-31' };
const daily = { asset: 'BTC', timeframe: '1d' };

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
  const eth = datasets.find(({ asset }: { asset: string }) => asset === 'ETH').file;
  const { body: other } = await api.call('Simulations.Run', { ...dates, strategy_config, dataset_file: eth });
  assert.match(other.warnings.join(), /the strategy is for BTC but ran on ETH/);
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
