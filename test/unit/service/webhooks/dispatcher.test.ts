import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import test from 'node:test';
import { SqlBacktestStore } from '../../../../service/backtests/store.js';
import { ATTEMPTS_MAX, LEASE_MS, retryAfter } from '../../../../service/webhooks/dispatcher.js';
import { enqueueWebhookEvent } from '../../../../service/webhooks/events.js';
import type { DeliveryRow } from '../../../../service/webhooks/store.js';
import { onEachStore } from '../../../support/backends.js';
import { planOf } from '../../../support/backtest-plan.js';
import { startReceiver } from '../../../support/receiver.js';
import { root } from '../../../support/tree.js';
import { callerOf, nothingBusy, setUpWebhooks, T0 } from '../../../support/webhooks.js';

/** The check that receivers are told to copy. */
const [, example = ''] = /```js\n([\s\S]+?)```/.exec(readFileSync(join(root, 'docs/webhooks.md'), 'utf8')) ?? [];
const { isFromBarline } = (await import(`data:text/javascript,${encodeURIComponent(example)}`)) as {
  isFromBarline(secret: string, headers: IncomingHttpHeaders, body: Buffer, nowS: number): boolean;
};

/**
 * This many attempts have ended. One in flight is due again at the end of its lease, which is
 * longer than any wait here.
 */
const attempted =
  (attempts: number) =>
  (rows: readonly DeliveryRow[]): boolean =>
    rows.every((row) => {
      const isUnderWay = row.next_attempt_at_ms === (row.last_attempt_at_ms ?? 0) + LEASE_MS;
      return row.attempts === attempts && !isUnderWay;
    });

