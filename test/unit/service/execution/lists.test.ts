import assert from 'node:assert/strict';
import test from 'node:test';
import { ApiError } from '../../../../service/api-error.js';
import { createAccount, getAccount, listAccounts, updateAccount } from '../../../../service/execution/accounts.js';
import { getPortfolio, getPosition, listPositions, listTrades } from '../../../../service/execution/listings.js';
import type { ExecutionServices } from '../../../../service/execution/services.js';
import type { PositionFilter, TradeFilter } from '../../../../service/execution/stored.js';
import { TestMarket } from '../../../support/execution-market.js';
import { uuid } from '../../../support/execution-store-contract.js';
import { ann, bob } from '../../../support/execution-world.js';
import { paperTrading } from '../../../support/paper-trading.js';
import { emptyState } from '../../../support/shared-state.js';

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

test('an account keeps the settings of its owner, and an update changes only what it names', async () => {
  const { services, clock } = await setUp();
  const given = {
    account_type: 'live',
    name: 'mine',
    initial_balance: 50,
    risk_params: { a: [1] },
    max_open_positions: 0,
  };
  const account = await createAccount(ann, { ...given, cash_balance: 1, unknown: true }, services);
  assert.deepEqual(
    [account.name, account.cash_balance, account.risk_params, account.max_open_positions],
    ['mine', 50, { a: [1] }, 0],
  );
  assert.ok(!('unknown' in account));
  clock.ms += 1_000;
  const changed = await updateAccount(
    ann,
    account.id,
    { active: false, cash_balance: 9e9, account_type: 'paper' },
    services,
  );
  assert.deepEqual(changed, { ...account, active: false, updated_at: '2024-01-01T00:00:01Z' });
});

test('invalid account settings are refused by name', async () => {
  const { services } = await setUp();
  const create = (request: object) => createAccount(ann, { account_type: 'paper', ...request }, services);
  await assert.rejects(createAccount(ann, {}, services), refused('MISSING_FIELD', /account_type/));
  await assert.rejects(
    create({ account_type: 'margin' }),
    refused('VALIDATION_ERROR', /account_type must be paper or live/),
  );
  await assert.rejects(
    create({ initial_balance: 0 }),
    refused('VALIDATION_ERROR', /initial_balance must be a number > 0/),
  );
  await assert.rejects(create({ initial_balance: Number.NaN }), refused('VALIDATION_ERROR', /initial_balance/));
  await assert.rejects(create({ max_risk_per_trade: 1.1 }), refused('VALIDATION_ERROR', /max_risk_per_trade/));
  await assert.rejects(create({ max_open_positions: 1.5 }), refused('VALIDATION_ERROR', /an integer/));
  await assert.rejects(create({ risk_params: [] }), refused('VALIDATION_ERROR', /risk_params must be an object/));
  await assert.rejects(create({ risk_params: { a: 'x'.repeat(20_000) } }), refused('VALIDATION_ERROR', /10000/));
  let deep: object = {};
  for (let i = 0; i < 100_000; i++) deep = { deep };
  await assert.rejects(create({ risk_params: deep }), refused('VALIDATION_ERROR', /risk_params/));
  assert.deepEqual((await listAccounts(ann, {}, services)).total, 0);
});

test('accounts of other users are not found', async () => {
  const { services } = await setUp();
  const { id } = await createAccount(ann, { account_type: 'paper' }, services);
  for (const call of [getAccount(bob, id, services), updateAccount(bob, id, { name: 'x' }, services)]) {
    await assert.rejects(call, refused('RESOURCE_NOT_FOUND', /not found/));
  }
  assert.deepEqual(await listAccounts(bob, {}, services), { accounts: [], total: 0 });
  const { accounts, total } = await listAccounts(ann, { account_type: 'paper' }, services);
  assert.deepEqual([accounts[0]?.id, total], [id, 1]);
  assert.equal((await listAccounts(ann, { account_type: 'live' }, services)).total, 0);
  await assert.rejects(listAccounts(ann, { account_type: 'x' }, services), refused('VALIDATION_ERROR', /account_type/));
  await assert.rejects(getPosition(ann, uuid(5), services), refused('RESOURCE_NOT_FOUND', /position/));
});

