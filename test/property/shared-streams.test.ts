import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { SharedStreams, type StreamPart } from '../../http/shared-streams.js';
import type { SseText } from '../../http/sse.js';
import type { StreamRequest } from '../../service/deployed/read.js';
import { feedOfEvents } from '../support/deployed-events.js';
import { seededRandom } from '../support/random.js';
import { runs } from '../support/scale.js';

/** Readers of one feed that come and go while events arrive, over calls that take time. */

const strategies = ['lively', 'ether'];
const READERS_MAX = 12;

function world(seed: number) {
  const random = seededRandom(seed);
  const upTo = (max: number): number => Math.floor(random() * (max + 1));
  const pause = async (turns: number): Promise<void> => {
    for (let turn = upTo(turns); turn > 0; turn--) await new Promise((done) => setImmediate(done));
  };
  const { store, feed, read } = feedOfEvents();
  const streams = new SharedStreams();
  const closing = new AbortController();
  let isQuiet = false;
  let isAbroad = 0;

  /** Acts as a network: a part arrives in order, some time after it was sent. */
  async function* call(request: StreamRequest, signal: AbortSignal): AsyncGenerator<StreamPart> {
    await pause(3);
    for await (const part of read(request, signal)) {
      isAbroad++;
      await pause(3);
      isAbroad--;
      if ('ready' in part) yield { frames: [{ event: 'ready', data: 0 }], newestId: part.ready.newest_id };
      else yield { frames: part.events.map(({ id }) => ({ id, data: id })), newestId: null };
    }
  }

  /**
   * Reads for a while. @returns the events that it got, and those that it was owed from its
   * beginning
   */
  async function reader() {
    const only = random() < 0.5 ? strategies[upTo(1)]! : undefined;
    const lastEventId = random() < 0.5 ? upTo(store.all.length) : undefined;
    const filter = only === undefined ? {} : { strategy_id: only };
    const resumed = lastEventId === undefined ? {} : { last_event_id: lastEventId };
    const request = { ...filter, ...resumed };
    const gone = new AbortController();
    const signal = AbortSignal.any([gone.signal, closing.signal]);
    const stays = random() < 0.6;
    const newestAtFirst = store.all.length;
    let text = '';
    let newestWhenReady = Infinity;
    const reading = {
      key: only ?? '',
      open: (ending: AbortSignal) => call(request, ending),
      catchUp: (ending: AbortSignal) => call({ ...request, until_now: true }, ending),
    };
    const texts: AsyncIterable<SseText> = streams.read(reading, signal);
    if (!stays) void pause(40).then(() => gone.abort());
    for await (const part of texts) {
      newestWhenReady = Math.min(newestWhenReady, store.all.length);
      text += part;
    }
    const ids = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
    return { ids, only, lastEventId, stays, newestAtFirst, newestWhenReady, readies: text.split('ready').length - 1 };
  }

  async function happen(): Promise<void> {
    for (let step = 0; step < 30; step++) {
      store.add(upTo(3), strategies[upTo(1)]!);
      feed.wake();
      await pause(3);
    }
    isQuiet = true;
  }

  async function run() {
    store.add(upTo(20));
    const readers: ReturnType<typeof reader>[] = [];
    const events = happen();
    for (let count = 1 + upTo(READERS_MAX - 1); count > 0; count--) {
      readers.push(reader());
      await pause(12);
    }
    await events;
    for (let quiet = 0; quiet < 20; quiet = isQuiet && isAbroad === 0 ? quiet + 1 : 0) {
      await new Promise((done) => setImmediate(done)); // until nothing is in flight
    }
    closing.abort();
    return { read: await Promise.all(readers), store, feed };
  }
  return run();
}

test('every reader gets every event after its start once, in order, while other readers come and go', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer(), async (seed) => {
      const { read, store, feed } = await world(seed);
      for (const { ids, only, lastEventId, stays, newestAtFirst, newestWhenReady, readies } of read) {
        const all = store.all.filter(({ event }) => only === undefined || event.strategy_id === only);
        const wanted = all.map(({ id }) => id).filter((id) => id > (lastEventId ?? newestAtFirst));
        if (stays) assert.equal(readies, 1);
        let from = 0;
        if (lastEventId === undefined) {
          from = ids.length > 0 ? wanted.indexOf(ids[0]!) : stays ? wanted.length : 0;
          assert.ok(
            (wanted[from - 1] ?? 0) <= newestWhenReady,
            `began with ${ids[0]}, was ready at ${newestWhenReady}`,
          );
        }
        assert.deepEqual(ids, wanted.slice(from, stays ? undefined : from + ids.length));
      }
      assert.equal(feed.readers, 0);
    }),
    { numRuns: runs(20, 2_000) },
  );
});
