import assert from 'node:assert/strict';
import { methodExample } from '../../../http/openapi.js';
import { grpcApi } from '../../support/api.js';
import { dipStrategy, riskFields } from '../../support/backtests.js';
import { contract } from '../../support/contract.js';
import { assertRefused } from '../../support/refusals.js';

const plan = { config: methodExample('Experiments.Create').body };
const year = { start_date: '2023-01-01', end_date: '2023-12-31' };
const { asset: _, ...anywhere } = dipStrategy;
const filter = { name: 'is_above_sma', signal_type: 'FILTER', timeframe: '1d', params: { window: 200 } };
const member = (asset: string) => ({ strategy: anywhere, asset });

contract('runs of all kinds are one list, which tags, assets, text and names narrow', async ({ api, other }) => {
  const portfolio = { name: 'two majors', interval: '1d', members: [member('BTC'), member('ETH')] };
  const { body: pair } = await api.call('Portfolios.Run', { portfolio, ...year });
  const { body: sweep } = await api.call('Experiments.Create', plan);
  const { body: one } = await api.call('Portfolios.Run', {
    portfolio: { name: 'one', interval: '1d', members: [member('ETH')] },
    ...year,
  });
  const idsOf = async (filter: object = {}) => {
    const { code, message, body } = await api.call('Runs.List', filter);
    assert.equal(code, 'OK', String(message));
    assert.ok(body.total >= body.runs.length);
    return body.runs.map(({ run_id }: { run_id: string }) => run_id);
  };
  assert.deepEqual(await idsOf(), [one.portfolio_id, sweep.experiment_id, pair.portfolio_id]);
  assert.deepEqual(await idsOf({ limit: 1, offset: 1 }), [sweep.experiment_id]);
  assert.deepEqual(await idsOf({ kind: 'experiment' }), [sweep.experiment_id]);
  assert.deepEqual(await idsOf({ asset: 'btc-usd' }), [pair.portfolio_id]);
  assert.deepEqual(await idsOf({ strategy: 'one' }), [one.portfolio_id]);
  assert.deepEqual(await idsOf({ date_to: '2001-01-01' }), []);

  const marks = { run_id: pair.portfolio_id, tags: ['keep', 'keep', "it's"], note: 'Too FEW trades, 100 %' };
  const { body: marked } = await api.call('Runs.Mark', marks);
  assert.deepEqual([marked.tags, marked.note, marked.kind], [['keep', "it's"], marks.note, 'portfolio']);
  assert.deepEqual([marked.assets, marked.total_return], [['BTC', 'ETH'], pair.metrics.total_return]);
  assert.deepEqual(await idsOf({ tag: "it's" }), [pair.portfolio_id]);
  assert.deepEqual(await idsOf({ text: 'few trades, 100 %' }), [pair.portfolio_id]);
  assert.deepEqual((await other.call('Runs.List')).body, {
    ...{ runs: [], total: 0, kinds: ['backtest', 'portfolio', 'experiment'] },
  });
  assertRefused(await other.call('Runs.Mark', marks), 'RESOURCE_NOT_FOUND', /^run .* not found$/);
});

contract('an archived run is left out of lists until it is asked for or brought back', async ({ api }) => {
  const { body: sweep } = await api.call('Experiments.Create', plan);
  const { experiment_id: run_id } = sweep;
  const count = async (request: object = {}) => {
    const { body: all } = await api.call('Runs.List', request);
    const { body: own } = await api.call('Experiments.List', request);
    return [all.total, own.experiments?.length ?? own.length];
  };
  assert.deepEqual(await count(), [1, 1]);
  const { body } = await api.call('Runs.Mark', { run_id, archived: true });
  assert.deepEqual([body.archived, await count(), await count({ include_archived: true })], [true, [0, 0], [1, 1]]);
  await api.call('Runs.Mark', { run_id });
  assert.deepEqual(await count(), [1, 1]);
});

contract('a key sees and marks experiments with their own scopes', async ({ api, service }) => {
  const { body: sweep } = await api.call('Experiments.Create', plan);
  const { body: minted } = await api.call('Auth.CreateApiKey', {
    ...{ name: 'runs', scopes: ['backtest:read', 'backtest:create'] },
  });
  const key = grpcApi(service.client, minted.key);
  const { body } = await key.call('Runs.List');
  assert.deepEqual([body.total, body.kinds], [0, ['backtest', 'portfolio']]);
  assertRefused(await key.call('Runs.List', { kind: 'experiment' }), 'INSUFFICIENT_PERMISSIONS', /oracle:read/);
  assertRefused(await key.call('Runs.Mark', { run_id: sweep.experiment_id }), 'RESOURCE_NOT_FOUND', /not found/);
});

contract('a key that may not read strategies sees the id of a stored one in place of its name', async (run) => {
  const { api, service } = run;
  const { body: made } = await api.call('Strategies.Create', {
    ...dipStrategy,
    ...{ name: 'A secret', entry: [...dipStrategy.entry, filter] },
  });
  const { code, message } = await api.call('Backtests.Run', {
    ...{ ...riskFields, ...year, strategy_id: made.strategy.id, interval: '1d' },
  });
  assert.equal(code, 'OK', String(message));
  const { body: minted } = await api.call('Auth.CreateApiKey', { name: 'runs', scopes: ['backtest:read'] });
  const key = grpcApi(service.client, minted.key);
  const named = { kind: 'backtest', text: 'secret' };
  assert.equal((await api.call('Runs.List', named)).body.runs[0].name, 'A secret');
  assert.equal((await key.call('Runs.List', named)).body.total, 0);
  assert.equal((await key.call('Runs.List', { kind: 'backtest' })).body.runs[0].name, made.strategy.id);
});

contract('marks beyond their bounds are refused by name', async ({ api }) => {
  const mark = (marks: object) => api.call('Runs.Mark', { run_id: 'any', ...marks });
  assertRefused(await mark({ tags: [' '] }), 'INVALID_FIELD', /^tags must be 1..50 characters each/);
  const many = Array.from({ length: 21 }, String);
  assertRefused(await mark({ tags: many }), 'INVALID_FIELD', /^tags must be at most 20 tags, was 21$/);
  assertRefused(await mark({ note: 'x'.repeat(2_001) }), 'INVALID_FIELD', /^note must be at most 2000 characters/);
});
