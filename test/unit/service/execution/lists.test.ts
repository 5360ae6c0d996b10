import assert from 'node:assert/strict';
import test from 'node:test';
import { ApiError } from '../../../../service/api-error.js';
import { createAccount, getAccount, listAccounts } from '../../../../service/execution/accounts.js';
import type { ExecutionServices } from '../../../../service/execution/store.js';
import { TestMarket } from '../../../support/execution-market.js';
import { ann } from '../../../support/execution-world.js';
import { paperTrading } from '../../../support/paper-trading.js';
import { emptyState } from '../../../support/shared-state.js';
import { uuid } from '../../../support/uuid.js';

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
