import assert from 'node:assert/strict';
import test from 'node:test';
import { openStoredMarketData } from '../../../../data/providers/index.js';
import {
  type BulkOptions,
  listBacktests,
  runBulkBacktest,
  runSynchronousBacktest,
  Slot,
} from '../../../../service/backtests/index.js';
import { inThisThread, ThreadFailure } from '../../../../workers/index.js';
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

test('an item gives the same figures as a single run', async () => {
  const { results } = await runBulkBacktest(
    caller,
    { ...body, strategy_configs: [flat, nested] },
    await backtestDeps(),
    required,
  );
  for (const [i, item] of [flat, { ...nested.rules, asset: 'ETH' }].entries()) {
    const request = { ...body, asset: item.asset, strategy_json: JSON.stringify(item) };
    const alone = await runSynchronousBacktest(caller, request, await backtestDeps(), { filling: 'required' });
    assert.deepEqual(results[i]!.metrics, alone.metrics);
    assert.equal(results[i]!.trade_count, alone.trade_count);
  }
});

test('the settings of an item override the shared ones', async () => {
  const own = { execution_config: { initial_balance: 300 } };
  const shared = { ...body, execution_config: { initial_balance: 200, fee_pct: 0 } };
  const { results } = await runBulkBacktest(
    caller,
    { ...shared, strategy_configs: [flat, { ...flat, ...own }, { ...text, ...own }] },
    await backtestDeps(),
    required,
  );
  const balances = results.map(({ metrics }) => [metrics.starting_balance, metrics.total_fees]);
  assert.deepEqual(balances, [
    [200, 0],
    [300, 0],
    [300, 0],
  ]);
});

test('an item that fails gives the reason, and stops no other', async () => {
  const broken: [item: unknown, name: string, error: RegExp][] = [
    [null, 'strategy_0', /must have entry/],
    ['text', 'strategy_1', /strategy_configs\[1\] must be an object, was "text"/],
    [{ ...flat, asset: 'NOPE' }, 'Flat', /no bars of NOPE/],
    [{ ...flat, entry: [...entry, ...entry] }, 'Flat', /exactly 1 TRIGGER, has 2/],
    [{ ...flat, entry: { __proto__: null } }, 'Flat', /entry must be an array of rules/],
    [{ ...flat, interval: '1m' }, 'Flat', /interval must be one of/],
    [{ ...text, strategy_json: '{' }, 'strategy_6', /strategy_json must be JSON/],
    [{ ...flat, execution_config: { fee_pct: 9 } }, 'Flat', /fee_pct must be a number/],
    [{ ...flat, execution_config: 'none' }, 'strategy_8', /execution_config must be an object/],
    [{ name: 'x', entry }, 'x', /Missing required field: asset/],
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

test('bars count as loaded even where the engine fails on them', async () => {
  const engine = { ...inThisThread, compute: () => Promise.reject(new ThreadFailure('deadline', 'too slow')) };
  const request = { ...body, strategy_configs: [flat, { ...flat, asset: 'btc/usdt' }, nested] };
  const { results, data_fetches } = await runBulkBacktest(caller, request, await backtestDeps({ engine }), required);
  assert.deepEqual([results.map(({ success }) => success), data_fetches], [[false, false, false], 2]);
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

test('a field that every item lacks is a refusal; a field that one item lacks is its failure', async () => {
  const { initial_balance: _, ...lacking } = body;
  const run = async (items: readonly object[]) =>
    runBulkBacktest(caller, { ...lacking, strategy_configs: items }, await backtestDeps(), required);
  await assert.rejects(run([flat, nested]), {
    code: 'MISSING_FIELD',
    message: 'Missing required field: initial_balance',
  });
  const { results } = await run([flat, { ...flat, execution_config: { initial_balance: 5_000 } }]);
  assert.deepEqual(
    results.map(({ success, error }) => [success, error]),
    [
      [false, 'Missing required field: initial_balance'],
      [true, null],
    ],
  );
  const filled = await runBulkBacktest(caller, { ...dates, strategy_configs: [flat] }, await backtestDeps(), {
    filling: 'filled',
  });
  assert.equal(filled.results[0]!.success, true);
});

test('the whole request is refused for its lists and dates', async () => {
  const cases: [request: object, code: string, message: RegExp][] = [
    [body, 'MISSING_FIELD', /strategy_ids or strategy_configs/],
    [{ ...body, strategy_ids: [ids[0]], strategy_configs: [flat] }, 'VALIDATION_ERROR', /not both/],
    [{ ...body, strategy_configs: [] }, 'VALIDATION_ERROR', /must have 1\.\.99 items, has 0/],
    [{ ...body, strategy_configs: Array(100).fill(flat) }, 'VALIDATION_ERROR', /1\.\.99 items, has 100/],
    [{ ...body, strategy_configs: flat }, 'VALIDATION_ERROR', /must be an array/],
    [{ ...body, strategy_ids: [ids[0], 7] }, 'VALIDATION_ERROR', /must hold ids, holds 7/],
    [{ ...riskFields, strategy_configs: [flat] }, 'MISSING_FIELD', /^Missing required fields: start_date, end_date$/],
    [{ ...body, start_date: '2024-06-01', strategy_configs: [flat] }, 'VALIDATION_ERROR', /start_date must be before/],
  ];
  for (const [request, code, message] of cases) {
    await assert.rejects(runBulkBacktest(caller, request as never, await backtestDeps(), required), { code, message });
  }
});

test('a batch takes the slot once, and items beyond its deadline do not begin', async () => {
  let entries = 0;
  class CountedSlot extends Slot {
    override run<T>(work: () => Promise<T>): Promise<T> {
      entries++;
      return super.run(work);
    }
  }
  const deps = await backtestDeps({ slot: new CountedSlot() });
  const request = { ...body, strategy_configs: [flat, nested] };
  const { results } = await runBulkBacktest(caller, request, deps, { ...required, deadlineMs: 0 });
  assert.equal(entries, 1);
  for (const { error } of results) assert.equal(error, 'not run: the batch took longer than 0 ms');
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
