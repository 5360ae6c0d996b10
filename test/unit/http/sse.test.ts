import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'node:test';
import { type SseFrame, type SseOptions, sendEvents, sseText } from '../../../http/sse.js';
import { ApiError } from '../../../rpc/index.js';

/** Frames that a test sends one by one. */
class Source {
  readonly #queue: (SseFrame | Error | null)[] = [];
  #call = (): void => {};
  signal: AbortSignal | null = null;

  /** Null ends the stream. */
  give(...items: (SseFrame | Error | null)[]): void {
    this.#queue.push(...items);
    this.#call();
  }

  open = async function* (this: Source, signal: AbortSignal): AsyncGenerator<string> {
    this.signal = signal;
    signal.addEventListener('abort', () => this.#call());
    while (!signal.aborted) {
      const item = this.#queue.shift();
      if (item === null) return;
      if (item instanceof Error) throw item;
      if (item !== undefined) yield sseText([item]);
      else await new Promise<void>((resolve) => (this.#call = resolve));
    }
  }.bind(this);
}

/** A server that answers every request with the frames of `source`, and how each answer ended. */
async function serving(t: test.TestContext, options: Partial<SseOptions> = {}) {
  const source = new Source();
  const closing = new AbortController();
  const ended: Promise<unknown>[] = [];
  const answer = async (response: ServerResponse): Promise<unknown> => {
    try {
      await sendEvents(response, source.open, { closing: closing.signal, ...options });
      return null;
    } catch (error) {
      response.writeHead(500).end((error as Error).message);
      return error;
    }
  };
  const server = createServer((_, response) => ended.push(answer(response)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close().closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const open = async (): Promise<IncomingMessage> => {
    const [response] = (await once(get(url), 'response')) as [IncomingMessage];
    response.setEncoding('utf8');
    return response;
  };
  return { source, closing, ended, server, url, open };
}

/** Reads until the text matches. */
async function until(response: IncomingMessage, pattern: RegExp): Promise<string> {
  let text = '';
  while (!pattern.test(text)) text += (await once(response, 'data'))[0];
  return text;
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response) text += chunk;
  return text;
}

test('headers and the first frame are sent at once, each further frame as it comes', async (t) => {
  const { source, open, ended } = await serving(t);
  source.give({ event: 'ready', data: { n: 1 } });
  const response = await open();
  assert.equal(response.statusCode, 200);
  const { headers } = response;
  assert.equal(headers['content-type'], 'text/event-stream; charset=utf-8');
  assert.deepEqual([headers['cache-control'], headers['x-accel-buffering']], ['no-cache', 'no']);
  assert.equal(headers['content-length'], undefined);
  assert.equal(await until(response, /\n\n/), 'event: ready\ndata: {"n":1}\nretry: 5000\n\n');
  source.give({ id: '7', event: 'fill', data: { text: 'two\nlines' } });
  assert.equal(await until(response, /\n\n/), 'id: 7\nevent: fill\ndata: {"text":"two\\nlines"}\n\n');
  source.give({ data: [] }, null);
  assert.equal(await textOf(response), 'data: []\n\n');
  assert.equal(await ended[0], null);
});

test('a comment keeps a silent connection alive', async (t) => {
  const { source, open } = await serving(t, { keepAliveMs: 5 });
  source.give({ data: 0 });
  const response = await open();
  assert.match(await until(response, /(: keep-alive\n\n){3}/), /^data: 0\nretry: 5000\n\n(: keep-alive\n\n)+$/);
  response.destroy();
});

test('a failure before the first frame is thrown, a later one ends the stream', async (t) => {
  const { source, open, ended } = await serving(t);
  source.give(new ApiError('RESOURCE_NOT_FOUND', 'none'));
  const refused = await open();
  assert.deepEqual([refused.statusCode, await textOf(refused)], [500, 'none']);
  assert.equal(((await ended[0]) as ApiError).code, 'RESOURCE_NOT_FOUND');
  source.give({ data: 1 }, new ApiError('INTERNAL_ERROR', 'lost'));
  const broken = await open();
  assert.deepEqual([broken.statusCode, await textOf(broken)], [200, 'data: 1\nretry: 5000\n\n']);
  assert.equal(await ended[1], null);
});

test('a client that loses its permission receives no more', async (t) => {
  let isRefused = false;
  let asked = 0;
  const ask = async () => {
    asked++;
    return isRefused;
  };
  const { source, open, ended } = await serving(t, { isRefused: ask, recheckMs: 5 });
  source.give({ data: 1 });
  const response = await open();
  await until(response, /\n\n/);
  while (asked < 2) await new Promise((resolve) => setTimeout(resolve, 1));
  source.give({ data: 2 });
  assert.equal(await until(response, /\n\n/), 'data: 2\n\n');
  isRefused = true;
  assert.equal(await textOf(response), '');
  assert.equal(await ended[0], null);
});

test('a client that does not read is cut off, at a bound', async (t) => {
  const unreadBytesMax = 1_000_000;
  const { source, open, ended } = await serving(t, { unreadBytesMax });
  source.give({ data: 1 });
  const response = await open();
  await until(response, /\n\n/);
  response.pause();
  let frames = 0;
  const filler = 'x'.repeat(100_000);
  while (source.signal?.aborted !== true) {
    source.give({ data: filler });
    assert.ok(++frames < 1_000, 'the system does not buffer so much');
    await new Promise((done) => setImmediate(done));
  }
  await ended[0];
  response.resume();
  await assert.rejects(textOf(response), { code: 'ECONNRESET' });
});

test('a server that stops ends its streams, and their connections, at once', async (t) => {
  const { source, open, closing, server, ended } = await serving(t);
  source.give({ data: 1 });
  const response = await open();
  await until(response, /\n\n/);
  const closed = once(server, 'close');
  server.close();
  closing.abort();
  assert.equal(await textOf(response), '', 'the end is a clean one');
  await Promise.all([closed, ended[0]]);
});

test('a server that is stopping opens no stream', async (t) => {
  const { open, closing, ended, source } = await serving(t);
  closing.abort();
  for (const end of [null, new Error('cancelled')]) {
    source.give(end);
    const response = await open();
    assert.deepEqual([response.statusCode, await textOf(response)], [500, 'the service is stopping']);
    assert.equal(((await ended.at(-1)) as ApiError).code, 'ENGINE_BUSY');
  }
});
