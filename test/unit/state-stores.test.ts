import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from 'kysely';
import {
  SqlBacktestStore,
  SqlIdempotencyStore,
  SqlIdentityStore,
  SqlUsageStore,
  UnreadableRun,
} from '../../data/state/index.js';
import type { BacktestContent } from '../../service/backtests/store.js';
import { onEachBackend } from '../support/backends.js';
import { planOf, testBacktestStore } from '../support/backtest-store-contract.js';
import { identityStoreContract } from '../support/identity-store-contract.js';
import { idempotencyStoreContract, usageStoreContract } from '../support/limit-stores-contract.js';

onEachBackend((backend, open) => {
  identityStoreContract(`identities, ${backend}`, async () => new SqlIdentityStore((await open()).db));
  usageStoreContract(`usage, ${backend}`, async () => new SqlUsageStore((await open()).db));
  idempotencyStoreContract(`idempotency keys, ${backend}`, async () => new SqlIdempotencyStore((await open()).db));
  testBacktestStore(`backtests, ${backend}`, async () => {
    const { db } = await open();
    await sql`truncate backtests, backtest_trades`.execute(db);
    return new SqlBacktestStore<BacktestContent>(db);
  });
  test(`backtests, ${backend}: a run whose request is no request is taken and named, so that it can be ended`, async () => {
    const { db } = await open();
    await sql`truncate backtests, backtest_trades`.execute(db);
    const store = new SqlBacktestStore<BacktestContent>(db);
    const plan = planOf(1);
    await store.addQueued(plan);
    await sql`update backtests set request = '"gone"'`.execute(db);
    await assert.rejects(store.claim('a', 0, 100), (error) => error instanceof UnreadableRun && error.id === plan.id);
    assert.ok(await store.end('a', plan.id, { error: 'unreadable', executionSeconds: 0, completedAtMs: 1 }));
  });
});