test('list requests become filters, and the answer echoes the page in effect', async () => {
  const { services, store } = await setUp();
  const asked: unknown[] = [];
  const nothing = { rows: [], total: 0 };
  store.listPositions = async (_user: string, filter: PositionFilter, page) => {
    asked.push(filter, page);
    return nothing;
  };
  store.listTrades = async (_user: string, filter: TradeFilter, page) => {
    asked.push(filter, page);
    return nothing;
  };
  const all = await listPositions(ann, {}, services);
  assert.deepEqual(all, { positions: [], total: 0, skip: 0, limit: 100 });
  await listPositions(
    ann,
    { account_id: 'a', strategy_id: 's', asset: 'btc/usdt', status: 'closed', skip: 5 },
    services,
  );
  await listPositions(ann, { open_only: true, status: 'open', limit: 5_000 }, services);
  await listPositions(ann, { open_only: false, limit: -3, skip: -1 }, services);
  await listTrades(ann, { outcome: 'win', asset: 'ETH-USD', account_id: 'a', limit: 7 }, services);
  assert.deepEqual(asked, [
    {},
    { skip: 0, limit: 100 },
    { accountId: 'a', strategyId: 's', baseAsset: 'BTC', isOpen: false },
    { skip: 5, limit: 100 },
    { isOpen: true },
    { skip: 0, limit: 1000 },
    {},
    { skip: 0, limit: 1 },
    { accountId: 'a', baseAsset: 'ETH', outcome: 'win' },
    { skip: 0, limit: 7 },
  ]);
});

test('contradictory list requests are refused', async () => {
  const { services } = await setUp();
  const positions = (request: object) => listPositions(ann, request, services);
  await assert.rejects(positions({ status: 'opened' }), refused('VALIDATION_ERROR', /status must be open or closed/));
  await assert.rejects(positions({ status: 'closed', open_only: true }), refused('VALIDATION_ERROR', /exclude/));
  await assert.rejects(positions({ limit: 1.5 }), refused('VALIDATION_ERROR', /limit/));
  await assert.rejects(positions({ skip: '3' }), refused('VALIDATION_ERROR', /skip/));
  await assert.rejects(listTrades(ann, { outcome: 'draw' }, services), refused('VALIDATION_ERROR', /win or loss/));
});

test('a portfolio keeps the order of the request and names what it misses', async () => {
  const { services, addStrategy } = await setUp();
  const state = { cash_balance: 1, account_value: 1, total_trades: 0, num_open_positions: 0 };
  const rest = { status: 'paper' as const, rules: {}, execution_config: {}, execution_state: state };
  await addStrategy(ann, { id: uuid(1), name: 'one', asset: 'BTC', ...rest });
  await addStrategy(ann, { id: uuid(2), name: 'two', asset: 'ETH', ...rest });
  await addStrategy(bob, { id: uuid(3), name: 'three', asset: 'ETH', ...rest });
  const ids = [`${uuid(2)}, ${uuid(3)}`, 'x', uuid(1), uuid(2)];
  const { results, missing } = await getPortfolio(ann, { strategy_ids: ids }, services);
  assert.deepEqual(
    results.map(({ strategy_name }) => strategy_name),
    ['two', 'one'],
  );
  assert.deepEqual(missing, [uuid(3), 'x']);
  assert.deepEqual(results[1], {
    strategy_id: uuid(1),
    strategy_name: 'one',
    asset: 'BTC',
    status: 'paper',
    execution_state: state,
    last_evaluated_at: null,
    open_positions_count: 0,
    recent_trades: [],
  });
  await assert.rejects(getPortfolio(ann, {}, services), refused('MISSING_FIELD', /strategy_ids/));
  await assert.rejects(getPortfolio(ann, { strategy_ids: [' ,'] }, services), refused('MISSING_FIELD', /strategy_ids/));
  const many = Array.from({ length: 101 }, (_, i) => uuid(i)).join();
  await assert.rejects(getPortfolio(ann, { strategy_ids: [many] }, services), refused('VALIDATION_ERROR', /101/));
});
