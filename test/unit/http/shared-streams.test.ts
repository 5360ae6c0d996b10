import assert from 'node:assert/strict';
import test from 'node:test';
import { type Reading, SharedStreams, type StreamPart } from '../../../http/shared-streams.js';
import { sseText } from '../../../http/sse.js';

/** That readers get what they are owed test/property/shared-streams.test.ts proves; here is how streams end. */

/**
 * Streams that a test feeds by hand: one shared by all readers, and one for each reader that
 * catches up.
 */
class Calls {
  readonly opened: Call[] = [];
  readonly caughtUp: Call[] = [];
  readonly streams = new SharedStreams();

  read(key = 'all') {
    const gone = new AbortController();
    const begin = (list: Call[]) => (signal: AbortSignal) => {
      const call = new Call(signal);
      list.push(call);
      return call.parts();
    };
    const reading: Reading = { key, open: begin(this.opened), catchUp: begin(this.caughtUp) };
    return { texts: this.streams.read(reading, gone.signal), gone };
  }

  /** A reader that has received `ready` from a stream that it opened. */
  async lead(key?: string) {
    const reader = this.read(key);
    const ready = reader.texts.next();
    await turn();
    this.opened.at(-1)!.give(readyAt(0));
    await ready;
    return reader;
  }
}

type Item = StreamPart | Error | null;

class Call {
  readonly #items: Item[] = [];
  #wake = (): void => {};

  constructor(readonly signal: AbortSignal) {
    signal.addEventListener('abort', () => this.give(new Error('cancelled')));
  }

  /** Null ends the stream. */
  give(...items: Item[]): void {
    this.#items.push(...items);
    this.#wake();
  }

  async *parts(): AsyncGenerator<StreamPart> {
    for (;;) {
      const item = this.#items.shift();
      if (item === null) return;
      if (item instanceof Error) throw item;
      if (item !== undefined) yield item;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

const readyAt = (newestId: number): StreamPart => ({ frames: [{ event: 'ready', data: 0 }], newestId });
const events = (...ids: number[]): StreamPart => ({
  frames: ids.map((id) => ({ id: String(id), data: id })),
  newestId: null,
});
const textOf = (part: StreamPart): string => sseText(part.frames);
const turn = () => new Promise((done) => setImmediate(done));

test('a refusal affects only the refused reader, and the next one opens the stream', async () => {
  const calls = new Calls();
  const refused = assert.rejects(calls.read().texts.next(), /who are you/);
  const welcome = calls.read().texts.next();
  await turn();
  assert.equal(calls.opened.length, 1);
  calls.opened[0]!.give(new Error('who are you'));
  await refused;
  await turn();
  calls.opened[1]!.give(readyAt(0));
  assert.equal(String((await welcome).value), textOf(readyAt(0)));
  assert.deepEqual([calls.opened.length, calls.caughtUp.length], [2, 0]);
});

test('a reader that leaves before its stream is open passes it on to the next', async () => {
  const calls = new Calls();
  const { texts, gone } = calls.read();
  const first = texts.next();
  const second = calls.read().texts.next();
  await turn();
  gone.abort();
  assert.ok((await first).done);
  await turn();
  assert.ok(calls.opened[0]!.signal.aborted);
  calls.opened[1]!.give(readyAt(0));
  assert.equal((await second).done, false);
});

test('a stream is closed when its last reader has left, not its first', async () => {
  const calls = new Calls();
  const first = await calls.lead();
  const second = calls.read();
  const ready = second.texts.next();
  await turn();
  calls.caughtUp[0]!.give(readyAt(0), null);
  await ready;
  first.gone.abort();
  assert.ok((await first.texts.next()).done);
  const next = second.texts.next();
  calls.opened[0]!.give(events(1));
  assert.equal(String((await next).value), textOf(events(1)));
  assert.equal(calls.opened[0]!.signal.aborted, false);
  await second.texts.return(undefined);
  assert.ok(calls.opened[0]!.signal.aborted);
  await calls.lead();
  assert.equal(calls.opened.length, 2);
});

test('a stream that fails ends its readers, including those that catch up, and the next reader opens another', async () => {
  const calls = new Calls();
  const first = await calls.lead();
  const second = calls.read();
  const ready = second.texts.next();
  await turn();
  calls.opened[0]!.give(events(1), new Error('lost'));
  assert.equal(String((await first.texts.next()).value), textOf(events(1)));
  await assert.rejects(first.texts.next(), /lost/);
  calls.caughtUp[0]!.give(readyAt(0), null);
  assert.equal((await ready).value, textOf(readyAt(0)));
  assert.equal(String((await second.texts.next()).value), textOf(events(1)));
  await assert.rejects(second.texts.next(), /lost/);
  await calls.lead();
  assert.equal(calls.opened.length, 2);
});

test('a reader that never catches up has a bounded backlog', async () => {
  const calls = new Calls();
  const first = await calls.lead();
  const second = calls.read();
  const ready = second.texts.next();
  await turn();
  for (let id = 1; id <= 1_001; id++) {
    calls.opened[0]!.give(events(id));
    await first.texts.next();
  }
  calls.caughtUp[0]!.give(readyAt(0), null);
  await ready;
  for (let id = 1; id <= 1_000; id++) assert.equal(String((await second.texts.next()).value), textOf(events(id)));
  await assert.rejects(second.texts.next(), { code: 'ENGINE_BUSY', message: /more than 1000 parts behind/ });
});
