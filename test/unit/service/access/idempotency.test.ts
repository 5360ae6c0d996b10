import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { committedOnce } from '../../../../data/state/index.js';
import { Idempotency, LEASE_MS, REPLAY_MS } from '../../../../service/access/idempotency.js';
import { SqlIdempotencyStore } from '../../../../service/access/idempotency-keys.js';
import { SqlUsageStore } from '../../../../service/access/usage-counts.js';
import { ApiError } from '../../../../service/api-error.js';
import { onEachBackend } from '../../../support/backends.js';
import { sharedState } from '../../../support/shared-state.js';

const alive = { name: 'this process', hasEnded: (_name: string) => false };

/** Calls of one user of an organization of their own. */
async function setUp(holder = alive) {
  const time = { nowMs: Date.UTC(2024, 0, 1) };
  const { db } = await sharedState();
  const store = new SqlIdempotencyStore(db);
  const caller = { orgId: randomUUID(), userId: randomUUID() };
  const idempotency = new Idempotency(store, 'a secret of the server', () => time.nowMs, holder);
  const calls: unknown[] = [];
  /** Sends a request whose answer is the number of calls that ran before it. */
  const send = (key: string | undefined, request: unknown = { name: 'a' }, more: object = {}) =>
    idempotency.run({
      caller,
      method: 'Strategies.Create',
      key,
      request,
      run: async () => ({ id: calls.push(request), secret: 'shown once' }),
      ...more,
    });
  return { db, time, store, caller, calls, send };
}

test('a key with other scopes gets no answer of the one before, which may show more', async () => {
  const { send, caller } = await setUp();
  await send('k');
  const narrow = { caller: { ...caller, scopes: ['backtest:create'] } };
  await assert.rejects(send('k', undefined, narrow), {
    code: 'VALIDATION_ERROR',
    message: /by a key with other scopes/,
  });
  const first = await send('j', undefined, narrow);
  assert.deepEqual(await send('j', undefined, narrow), { ...first, isReplay: true });
});

test('with the same key and body the first answer is repeated, for a day', async () => {
  const { send, time, calls } = await setUp();
  const first = await send('k', { name: 'a', nested: { x: 1, y: [1, null] } });
  assert.equal(first.isReplay, false);
  time.nowMs += REPLAY_MS - 1;
  const again = await send('k', { nested: { y: [1, null], x: 1 }, name: 'a' });
  assert.deepEqual(again, { answer: first.answer, isReplay: true });
  assert.equal(calls.length, 1);
  time.nowMs += 1;
  assert.equal((await send('k')).isReplay, false);
});

test('a duplicate in flight is a conflict, and gets the answer afterwards', async () => {
  const { send } = await setUp();
  let finish = (_: object) => {};
  const answer = new Promise<object>((resolve) => {
    finish = resolve;
  });
  const first = send('k', { name: 'a' }, { run: () => answer });
  await assert.rejects(send('k'), { code: 'CONFLICT', details: { retry_after: 1 } });
  finish({ id: 'slow' });
  await first;
  assert.deepEqual(await send('k'), { answer: { id: 'slow' }, isReplay: true });
});

test('a call that fails frees its key and returns its error', async () => {
  const { send, store } = await setUp();
  const failing = { run: () => Promise.reject(new Error('engine broke')) };
  await assert.rejects(send('k', { name: 'a' }, failing), /engine broke/);
  assert.equal((await send('k', { name: 'mended' })).isReplay, false);
  store.release = () => Promise.reject(new Error('store broke'));
  await assert.rejects(send('k2', { name: 'a' }, failing), /engine broke/);
});

test('the key of a process that is known to be dead is free at once', async () => {
  const { send } = await setUp({ name: 'this process', hasEnded: (name) => name === 'this process' });
  void send('k', { name: 'a' }, { run: () => new Promise<never>(() => {}) });
  assert.equal((await send('k')).isReplay, false);
});

test('a call that was taken for dead answers nothing', async () => {
  const { send, time } = await setUp();
  let finish = (_: object) => {};
  const late = send('k', { name: 'a' }, { run: () => new Promise<object>((resolve) => (finish = resolve)) });
  await assert.rejects(send('k'), { code: 'CONFLICT' });
  time.nowMs += LEASE_MS;
  const answered = await send('k');
  finish({ id: 'late' });
  await assert.rejects(late, { code: 'CONFLICT', details: { retry_after: 1 } });
  assert.deepEqual(await send('k'), { ...answered, isReplay: true });
});

