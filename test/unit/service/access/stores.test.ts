import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type IdempotencyScope, SqlIdempotencyStore } from '../../../../service/access/idempotency-keys.js';
import { SqlUsageStore } from '../../../../service/access/usage-counts.js';
import type { State } from '../../../../service/state/index.js';
import { onEachStore } from '../../../support/backends.js';

const T0 = Date.UTC(2024, 0, 1);
type Attempt = Parameters<SqlIdempotencyStore['claim']>[1];
const bytes = (text: string) => new TextEncoder().encode(text);

const keysIn = ({ db }: State) => new SqlIdempotencyStore(db);

/** The tests share a store: each works with its own keys. */
onEachStore('idempotency keys', keysIn, (_, checkBoth) => {
  const check = (title: string, run: (store: SqlIdempotencyStore, scope: IdempotencyScope) => Promise<void>) =>
    checkBoth(title, (store) =>
      run(store, { orgId: randomUUID(), userId: randomUUID(), method: 'Strategies.Create', key: 'k' }),
    );
  const claim = (changes: object = {}) => ({
    bodyHash: 'body',
    leaseId: randomUUID(),
    holder: 'one process',
    nowMs: T0,
    leaseEndsMs: T0 + 100,
    endsMs: T0 + 500,
    ...changes,
  });

  check('another body is refused, before and after the answer', async (store, scope) => {
    const first = claim();
    await store.claim(scope, first);
    assert.deepEqual(await store.claim(scope, claim({ bodyHash: 'other' })), { outcome: 'other_body' });
    await store.complete(scope, first.leaseId, bytes('a'), T0 + 1_000);
    assert.deepEqual(await store.claim(scope, claim({ bodyHash: 'other' })), { outcome: 'other_body' });
  });

  check('keys of other users, organizations and methods are other keys', async (store, scope) => {
    await store.claim(scope, claim());
    for (const part of [{ orgId: randomUUID() }, { userId: randomUUID() }, { method: 'x' }, { key: 'K' }]) {
      assert.deepEqual(await store.claim({ ...scope, ...part }, claim({ bodyHash: 'other' })), {
        outcome: 'run',
        steps: {},
      });
    }
  });

  check('a lease ends by itself, and a holder that lost it can neither answer nor release', async (store, scope) => {
    const [dead, next] = [claim(), claim({ nowMs: T0 + 100, leaseEndsMs: T0 + 200 })];
    await store.claim(scope, dead);
    const held = { outcome: 'in_flight', leaseId: dead.leaseId, holder: dead.holder };
    assert.deepEqual(await store.claim(scope, { ...next, nowMs: T0 + 99 }), held);
    assert.deepEqual(await store.claim(scope, next), { outcome: 'run', steps: {} });
    assert.equal(await store.complete(scope, dead.leaseId, bytes('late'), T0 + 1_000), false);
    await store.release(scope, dead.leaseId);
    assert.equal((await store.claim(scope, claim({ nowMs: T0 + 150 }))).outcome, 'in_flight');
  });

  check('a lease is extended by its holder, and a dead one is taken at once', async (store, scope) => {
    const [first, next] = [claim(), claim({ nowMs: T0 + 150, leaseEndsMs: T0 + 250 })];
    await store.claim(scope, first);
    assert.equal(await store.hold(scope, first.leaseId, T0 + 200), true);
    assert.equal((await store.claim(scope, next)).outcome, 'in_flight');
    assert.equal((await store.claim(scope, { ...next, deadLeaseId: randomUUID() })).outcome, 'in_flight');
    assert.equal((await store.claim(scope, { ...next, deadLeaseId: first.leaseId })).outcome, 'run');
    assert.equal(await store.hold(scope, first.leaseId, T0 + 900), false);
    assert.equal(await store.suspend(scope, first.leaseId, 'none'), false);
    assert.equal(await store.record(scope, first.leaseId, 'late', 1), false);
  });

  check('the next attempt with the same body gets the steps; another request gets none', async (store, scope) => {
    const attempts = Array.from({ length: 5 }, () => claim());
    const [first, second, third, other, last] = attempts as [Attempt, Attempt, Attempt, Attempt, Attempt];
    await store.claim(scope, first);
    assert.equal(await store.record(scope, first.leaseId, 'unit', { cost: 1 }), true);
    assert.equal(await store.record(scope, first.leaseId, 'order', ['a', null]), true);
    const taken = await store.claim(scope, { ...second, deadLeaseId: first.leaseId });
    assert.deepEqual(taken, { outcome: 'run', steps: { unit: { cost: 1 }, order: ['a', null] } });
    assert.equal(await store.suspend(scope, second.leaseId, 'unit'), true);
    assert.deepEqual(await store.claim(scope, third), { outcome: 'run', steps: { order: ['a', null] } });
    await store.suspend(scope, third.leaseId, 'none');
    assert.deepEqual(await store.claim(scope, { ...other, bodyHash: 'other' }), { outcome: 'run', steps: {} });
    await store.record(scope, other.leaseId, 'unit', 1);
    await store.complete(scope, other.leaseId, bytes('a'), T0 + 1_000);
    const later = { ...last, bodyHash: 'other', nowMs: T0 + 1_000 };
    assert.deepEqual(await store.claim(scope, later), { outcome: 'run', steps: {} });
  });

  check('a sweep forgets only what has ended', async (store, scope) => {
    const first = claim();
    await store.claim(scope, first);
    await store.complete(scope, first.leaseId, bytes('a'), T0 + 1_000);
    await store.claim({ ...scope, key: 'dead' }, claim());
    await store.sweep(T0 + 499);
    assert.equal((await store.claim({ ...scope, key: 'dead' }, claim())).outcome, 'in_flight');
    assert.ok((await store.sweep(T0 + 500)) >= 1);
    assert.equal((await store.claim({ ...scope, key: 'dead' }, claim())).outcome, 'run');
    assert.equal((await store.claim(scope, claim())).outcome, 'replay');
  });
});

