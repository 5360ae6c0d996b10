import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { Upstream, UpstreamFault, type UpstreamOptions } from '../../../../data/upstreams/index.js';
import {
  quickLimits,
  startUpstream,
  testUpstreamFaults,
  type UpstreamAnswer,
  upstreamFaults,
} from '../../../support/upstream-server.js';

const SECRET = 'a-very-secret-key';
const schema = z.object({ n: z.number() });

async function start(
  t: TestContext,
  answer: UpstreamAnswer = () => ({ n: 1 }),
  options: Partial<UpstreamOptions> = {},
) {
  const server = await startUpstream(t, answer);
  // Neither deadlines nor the server hold the process, which ends where this file runs alone.
  const alive = setInterval(() => {}, 1_000);
  t.after(() => clearInterval(alive));
  const upstream = new Upstream({
    name: 'tester',
    baseUrl: `${server.url}/base/`,
    headers: { 'X-Key': SECRET },
    query: { token: SECRET },
    ...options,
    limits: { ...quickLimits, ...options.limits },
  });
  const ask = (id: string | number = 0, maxAgeMs = 0) => upstream.ask({ path: `/things/${id}`, schema, maxAgeMs });
  return { server, upstream, ask };
}

const hasReason = (reason: string) => (error: unknown) => {
  assert.ok(error instanceof UpstreamFault, String(error));
  assert.equal(error.reason, reason, error.message);
  return true;
};

testUpstreamFaults(
  'upstream',
  async (t, limits) => {
    const { server, ask } = await start(t, undefined, { limits });
    return { server, ask, secret: SECRET };
  },
  upstreamFaults,
);

test('a request carries path, query, key and body', async (t) => {
  const { server, upstream } = await start(t);
  const query = { a: 'x y', b: 2, c: undefined };
  await upstream.ask({ path: 'things/1', query, body: { q: [1] }, schema, maxAgeMs: 0 });
  const [request] = server.requests;
  assert.ok(request !== undefined);
  assert.equal(request.path, '/base/things/1');
  assert.deepEqual(
    [...request.query],
    [
      ['a', 'x y'],
      ['b', '2'],
      ['token', SECRET],
    ],
  );
  assert.equal(request.headers['x-key'], SECRET);
  assert.deepEqual(request.body, { q: [1] });
});

test('an answer counts as fresh for its age, and says how old it is', async (t) => {
  let now = 1_000_000;
  const { server, ask } = await start(t, undefined, { clock: () => now });
  assert.deepEqual(await ask(0, 5_000), {
    value: { n: 1 },
    source: 'tester',
    asOfMs: null,
    ageMs: 0,
    maxAgeMs: 5_000,
    isStale: false,
  });
  now += 5_000;
  assert.equal((await ask(0, 5_000)).ageMs, 5_000);
  assert.equal(server.requests.length, 1);
  now += 1;
  assert.equal((await ask(0, 5_000)).ageMs, 0);
  assert.equal(server.requests.length, 2);
});

test('an older answer takes the place of a failed call, is marked, and not served for ever', async (t) => {
  let now = 1_000_000;
  const { server, ask } = await start(t, undefined, { clock: () => now, limits: { staleMsMax: 60_000 } });
  await ask();
  now += 60_000;
  server.faults.push('refused', 'refused');
  const { value, ageMs, isStale } = await ask();
  assert.deepEqual({ value, ageMs, isStale }, { value: { n: 1 }, ageMs: 60_000, isStale: true });
  now += 1;
  await assert.rejects(ask(), hasReason('refused'));
});

test('no request is made after the deadline, not even by a call that waited for its turn', async (t) => {
  const { upstream } = await start(t, undefined, { limits: { concurrent: 1, deadlineMs: 100, failuresMax: 100 } });
  // The first call holds the only turn until it is released, long after the deadline of all three.
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const sent: { readonly id: number; readonly isLate: boolean }[] = [];
  const outcomes = await Promise.allSettled(
    [1, 2, 3].map((id) =>
      upstream.ask({
        ...{ path: `/things/${id}`, schema, maxAgeMs: 0 },
        async send({ signal }) {
          sent.push({ id, isLate: signal.aborted });
          await held;
          return { n: 1 };
        },
      }),
    ),
  );
  for (const outcome of outcomes) hasReason('timeout')(outcome.status === 'rejected' && outcome.reason);
  release();
  // All turns are over.
  await upstream.ask({ path: 'after', schema, maxAgeMs: 0, send: async () => ({ n: 1 }) });
  assert.deepEqual(sent, [{ id: 1, isLate: false }]);
});

test('only so many calls run at once, and only so many wait', async (t) => {
  const { server, ask } = await start(t, undefined, { limits: { concurrent: 2, waiting: 3, failuresMax: 100 } });
  server.faults.push('stalled', 'stalled');
  const calls = [1, 2, 3, 4, 5, 6].map((id) => ask(id));
  const refused = calls.pop();
  assert.ok(refused !== undefined);
  await assert.rejects(refused, hasReason('queue full'));
  await sleep(100);
  assert.equal(server.requests.length, 2);
  await Promise.allSettled(calls);
});

test('the breaker opens after failures in a row, and closes again after a good call', async (t) => {
  const { server, upstream, ask } = await start(t);
  assert.deepEqual(upstream.state(), { name: 'tester', breaker: 'closed', fault: null });
  server.faults.push(...Array.from({ length: 6 }, () => 'server error' as const));
  for (let i = 0; i < 3; i++) await assert.rejects(ask(i), hasReason('server'));
  const { breaker, fault } = upstream.state();
  assert.deepEqual([breaker, fault], ['open', 'tester: HTTP 503']);
  const made = server.requests.length;
  await assert.rejects(ask(4), hasReason('open'));
  assert.equal(server.requests.length, made);
  const questions = { answered: 0, kept: 0, stale: 0, failed: 4 };
  assert.deepEqual(upstream.activity(), { questions, answerAgeMs: null });
  await sleep(250);
  assert.equal((await ask(5)).value?.n, 1);
  assert.deepEqual(upstream.state(), { name: 'tester', breaker: 'closed', fault: null });
});

test("the provider's own rate is kept: a call that would have to wait too long is not sent", async (t) => {
  const { server, ask } = await start(t, undefined, { limits: { perMinute: 2 } });
  await ask(1);
  await ask(2);
  await assert.rejects(ask(3), hasReason('own rate'));
  assert.equal(server.requests.length, 2);
});