test('a step counts once, however often a call fails for reasons of ours', async () => {
  const { send } = await setUp();
  let counted = 0;
  const counting = (error: Error | null) => ({
    run: async () => {
      const n = await committedOnce('count', async () => ++counted);
      if (error !== null) throw error;
      return { n };
    },
  });
  const passing = [new Error('engine broke'), new ApiError('ENGINE_BUSY', 'full', { retry_after: 1 })];
  for (const error of passing) await assert.rejects(send('k', { name: 'a' }, counting(error)), error);
  assert.deepEqual((await send('k', { name: 'a' }, counting(null))).answer, { n: 1 });
  assert.equal(counted, 1);
  // A refusal ends the call, and so does another body.
  await assert.rejects(send('l', {}, counting(new ApiError('VALIDATION_ERROR', 'wrong'))), {
    code: 'VALIDATION_ERROR',
  });
  assert.deepEqual((await send('l', {}, counting(null))).answer, { n: 3 });
});

test('stored answers cannot be read without the secret of the server', async () => {
  const { send, store, db, caller } = await setUp();
  await send('k');
  const { answer } = await db
    .selectFrom('idempotency_keys')
    .where('org_id', '=', caller.orgId)
    .select('answer')
    .executeTakeFirstOrThrow();
  const stored = Buffer.from(answer ?? []);
  assert.ok(stored.length > 20);
  assert.ok(!stored.includes('shown once'));
  const stranger = new Idempotency(store, 'another secret', () => Date.UTC(2024, 0, 1), alive);
  const call = { caller, method: 'Strategies.Create', key: 'k', request: { name: 'a' }, run: async () => ({}) };
  await assert.rejects(stranger.run(call));
});

test('keys have bounds', async () => {
  const { send, calls } = await setUp();
  for (const key of ['', ' ', 'a b', 'a\n', 'ä', '\u0000', 'x'.repeat(256)]) {
    await assert.rejects(send(key), { code: 'VALIDATION_ERROR', message: /1\.\.255 visible ASCII/ });
  }
  assert.equal(calls.length, 0);
  await send('x'.repeat(255));
});

onEachBackend((backend, open) => {
  /** Calls whose effect is a count of their organization. */
  async function setUpCalls(store?: (real: SqlIdempotencyStore) => SqlIdempotencyStore) {
    const { db } = await open();
    const [orgId, userId] = [randomUUID(), randomUUID()];
    const keys = new SqlIdempotencyStore(db);
    const idempotency = new Idempotency(store?.(keys) ?? keys, 'a secret of the server', Date.now, alive);
    const usage = new SqlUsageStore(db);
    const count = { orgId, resource: 'backtests', month: '2024-01' };
    const send = (run = async () => ({ used: (await usage.addUsage(count, 1, null)).used })) =>
      idempotency.run({ caller: { orgId, userId }, method: 'M', key: 'k', request: {}, run });
    const used = async () => (await usage.readMonth(orgId, count.month)).backtests ?? 0;
    return { keys, usage, count, send, used };
  }

  test(`${backend}: a call that ends between its effect and its answer has no effect`, async () => {
    let isBroken = true;
    const { send, used } = await setUpCalls((keys) => {
      const complete: typeof keys.complete = async (...args) => {
        if (isBroken) throw new Error('the process dies here');
        return SqlIdempotencyStore.prototype.complete.apply(keys, args);
      };
      return Object.assign(keys, { complete });
    });
    await assert.rejects(send(), /dies here/);
    assert.equal(await used(), 0);
    isBroken = false;
    assert.deepEqual(await send(), { answer: { used: 1 }, isReplay: false });
    assert.deepEqual(await send(), { answer: { used: 1 }, isReplay: true });
    assert.equal(await used(), 1);
  });

  test(`${backend}: of calls that meet one has an effect, and all get its answer in the end`, async () => {
    const { send, used } = await setUpCalls();
    const answers = await Promise.allSettled(Array.from({ length: 8 }, () => send()));
    for (const answer of answers) {
      if (answer.status === 'rejected') assert.equal(answer.reason.code, 'CONFLICT');
      else assert.equal(answer.value.answer.used, 1);
    }
    assert.deepEqual(await send(), { answer: { used: 1 }, isReplay: true });
    assert.equal(await used(), 1);
  });
});