onEachStore('webhooks', setUpWebhooks, (check, checkBoth) => {
  check('a delivery is signed so that the documented check accepts it, and no other', async (set) => {
    const receiver = await startReceiver();
    const { secret } = await set.webhooks.create(set.caller, { url: `${receiver.origin}/hook` });
    await set.tell('one');
    const dispatcher = set.dispatcher();
    dispatcher.start();
    const [row] = await set.until((rows) => rows.every(({ status }) => status === 'delivered'));
    await dispatcher.stop();
    const { headers, body } = receiver.received[0] ?? assert.fail();
    assert.deepEqual(JSON.parse(body), {
      id: 'one',
      type: 'backtest.completed',
      created_at: '2024-01-01T00:00:00Z',
      data: { text: 'ä "quoted" 日本' },
    });
    assert.deepEqual([headers['x-barline-event'], headers['x-barline-delivery']], ['backtest.completed', row?.id]);
    const check = (secretUsed: string, more: IncomingHttpHeaders = {}, text = body, nowS = T0 / 1000) =>
      isFromBarline(secretUsed, { ...headers, ...more }, Buffer.from(text), nowS);
    assert.equal(check(secret), true);
    assert.equal(check(`${secret}x`), false);
    assert.equal(check(secret, {}, `${body} `), false);
    assert.equal(check(secret, { 'x-barline-timestamp': String(T0 / 1000 + 1) }), false);
    assert.equal(check(secret, { 'x-barline-signature': 'sha256=' }), false);
    assert.equal(check(secret, {}, body, T0 / 1000 + 301), false, 'an old one');
    await receiver.stop();
  });

  check('a refused delivery is sent again when its time has come, under the same id', async (set) => {
    let status = 500;
    const receiver = await startReceiver((_, response) => response.writeHead(status).end());
    await set.webhooks.create(set.caller, { url: receiver.origin });
    await set.tell('one');
    const dispatcher = set.dispatcher();
    dispatcher.start();
    const [refused] = await set.until(attempted(1));
    const retried = { status: 'pending', next_attempt_at_ms: T0 + 5_000, last_status: 500, last_error: 'HTTP 500' };
    assert.deepEqual({ ...refused, ...retried }, refused);
    set.time.nowMs += 4_999;
    assert.equal(await set.outbox.claim(nothingBusy, set.time.nowMs, set.time.nowMs), null, 'not before its time');
    status = 204;
    set.time.nowMs += 1;
    const [taken] = await set.until(attempted(2));
    await dispatcher.stop();
    assert.deepEqual([taken?.status, taken?.last_status, taken?.last_error], ['delivered', 204, null]);
    const ids = receiver.received.map(({ headers }) => headers['x-barline-delivery']);
    assert.deepEqual(ids, [refused?.id, refused?.id]);
    await receiver.stop();
  });

  check('a delivery that is never accepted is given up after the last attempt', async (set) => {
    const receiver = await startReceiver((_, response) => response.writeHead(503).end());
    await set.webhooks.create(set.caller, { url: receiver.origin });
    await set.tell('one');
    const dispatcher = set.dispatcher();
    dispatcher.start();
    for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
      const [row] = await set.until(attempted(attempt));
      assert.equal(row?.status, attempt < ATTEMPTS_MAX ? 'pending' : 'failed');
      set.time.nowMs = Math.max(set.time.nowMs, row?.next_attempt_at_ms ?? 0);
    }
    await dispatcher.stop();
    const hours = (set.time.nowMs - T0) / 3_600_000;
    assert.ok(hours > 22 && hours < 24, `${hours} hours`);
    set.time.nowMs += 8 * 86_400_000;
    await dispatcher.trim();
    assert.equal((await set.log()).length, 1);
    set.time.nowMs += 23 * 86_400_000;
    await dispatcher.trim();
    assert.equal((await set.log()).length, 0);
    await receiver.stop();
  });

  checkBoth('dispatchers share the work: each delivery goes out once', async (set) => {
    const receiver = await startReceiver();
    for (let i = 0; i < 8; i++) await set.webhooks.create(set.caller, { url: `${receiver.origin}/${i}` });
    for (let i = 0; i < 5; i++) await set.tell(`event ${i}`);
    const dispatchers = [set.dispatcher(), set.dispatcher(), set.dispatcher()];
    for (const each of dispatchers) each.start();
    await set.until((rows) => rows.every(({ status }) => status === 'delivered'));
    await Promise.all(dispatchers.map((each) => each.stop()));
    const ids = receiver.received.map(({ headers }) => headers['x-barline-delivery']);
    assert.deepEqual([ids.length, new Set(ids).size], [40, 40]);
    const what = receiver.received.map(({ path, body }) => `${path} ${JSON.parse(body).id}`);
    assert.equal(new Set(what).size, 40);
    await receiver.stop();
  });

  check('a delivery whose process died is sent by another when the lease has ended', async (set) => {
    const receiver = await startReceiver();
    await set.webhooks.create(set.caller, { url: receiver.origin });
    await set.tell('one');
    const dead = (await set.outbox.claim(nothingBusy, T0, T0 + 100)) ?? assert.fail();
    assert.equal(await set.outbox.claim(nothingBusy, T0 + 99, T0 + 200), null);
    set.time.nowMs += 100;
    const dispatcher = set.dispatcher();
    dispatcher.start();
    const [row] = await set.until(attempted(2));
    await dispatcher.stop();
    assert.deepEqual([row?.status, row?.id], ['delivered', dead.id]);
    await set.outbox.settle(dead, { status: 500, error: 'HTTP 500' }, { deliveryMs: T0 + 1, webhookMs: T0 + 1 });
    await set.outbox.release(dead, T0);
    assert.deepEqual(await set.log(), [row], 'the dead one can change nothing');
    await receiver.stop();
  });

  check('stopping releases deliveries in flight; a slow receiver delays no other', async (set) => {
    const silent = await startReceiver(() => {});
    const quick = await startReceiver();
    await set.webhooks.create(set.caller, { url: silent.origin });
    await set.webhooks.create(set.caller, { url: quick.origin });
    for (let i = 0; i < 20; i++) await set.tell(`event ${i}`);
    const dispatcher = set.dispatcher();
    dispatcher.start();
    await Promise.all([silent.until(1), quick.until(20)]);
    await set.until((rows) => rows.filter(({ status }) => status === 'delivered').length === 20);
    await dispatcher.stop();
    const left = (await set.log()).filter(({ status }) => status === 'pending');
    assert.deepEqual([left.length, silent.received.length], [20, 1]);
    assert.ok(left.every(({ attempts, next_attempt_at_ms: next }) => attempts === 0 && next === T0));
    await silent.stop();
    await quick.stop();
  });

  checkBoth('an event goes to its subscribers, once, in the transaction that makes it true', async (set) => {
    const [other, ofOther] = [callerOf(), 'http://127.0.0.1:9/other'];
    const url = (path: string) => `http://127.0.0.1:9/${path}`;
    const all = await set.webhooks.create(set.caller, { url: url('all') });
    const some = await set.webhooks.create(set.caller, { url: url('some'), events: ['deployed.fill'] });
    const foreign = await set.webhooks.create(other, { url: ofOther, events: ['*'] });
    await set.tell('mine');
    await set.tell('mine');
    await set.tell('fill', { type: 'deployed.fill' });
    await set.tell('everybody', { type: 'deployed.fill', orgId: null });
    await assert.rejects(
      set.db.transaction().execute(async (open) => {
        await enqueueWebhookEvent(open, set.eventOf('undone'));
        throw new Error('rolled back');
      }),
    );
    const told = async (id: string) =>
      (await set.log()).filter((row) => row.webhook_id === id).map(({ event_id: event }) => event);
    assert.deepEqual(await told(all.webhook.id), ['everybody', 'fill', 'mine']);
    assert.deepEqual(await told(some.webhook.id), ['everybody', 'fill']);
    assert.deepEqual(await told(foreign.webhook.id), ['everybody']);
    await set.webhooks.delete(set.caller, all.webhook.id);
    assert.deepEqual(await told(all.webhook.id), []);
  });

  check('a submitted run reports its end when it ends, and only then', async (set) => {
    await set.webhooks.create(set.caller, { url: 'http://127.0.0.1:9/' });
    const store = new SqlBacktestStore(set.db);
    const { orgId } = set.caller;
    const failed = { error: 'no bars', executionSeconds: 0.5, completedAtMs: T0 };
    await store.addEnded(planOf(1, { orgId }), failed);
    await store.addQueued(planOf(2, { orgId }));
    await store.addQueued(planOf(3, { orgId, isAwaited: true }));
    await store.claim('a', 0, 1);
    assert.equal(await store.end('a', planOf(3).id, failed), true, 'the answer tells a waiting caller');
    await store.claim('a', 0, 1);
    assert.equal(await store.end('b', planOf(2).id, failed), false);
    assert.deepEqual(await set.log(), []);
    assert.equal(await store.end('a', planOf(2).id, failed), true);
    const [row] = await set.log();
    const { id, type, data } = JSON.parse(row?.body ?? '');
    assert.deepEqual([id, type], [`backtest.failed:${planOf(2).id}`, 'backtest.failed']);
    assert.deepEqual([data.backtest_id, data.status, data.error], [planOf(2).id, 'failed', 'no bars']);
  });

  checkBoth('concurrent requests give an organization at most 20 webhooks', async (set) => {
    const { orgId } = set.caller;
    await set.db
      .insertInto('organizations')
      .values({ id: orgId, name: 'o', tier: 'local', created_at_ms: T0 })
      .execute();
    const made = await Promise.allSettled(
      Array.from({ length: 30 }, () => set.webhooks.create(set.caller, { url: 'https://hooks.example/' })),
    );
    assert.equal(made.filter(({ status }) => status === 'fulfilled').length, 20);
    assert.equal((await set.webhooks.list(set.caller)).total, 20);
  });
});

test('the wait doubles from five seconds, a fifth more or less', () => {
  assert.deepEqual(
    [1, 2, 3, 14, 15].map((attempts) => retryAfter(attempts, 0.5)),
    [5_000, 10_000, 20_000, 40_960_000, null],
  );
  assert.deepEqual([retryAfter(1, 0), retryAfter(1, 1)], [4_000, 6_000]);
});
