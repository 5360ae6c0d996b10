import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allocateBars, HOUR_MS } from '../../../../engine/series/index.js';
import { ApiError } from '../../../../service/api-error.js';
import { createAccount, getAccount, listAccounts } from '../../../../service/execution/accounts.js';
import { evaluateBulk, evaluateInline } from '../../../../service/execution/evaluate-strategy.js';
import { marketWarnings } from '../../../../service/execution/market.js';
import type { ExecutionServices } from '../../../../service/execution/store.js';
import { TestMarket } from '../../../support/execution-market.js';
import { ann, code, flats, inline, save, settings, state, up, world } from '../../../support/execution-world.js';
import { paperTrading } from '../../../support/paper-trading.js';
import { emptyState } from '../../../support/shared-state.js';
import { uuid } from '../../../support/uuid.js';

/** Hourly bars that open at these hours. */
function barsAt(hours: readonly number[]) {
  const bars = allocateBars(hours.length, HOUR_MS);
  hours.forEach((hour, i) => {
    bars.time[i] = hour * HOUR_MS;
  });
  return bars;
}

const hours = (count: number) => Array.from({ length: count }, (_, hour) => hour);

test('bars without holes that reach back far enough give no warning', () => {
  assert.deepEqual(marketWarnings(barsAt(hours(50)), 50 * HOUR_MS), []);
  assert.deepEqual(marketWarnings(barsAt([0, ...hours(50).map((hour) => hour + 9)]), 50 * HOUR_MS), [], 'before them');
});

test('a short history, missing bars and bars off the grid are named', () => {
  assert.deepEqual(marketWarnings(barsAt(hours(20)), 50 * HOUR_MS), [
    'history: 20 bars are held, the rules and sizes need 50 to warm up and settle: signals may differ',
  ]);
  const holes = hours(50).filter((hour) => hour !== 20 && hour !== 30 && hour !== 31);
  assert.deepEqual(marketWarnings(barsAt(holes), 50 * HOUR_MS), [
    'bars: 3 bars are missing between 1970-01-01T00:00:00Z and 1970-01-03T01:00:00Z',
  ]);
  const shifted = hours(50).map((hour) => (hour === 40 ? 40.25 : hour));
  assert.deepEqual(marketWarnings(barsAt(shifted), 50 * HOUR_MS), [
    'bars: the bar of 1970-01-02T16:15:00Z opens between the bars of its interval',
  ]);
});

async function setUp() {
  const { store, addStrategy } = paperTrading((await emptyState()).db);
  let ids = 0;
  const clock = { ms: Date.UTC(2024, 0, 1) };
  const services: ExecutionServices = {
    store,
    market: new TestMarket({}, 0),
    now: () => clock.ms,
    newId: () => uuid(100 + ids++),
  };
  return { store, addStrategy, services, clock };
}

const refused = (code: string, text: RegExp) => (error: unknown) =>
  error instanceof ApiError && error.code === code && text.test(error.message);

test('an account is opened with the documented defaults', async () => {
  const { services } = await setUp();
  const account = await createAccount(ann, { account_type: 'paper' }, services);
  assert.deepEqual(account, {
    id: uuid(100),
    org_id: uuid(900),
    user_id: uuid(1),
    account_type: 'paper',
    cash_balance: 10_000,
    account_value: 10_000,
    name: null,
    min_balance_threshold: 0.1,
    min_trade_amount: 25,
    max_open_positions: 3,
    max_trades_per_day: 10,
    max_risk_per_trade: 0.02,
    risk_params: null,
    active: true,
    created_at: '2024-01-01T00:00:00Z',
    updated_at: '2024-01-01T00:00:00Z',
  });
  assert.deepEqual(await getAccount(ann, account.id, services), account);
});

test('invalid account settings are refused by name', async () => {
  const { services } = await setUp();
  const create = (request: object) => createAccount(ann, { account_type: 'paper', ...request }, services);
  await assert.rejects(
    create({ account_type: 'margin' }),
    refused('VALIDATION_ERROR', /account_type must be paper or live/),
  );
  await assert.rejects(
    create({ initial_balance: 0 }),
    refused('VALIDATION_ERROR', /initial_balance must be a number > 0/),
  );
  await assert.rejects(create({ risk_params: { a: 'x'.repeat(20_000) } }), refused('VALIDATION_ERROR', /10000/));
  let deep: object = {};
  for (let i = 0; i < 100_000; i++) deep = { deep };
  await assert.rejects(create({ risk_params: deep }), refused('VALIDATION_ERROR', /risk_params/));
  assert.deepEqual((await listAccounts(ann, {}, services)).total, 0);
});

test('a batch refuses fields that exclude each other', async () => {
  const w = await world([...flats, up]);
  const bulk = (request: object) => evaluateBulk(ann, request, w.services);
  await assert.rejects(bulk({}), code('MISSING_FIELD', /strategy_ids/));
  await assert.rejects(
    bulk({ strategy_ids: Array(60).fill(uuid(1)), strategy_configs: Array(41).fill(inline) }),
    code('VALIDATION_ERROR', /101/),
  );
  await assert.rejects(
    bulk({ strategy_configs: [{ ...inline, id: uuid(5), open_positions: [] }] }),
    code('VALIDATION_ERROR', /both/),
  );
  await assert.rejects(
    bulk({ strategy_configs: [{ ...inline, open_positions: [] }], persist: true }),
    code('VALIDATION_ERROR', /persist/),
  );
  await assert.rejects(
    evaluateInline(ann, { strategy: inline, open_positions: [], persist: true }, w.services),
    code('VALIDATION_ERROR', /persist/),
  );
});

test('two definitions on the same bars share one fetch, as long as the longer one needs', async () => {
  const w = await world([...flats, up]);
  const long = { ...inline, execution_config: { ...settings, atr_period: 60 } };
  await evaluateInline(ann, { strategy: long }, w.services);
  const wanted = w.market.fromMs;
  w.market.fetched.length = 0;
  await evaluateBulk(ann, { strategy_configs: [inline, long, inline] }, w.services);
  assert.deepEqual([w.market.fetched, w.market.fromMs], [['BTC 3600000'], wanted]);
});

test('the balances of an account are the sum of what its strategies hold', async () => {
  const w = await world([...flats, up]);
  const ids = [
    await save(w, uuid(10)),
    await save(w, uuid(11), { execution_state: { ...state, cash_balance: 5_000 } }),
  ];
  await evaluateBulk(ann, { strategy_ids: ids, persist: true }, w.services);
  w.market.now += HOUR_MS / 2;
  w.market.price = 105;
  const { results } = await evaluateBulk(ann, { strategy_ids: ids, persist: true }, w.services);
  const states = results.map((result) => (result.success ? result.execution_state : state));
  const [account, ...others] = await w.store.listAccounts(ann.userId, null);
  assert.equal(others.length, 0);
  const sum = (key: 'cash_balance' | 'account_value') => states[0][key] + states[1][key];
  assert.ok(Math.abs(account.cash_balance - sum('cash_balance')) < 1e-9);
  assert.ok(Math.abs(account.account_value - sum('account_value')) < 1e-9 && account.account_value > 15_000);
});

test('other work gets its turn between the strategies of a batch', async () => {
  const w = await world([...flats, up]);
  let isDone = false;
  let turns = 0;
  const count = () => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await evaluateBulk(ann, { strategy_configs: Array(20).fill(inline) }, w.services);
  isDone = true;
  assert.ok(turns >= 20, `${turns} turns`);
});