const usageIn = ({ db }: State) => new SqlUsageStore(db);

onEachStore('usage', usageIn, (_, check) => {
  const countOf = () => ({ orgId: randomUUID(), resource: 'backtests', month: '2024-01' }) as const;

  check('an amount with a key counts once, also when calls meet; a refusal keeps no key', async (store) => {
    const count = countOf();
    const scope = { orgId: count.orgId, userId: randomUUID(), method: 'Backtests.Run', key: randomUUID() };
    const once = { scope, endsMs: 1_000 };
    const add = (key: string, max: number | null) =>
      store.addUsageOnce(count, 1, max, { ...once, scope: { ...scope, key } });
    assert.deepEqual(await add(scope.key, 0), { isWithin: false, used: 0 });
    assert.deepEqual(await add(scope.key, 1), { isWithin: true, used: 1 });
    assert.deepEqual(await add(scope.key, 1), { isWithin: true, used: 1 });
    assert.deepEqual(await add('another', 1), { isWithin: false, used: 1 });
    await Promise.all(Array.from({ length: 4 }, () => add('a third', null)));
    assert.deepEqual(await store.readMonth(count.orgId, count.month), { backtests: 2 });
  });

  const unitOf = () =>
    ({ orgId: randomUUID(), month: '2024-01', meter: 'oracle_simulate', counter: 'api_calls' }) as const;

  check('units counted and returned concurrently leave exactly those that were kept', async (store) => {
    const unit = unitOf();
    const kept = await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        const meter = i % 3 === 0 ? 'oracle_backtest' : unit.meter;
        await store.countUnit({ ...unit, meter }, null);
        if (i % 2 === 0) await store.giveBackUnit({ ...unit, meter });
        return i % 2 === 0 ? 0 : 1;
      }),
    );
    assert.equal(kept.filter((n) => n === 1).length, 30);
    assert.deepEqual(await store.readMonth(unit.orgId, unit.month), {
      api_calls: 30,
      oracle_backtest: 10,
      oracle_simulate: 20,
    });
  });

  check('of concurrent uses no more pass than the limit', async (store) => {
    const count = countOf();
    const uses = await Promise.all(Array.from({ length: 10 }, () => store.addUsage(count, 1, 4)));
    assert.equal(uses.filter(({ isWithin }) => isWithin).length, 4);
    assert.deepEqual(await store.readMonth(count.orgId, count.month), { backtests: 4 });
  });
});
