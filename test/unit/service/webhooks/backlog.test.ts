import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { WAITING_MAX_FOR_TEST } from '../../../../service/webhooks/capability.js';
import {
  BLOCK_MS_MAX,
  CONCURRENCY_MAX,
  LEASE_MS,
  ORGANIZATION_MAX,
  WAITING_MS_MAX,
} from '../../../../service/webhooks/dispatcher.js';
import { WAITING_MAX } from '../../../../service/webhooks/events.js';
import { onEachStore } from '../../../support/backends.js';
import { startReceiver } from '../../../support/receiver.js';
import { callerOf, nothingBusy, setUpWebhooks, T0 } from '../../../support/webhooks.js';

/** The backlog of a webhook is bounded, and delays no other organization. */
onEachStore('the backlog of webhooks', setUpWebhooks, (check) => {
  check('a receiver that fails is left alone longer each time, with all deliveries that wait for it', async (set) => {
    let status = 503;
    const receiver = await startReceiver((_, response) => response.writeHead(status).end());
    await set.webhooks.create(set.caller, { url: receiver.origin });
    for (let i = 0; i < 3; i++) await set.tell(`event ${i}`);
    const dispatcher = set.dispatcher();
    dispatcher.start();
    const waits: number[] = [];
    for (let failures = 1; failures <= 8; failures++) {
      const blockedUntil = await until(async () => {
        const webhook = await set.db.selectFrom('webhooks').selectAll().executeTakeFirstOrThrow();
        return webhook.failures === failures ? webhook.blocked_until_ms : null;
      });
      waits.push((blockedUntil - set.time.nowMs) / 1_000);
      assert.equal(await set.outbox.claim(nothingBusy, blockedUntil - 1, blockedUntil), null);
      set.time.nowMs = blockedUntil;
    }
    assert.deepEqual(waits, [5, 10, 20, 40, 80, 160, BLOCK_MS_MAX / 1_000, BLOCK_MS_MAX / 1_000]);
    status = 200;
    await set.until((rows) => rows.some((row) => row.status === 'delivered'));
    await set.tell('event 3');
    await set.until((rows) => rows.at(-1)?.status === 'delivered');
    await dispatcher.stop();
    const { failures, blocked_until_ms: blocked } = await set.db
      .selectFrom('webhooks')
      .selectAll()
      .executeTakeFirstOrThrow();
    assert.deepEqual([failures, blocked], [0, 0]);
    await receiver.stop();
  });

  check('a bounded number of deliveries waits for a webhook; events beyond it are logged as failed', async (set) => {
    const full = (await set.webhooks.create(set.caller, { url: 'http://127.0.0.1:9/full' })).webhook;
    const other = (await set.webhooks.create(set.caller, { url: 'http://127.0.0.1:9/other' })).webhook;
    const fill = (count: number) =>
      sql`
        insert into webhook_deliveries (webhook_id, event_id, type, body, next_attempt_at_ms, created_at_ms)
        select ${full.id}, gen_random_uuid(), 'webhook.test', '{}', ${T0}::bigint, ${T0 - 1}::bigint
        from generate_series(1, ${count}::integer)`.execute(set.db);
    await fill(WAITING_MAX_FOR_TEST - 1);
    await set.webhooks.test(set.caller, full.id);
    await assert.rejects(set.webhooks.test(set.caller, full.id), {
      code: 'RATE_LIMITED',
      message: '100 deliveries already wait for this webhook, too many to add a test',
      details: { retry_after: 60 },
    });
    await set.webhooks.test(set.caller, other.id);
    await fill(WAITING_MAX - WAITING_MAX_FOR_TEST - 1);
    await set.tell('last');
    await set.tell('above');
    const told = (await set.log()).filter(({ event_id: event }) => ['last', 'above'].includes(event));
    const what = told.map((row) => [row.webhook_id === full.id, row.event_id, row.status, row.last_error]);
    assert.deepEqual(what.sort(), [
      [false, 'above', 'pending', null],
      [false, 'last', 'pending', null],
      [true, 'above', 'failed', '1000 deliveries were waiting'],
      [true, 'last', 'pending', null],
    ]);
  });

  check('deliveries not accepted within a day are given up, except those in flight', async (set) => {
    await set.webhooks.create(set.caller, { url: 'http://127.0.0.1:9/' });
    for (const atMs of [T0, T0 + 1, T0 + 2]) await set.tell(`event ${atMs - T0}`, { atMs });
    set.time.nowMs += WAITING_MS_MAX + 2;
    const claim = await set.outbox.claim(nothingBusy, set.time.nowMs, set.time.nowMs + LEASE_MS);
    await set.dispatcher().trim();
    const seen = (await set.log()).map((row) => [row.event_id, row.status, row.last_error]);
    assert.deepEqual(seen, [
      ['event 0', 'pending', null],
      ['event 1', 'failed', 'no attempt was made within a day'],
      ['event 2', 'pending', null],
    ]);
    assert.equal(JSON.parse(claim?.body ?? '{}').id, 'event 0');
    set.time.nowMs += LEASE_MS;
    await set.dispatcher().trim();
    assert.deepEqual(
      (await set.log()).map(({ status }) => status),
      ['failed', 'failed', 'failed'],
    );
  });

  check('an organization has its share of the deliveries in flight, and all together have a bound', async (set) => {
    const [silent, quick] = [await startReceiver(() => {}), await startReceiver()];
    const addOrganization = async (url: string, webhooks: number, atMs: number) => {
      const caller = callerOf();
      for (let i = 0; i < webhooks; i++) await set.webhooks.create(caller, { url });
      await set.tell('event', { orgId: caller.orgId, atMs });
    };
    const underWay = async () => (await set.log()).filter((row) => row.status === 'pending' && row.attempts > 0).length;
    await addOrganization(silent.origin, ORGANIZATION_MAX + 1, T0 - 2);
    await addOrganization(quick.origin, 1, T0 - 1);
    const dispatcher = set.dispatcher();
    dispatcher.start();
    await Promise.all([
      set.until((rows) => rows.some(({ status }) => status === 'delivered')),
      silent.until(ORGANIZATION_MAX),
    ]);
    assert.equal(await underWay(), ORGANIZATION_MAX);
    for (let org = 1; org < CONCURRENCY_MAX / ORGANIZATION_MAX; org++) {
      await addOrganization(silent.origin, ORGANIZATION_MAX, T0 - 1);
    }
    await silent.until(CONCURRENCY_MAX);
    await addOrganization(quick.origin, 1, T0);
    for (let i = 0; i < 10; i++) {
      dispatcher.wake();
      await set.log();
    }
    assert.equal(await underWay(), CONCURRENCY_MAX);
    assert.equal(quick.received.length, 1);
    await dispatcher.stop();
    await Promise.all([silent.stop(), quick.stop()]);
  });
});

/** Asks until there is one. */
async function until<T>(ask: () => Promise<T | null | undefined>): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== undefined) return answer;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
