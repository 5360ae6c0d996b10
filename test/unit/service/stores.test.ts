import assert from 'node:assert/strict';
import { SqlIdempotencyStore } from '../../../service/access/idempotency-keys.js';
import { SqlUsageStore } from '../../../service/access/usage-counts.js';
import { SqlIdentityStore } from '../../../service/identity/store.js';
import { SqlPaymentStore } from '../../../service/payments/store.js';
import type { Database } from '../../../service/state/index.js';
import { StrategyStore } from '../../../service/strategies/store.js';
import { onEachBackend } from '../../support/backends.js';
import { order, testExecutionStore, update, uuid } from '../../support/execution-store-contract.js';
import { type PaperTrading, paperTrading } from '../../support/paper-trading.js';
import { deleteRows } from '../../support/shared-state.js';
import { idempotencyStoreContract, usageStoreContract } from './access/stores-contract.js';
import { vectorIndexContract } from './assistant/vector-index-contract.js';
import { testCryptoAssetStore } from './crypto-assets/store-contract.js';
import { testDeployedStore } from './deployed/store-contract.js';
import { identityStoreContract } from './identity/store-contract.js';
import { paymentStoreContract } from './payments/store-contract.js';
import { testSimulationStore } from './simulations/store-contract.js';

async function emptyTrading(db: Database): Promise<PaperTrading> {
  await deleteRows(db);
  return paperTrading(db);
}

onEachBackend((backend, open, alike) => {
  identityStoreContract(`identities, ${backend}`, async () => new SqlIdentityStore((await open()).db), alike);
  usageStoreContract(`usage, ${backend}`, async () => new SqlUsageStore((await open()).db));
  idempotencyStoreContract(`idempotency keys, ${backend}`, async () => new SqlIdempotencyStore((await open()).db));
  paymentStoreContract(`payments, ${backend}`, async () => new SqlPaymentStore((await open()).db), alike);
  testSimulationStore(`simulations, ${backend}`, async () => (await open()).db, alike);
  testCryptoAssetStore(`crypto assets, ${backend}`, async () => (await open()).db, alike);
  testDeployedStore(`deployed strategies, ${backend}`, open, alike);
  vectorIndexContract(backend, async () => (await open()).db, alike);
  testExecutionStore(`paper trading, ${backend}`, async () => emptyTrading((await open()).db), alike);

  alike(`paper trading, ${backend}: the outcome of an order replaces it`, async () => {
    const { db } = await open();
    const { store } = await emptyTrading(db);
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

  alike(
    `paper trading, ${backend}: a deleted strategy takes its lane along, and its counts rise until then`,
    async () => {
      const { db } = await open();
      const { store, addStrategy } = await emptyTrading(db);
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
    },
  );
});
