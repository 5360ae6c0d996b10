import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from 'kysely';
import type { ExecutionStore } from '../../../../data/state/index.js';
import {
  type Database,
  SqlExecutionStore,
  SqlIdempotencyStore,
  SqlIdentityStore,
  SqlPaymentStore,
  SqlUsageStore,
  StrategyStore,
} from '../../../../data/state/index.js';
import {
  evaluateStrategy,
  getPortfolio,
  listAccounts,
  listPositions,
  listTrades,
} from '../../../../service/execution/index.js';
import { onEachBackend } from '../../../support/backends.js';
import { testCryptoAssetStore } from '../../../support/crypto-asset-store-contract.js';
import { testDeployedStore } from '../../../support/deployed-store-contract.js';
import { TestMarket } from '../../../support/execution-market.js';
import { MemoryExecutionStore } from '../../../support/execution-store.js';
import {
  type OpenedStore,
  order,
  testExecutionStore,
  update,
  uuid,
} from '../../../support/execution-store-contract.js';
import { ann, rule, settings, start, state } from '../../../support/execution-world.js';
import { identityStoreContract } from '../../../support/identity-store-contract.js';
import { idempotencyStoreContract, usageStoreContract } from '../../../support/limit-stores-contract.js';
import { paymentStoreContract } from '../../../support/payment-store-contract.js';
import { randomBars } from '../../../support/random.js';
import { testSimulationStore } from '../../../support/simulation-store-contract.js';
import { vectorIndexContract } from '../../../support/vector-index-contract.js';

/** The tables of paper trading, emptied. */
async function executionStore(db: Database): Promise<OpenedStore> {
  await sql`truncate strategies, lanes, accounts, positions, orders, trades`.execute(db);
  const strategies = new StrategyStore(db);
  const at = new Date(0);
  return {
    store: new SqlExecutionStore(db),
    addStrategy: (owner, { rules, execution_config, execution_state, ...strategy }) =>
      strategies.insert({
        ...strategy,
        user_id: owner.userId,
        org_id: owner.orgId,
        rules: JSON.stringify(rules),
        execution_config: JSON.stringify(execution_config),
        execution_state: JSON.stringify(execution_state),
        content_hash: '',
        created_at: at,
        updated_at: at,
      }),
  };
}

onEachBackend((backend, open) => {
  identityStoreContract(`identities, ${backend}`, async () => new SqlIdentityStore((await open()).db));
  usageStoreContract(`usage, ${backend}`, async () => new SqlUsageStore((await open()).db));
  idempotencyStoreContract(`idempotency keys, ${backend}`, async () => new SqlIdempotencyStore((await open()).db));
  paymentStoreContract(`payments, ${backend}`, async () => new SqlPaymentStore((await open()).db));
  testSimulationStore(`simulations, ${backend}`, async () => (await open()).db);
  testCryptoAssetStore(`crypto assets, ${backend}`, async () => (await open()).db);
  testDeployedStore(`deployed strategies, ${backend}`, open);
  vectorIndexContract(backend, async () => (await open()).db);
  testExecutionStore(`paper trading, ${backend}`, async () => executionStore((await open()).db));

  test(`paper trading, ${backend}: the outcome of an order replaces it`, async () => {
    const { db } = await open();
    const { store } = await executionStore(db);
    const owner = { userId: uuid(1), orgId: uuid(2) };
    const initial = { cash_balance: 1, account_value: 1, total_trades: 0, num_open_positions: 0 };
    const lane = { id: uuid(20), strategyId: null, initial };
    const { history, ...resting } = order(uuid(70), uuid(30));
    const time = '2024-01-01T05:00:00Z';
    const pending = { ...resting, status: 'pending' as const, history: { ...history, filled: null } };
    const cancelled = { ...resting, status: 'cancelled' as const, history: { ...pending.history, cancelled: time } };
    await store.updateLane(owner, lane, () => update(1, { orders: [pending, order(uuid(71), uuid(30))] }));
    await store.updateLane(owner, lane, () => update(1, { orders: [cancelled] }));
    const rows = await db.selectFrom('orders').selectAll().orderBy('id').execute();
    assert.deepEqual(
      rows.map(({ id, status, filled_at_ms, cancelled_at_ms }) => [id, status, filled_at_ms, cancelled_at_ms]),
      [
        [uuid(70), 'cancelled', null, Date.parse(time)],
        [uuid(71), 'filled', Date.parse(history.filled ?? ''), null],
      ],
    );
    assert.deepEqual([rows[0]?.user_id, rows[0]?.org_id], [owner.userId, owner.orgId]);
  });

  test(`paper trading, ${backend}: a deleted strategy takes its lane along, and its counts rise until then`, async () => {
    const { db } = await open();
    const { store, addStrategy } = await executionStore(db);
    const owner = { userId: uuid(1), orgId: uuid(2) };
    const { execution_state } = update(5);
    const [id, name, asset] = [uuid(10), 'dip', 'BTC'];
    await addStrategy(owner, { id, name, asset, status: 'paper', rules: {}, execution_config: {}, execution_state });
    const lane = { id, strategyId: id, initial: execution_state };
    for (let i = 0; i < 3; i++) await store.updateLane(owner, lane, () => update(1));
    const strategies = new StrategyStore(db);
    assert.equal((await strategies.find(owner.userId, id))?.evaluation_count, 3);
    assert.equal(await strategies.delete(owner.userId, id), true);
    assert.deepEqual(await db.selectFrom('lanes').select('id').execute(), []);
    assert.equal(await store.updateLane(owner, lane, () => update(1)), null);
  });

  test(`paper trading, ${backend}: trades equal those in memory, hour by hour`, async () => {
    const { db } = await open();
    const opened = await executionStore(db);
    const memory = new MemoryExecutionStore();
    const rules = { entry: [rule('is_above_sma', 'TRIGGER', { window: 5 })], exit: [] };
    const cooldown = { short_loss_limit: 2, long_loss_limit: 3, short_window_bars: 4, long_window_bars: 8 };
    const execution_config = {
      ...settings,
      fixed_stop_pct: 0.01,
      max_hold_bars: 6,
      max_risk_per_trade: 0.001,
      cooldown_config: { '1h': cooldown },
      fee_pct: 0.001,
      slippage_pct: 0.0005,
    };
    const identity = { id: uuid(10), name: 'Up', asset: 'BTC/USDT', status: 'paper' as const };
    const strategy = { ...identity, rules, execution_config, execution_state: state };
    await opened.addStrategy(ann, strategy);
    memory.addStrategy(ann, strategy);
    const market = new TestMarket({ 'BTC 3600000': randomBars({ seed: 7, barCount: 200 }) }, 0);
    const over = (store: ExecutionStore) => ({ store, market, now: () => start, newId: () => uuid(1) });
    const evaluate = async (store: ExecutionStore) => {
      const result = await evaluateStrategy(ann, { strategy_id: identity.id }, over(store));
      return { ...result, execution_time_seconds: 0 };
    };
    for (const now of market.series['BTC 3600000'].time.subarray(40)) {
      market.now = now;
      assert.deepEqual(await evaluate(opened.store), await evaluate(memory));
    }
    const listed = async (store: ExecutionStore) => [
      await listTrades(ann, { limit: 1_000 }, over(store)),
      await listPositions(ann, { limit: 1_000 }, over(store)),
      await listAccounts(ann, {}, over(store)),
      await getPortfolio(ann, { strategy_ids: [identity.id] }, over(store)),
    ];
    assert.deepEqual(await listed(opened.store), await listed(memory));
    assert.ok(memory.trades.size > 20, `${memory.trades.size} trades`);
  });
});
