import assert from 'node:assert/strict';
import test from 'node:test';
import { openStoredMarketData } from '../../../../data/providers/index.js';
import { type BulkOptions, listBacktests, runBulkBacktest } from '../../../../service/backtests/index.js';
import { backtestDeps, strategySource } from '../../../support/backtest-deps.js';
import { bundledStore, callerOf, dipStrategy, riskFields } from '../../../support/backtests.js';
import { changed } from '../../../support/changed.js';

const caller = callerOf('ann');
const { entry, exit } = dipStrategy;
const ids = ['3b0f1c1e-58a4-4a5c-9d0a-000000000001', '3b0f1c1e-58a4-4a5c-9d0a-000000000002'] as const;
const saved = { userId: caller.userId, name: 'Saved', asset: 'BTC', rules: { entry, exit }, executionConfig: {} };
const strategies = strategySource({ [ids[0]]: saved, [ids[1]]: { ...saved, userId: callerOf('bob').userId } });

const dates = { start_date: '2023-01-01', end_date: '2023-12-31' };
const body = { ...riskFields, ...dates, interval: '1d' };
const required: BulkOptions = { filling: 'required' };

const flat = { name: 'Flat', asset: 'BTC', entry, exit };
const nested = { asset: 'ETH', rules: { entry, exit, name: 'Nested', reward_factor: 3 } };
const text = { asset: 'BTC-USD', interval: '4h', strategy_json: JSON.stringify({ entry, exit }) };

test('items of every form keep their order, are stored, and share what they read', async () => {
  const reads: string[] = [];
  const market = openStoredMarketData({
    ...bundledStore,
    load: (query) => {
      reads.push(`${query.asset} ${query.intervalMs}`);
      return bundledStore.load(query);
    },
  });
  const deps = await backtestDeps({ market });
  const items = [flat, nested, text, { ...flat, name: 'Again', asset: 'btc/usdt' }];
  const { results, data_fetches, error } = await runBulkBacktest(
    caller,
    { ...body, strategy_configs: items },
    deps,
    required,
  );
  assert.deepEqual(
    results.map(({ success, strategy_name, strategy_id, error: problem }) => [
      success,
      strategy_name,
      strategy_id,
      problem,
    ]),
    ['Flat', 'Nested', 'strategy_2', 'Again'].map((name) => [true, name, null, null]),
  );
  assert.deepEqual(results[0]!.metrics, results[3]!.metrics);
  assert.deepEqual([data_fetches, error], [3, null]);
  assert.equal(new Set(reads).size, reads.length, 'each series is read once');
  const { backtests } = await listBacktests(caller, {}, deps);
  assert.deepEqual(new Set(backtests.map(({ id }) => id)), new Set(results.map(({ backtest_id }) => backtest_id)));
});

test('an item that fails gives the reason, and stops no other', async () => {
  const broken: [item: unknown, name: string, error: RegExp][] = [
    ['text', 'strategy_0', /strategy_configs\[0\] must be an object, was "text"/],
    [{ ...flat, asset: 'NOPE' }, 'Flat', /no bars of NOPE/],
    [{ ...flat, entry: [...entry, ...entry] }, 'Flat', /exactly 1 TRIGGER, has 2/],
    [{ ...text, strategy_json: '{' }, 'strategy_3', /strategy_json must be JSON/],
  ];
  const deps = await backtestDeps();
  const items = [...broken.map(([item]) => item), flat];
  const { results, data_fetches } = await runBulkBacktest(caller, { ...body, strategy_configs: items }, deps, required);
  for (const [i, [, name, error]] of broken.entries()) {
    const item = results[i]!;
    assert.match(item.error ?? '', error);
    const { success, metrics, trade_count, strategy_id, backtest_id } = item;
    assert.deepEqual([success, metrics, trade_count, strategy_id, backtest_id], [false, {}, 0, null, null]);
    assert.equal(item.strategy_name, name);
  }
  assert.equal(results.at(-1)!.success, true);
  assert.equal(data_fetches, 1);
  assert.equal((await listBacktests(caller, {}, deps)).total, 1);
  assert.deepEqual(deps.internalErrors, []);
});

test('saved strategies run by their ids; an unknown one and one of another user fail alike', async () => {
  const list = [ids[0], ids[1], 'no-id', ids[0]];
  const { results } = await runBulkBacktest(
    caller,
    { ...body, strategy_ids: list },
    await backtestDeps({ strategies }),
    required,
  );
  assert.deepEqual(
    results.map(({ success, strategy_id, strategy_name, error }) => [success, strategy_id, strategy_name, error]),
    [
      [true, ids[0], 'Saved', null],
      [false, ids[1], 'strategy_1', `strategy ${ids[1]} not found`],
      [false, 'no-id', 'strategy_2', 'strategy no-id not found'],
      [true, ids[0], 'Saved', null],
    ],
  );
});

test('a caller that leaves ends the batch between two items, and nothing of it is stored', async () => {
  const leaving = new AbortController();
  const deps = await backtestDeps();
  let computed = 0;
  const engine = changed(deps.engine, {
    compute: async (...work) => {
      const done = await deps.engine.compute(...work);
      computed++;
      leaving.abort(new Error('gone'));
      return done;
    },
  });
  const request = { ...body, strategy_configs: [flat, nested] };
  const run = runBulkBacktest(caller, request, { ...deps, engine }, { ...required, signal: leaving.signal });
  await assert.rejects(run, /^Error: gone$/);
  assert.equal(computed, 1);
  assert.equal((await listBacktests(caller, {}, deps)).total, 0);
});
