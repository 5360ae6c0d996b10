import assert from 'node:assert/strict';
import test from 'node:test';
import { HELD_EVENTS_MAX } from '../../../../service/deployed/feed.js';
import type { StreamRequest } from '../../../../service/deployed/read.js';
import type { StreamPart } from '../../../../service/deployed/stored.js';
import { feedOfEvents } from '../../../support/deployed-events.js';

function world(pollMs?: number) {
  const { read, ...rest } = feedOfEvents(pollMs);
  const open = (request: StreamRequest = {}) => {
    const gone = new AbortController();
    return { parts: read(request, gone.signal), gone };
  };
  return { ...rest, open };
}

type Parts = AsyncGenerator<StreamPart>;

/** The ids of the next events. Parts are taken whole, so there may be more. */
async function take(parts: Parts, count: number): Promise<number[]> {
  const ids: number[] = [];
  while (ids.length < count) {
    const { value, done } = await parts.next();
    if (done) break;
    if ('events' in value) ids.push(...value.events.map(({ id }) => Number(id)));
  }
  return ids;
}

test('a reader continues after the last event it has seen, as far back as events are held', async () => {
  const { store, open } = world();
  store.add(HELD_EVENTS_MAX + 50);
  const newest = HELD_EVENTS_MAX + 50;
  const first = async (last_event_id: number) => (await take(open({ last_event_id }).parts, 1))[0];
  assert.equal(await first(newest - 1), newest);
  assert.equal(await first(60), 61);
  assert.equal(await first(50), 51);
  assert.equal(await first(49), 51, 'older events are gone');
  assert.equal(await first(0), 51);
  const all = await take(open({ last_event_id: 0 }).parts, HELD_EVENTS_MAX);
  assert.deepEqual(
    all,
    Array.from({ length: HELD_EVENTS_MAX }, (_, k) => k + 51),
  );
});

test('a reader that resumes during a read for the previous reader misses nothing', async () => {
  const { store, open, feed } = world();
  store.add(5);
  const { parts, gone } = open();
  await parts.next();
  const { eventsAfter } = store;
  let answer = (): void => {};
  store.eventsAfter = async (id, limit) => {
    await new Promise<void>((resolve) => (answer = resolve));
    return eventsAfter.call(store, id, limit);
  };
  feed.wake();
  gone.abort();
  await parts.return(undefined);
  store.eventsAfter = eventsAfter;
  store.add(2);
  const resumed = take(open({ last_event_id: 3 }).parts, 4);
  await new Promise(setImmediate);
  answer();
  assert.deepEqual(await resumed, [4, 5, 6, 7]);
});

test('a reader that asks for events up to now gets them, and its stream ends', async () => {
  const { store, feed, open } = world();
  const ids = (request: StreamRequest) => take(open({ ...request, until_now: true }).parts, Infinity);
  assert.deepEqual(await ids({}), []);
  store.add(150);
  store.add(1, 'ether');
  assert.deepEqual(await ids({}), []);
  assert.deepEqual(await ids({ last_event_id: 149 }), [150, 151]);
  assert.deepEqual(await ids({ last_event_id: 151 }), []);
  assert.deepEqual(await ids({ last_event_id: 147, strategy_id: 'lively' }), [148, 149, 150]);
  assert.deepEqual(await ids({ last_event_id: 0, strategy_id: 'slow' }), []);
  assert.equal((await ids({ last_event_id: 0 })).length, 151);
  assert.equal(feed.readers, 0);
});

test('a slow reader is dropped when it falls too far behind, and delays no other', async () => {
  const { store, feed, open } = world();
  const [slow, quick] = [open().parts, open().parts];
  await slow.next();
  await quick.next();
  for (let batch = 0; batch < 11; batch++) {
    const next = take(quick, 100);
    store.add(100);
    feed.wake();
    assert.equal((await next).at(-1), 100 * (batch + 1));
  }
  await assert.rejects(take(slow, 1), { code: 'ENGINE_BUSY', message: /more than 1000 events behind/ });
  assert.equal(feed.readers, 1);
});

test('with any number of readers, the store is asked once for an event', async () => {
  const { store, feed, open } = world();
  const readers = Array.from({ length: 200 }, () => open().parts);
  await Promise.all(readers.map((parts) => parts.next()));
  assert.equal(feed.readers, 200);
  const before = store.reads;
  const all = Promise.all(readers.map((parts) => take(parts, 1)));
  store.add(1);
  feed.wake();
  assert.deepEqual(new Set((await all).flat()), new Set([1]));
  assert.equal(store.reads - before, 1);
});

test('polling finds an event without a notice', async () => {
  const alive = setInterval(() => {}, 1_000); // the feed alone keeps no process alive
  const { store, open } = world(5);
  const { parts } = open();
  await parts.next();
  const next = take(parts, 1);
  store.add(1);
  assert.deepEqual(await next, [1]);
  clearInterval(alive);
});

test('a store that fails once is asked again, and its readers stay', async () => {
  const { store, feed, failures, open } = world();
  const { parts } = open();
  await parts.next();
  const next = take(parts, 1);
  store.add(1);
  const { newestEvents } = store;
  store.newestEvents = async () => {
    throw new Error('connection refused');
  };
  feed.wake();
  await new Promise((done) => setImmediate(done));
  assert.equal(failures.length, 1);
  await assert.rejects(open().parts.next(), /connection refused/);
  assert.equal(feed.readers, 1);
  store.newestEvents = newestEvents;
  feed.wake();
  assert.deepEqual(await next, [1]);
});
