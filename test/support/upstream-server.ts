import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type TestContext } from 'node:test';
import { type Sourced, UpstreamFault, type UpstreamLimits } from '../../data/upstreams/index.js';

/** What a provider's server does with one request instead of answering it. */
export const upstreamFaults = [
  'rate limit',
  'rate limit for an hour',
  'server error',
  'reset',
  'truncated',
  'silent',
  'stalled',
  'html',
  'wrong type',
  'refused',
  '100 MB',
] as const;

export type UpstreamServerFault = (typeof upstreamFaults)[number];

export interface UpstreamRequest {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  /** The JSON of a POST. */
  readonly body: unknown;
}

/** An answer with a status of its own. */
export class Refusal {
  constructor(
    readonly status: number,
    readonly body: object,
  ) {}
}

/** What the provider answers when all is well, or a promise of it; undefined is a 404. */
export type UpstreamAnswer = (request: UpstreamRequest) => unknown;

export interface UpstreamServer {
  readonly url: string;
  readonly requests: readonly UpstreamRequest[];
  /** Faults of the next requests, in order; without one the server answers. */
  readonly faults: UpstreamServerFault[];
  /** May be changed while the server runs. */
  answer: UpstreamAnswer;
  /** Bytes of a large body that its reader has taken, or that wait in buffers. */
  largeBytesSent: number;
}

/** Where a server is told to close: the context of a test, or a whole file. */
export interface AtEnd {
  after(close: () => void): void;
}

/**
 * A server on this machine that speaks a provider's format, with the faults that servers have.
 * Closed when the test ends.
 */
export async function startUpstream(t: AtEnd, answer: UpstreamAnswer): Promise<UpstreamServer> {
  const requests: UpstreamRequest[] = [];
  const faults: UpstreamServerFault[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const text = Buffer.concat(parts).toString();
    const asked = {
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body: text === '' ? undefined : JSON.parse(text),
    };
    requests.push(asked);
    const fault = faults.shift();
    const value = await upstream.answer(asked);
    if (fault !== undefined) fail(fault, response, JSON.stringify(value ?? {}), upstream);
    else if (value instanceof Refusal) send(response, value.status, JSON.stringify(value.body));
    else if (value === undefined) send(response, 404, '{"error":"not found"}');
    else send(response, 200, JSON.stringify(value));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve).unref(); // see receiver.ts
  });
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const upstream: UpstreamServer = { url: `http://127.0.0.1:${port}`, requests, faults, answer, largeBytesSent: 0 };
  return upstream;
}

const send = (response: ServerResponse, status: number, text: string, headers: Record<string, string> = {}): void => {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(text);
};

function fail(fault: UpstreamServerFault, response: ServerResponse, text: string, server: UpstreamServer): void {
  const half = text.slice(0, Math.max(1, text.length >> 1));
  const start = () =>
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': text.length + 1 });
  const acts: Readonly<Record<UpstreamServerFault, () => unknown>> = {
    'rate limit': () => send(response, 429, '{}', { 'Retry-After': '0' }),
    'rate limit for an hour': () => send(response, 429, '{}', { 'Retry-After': '3600' }),
    'server error': () => send(response, 503, '<html>down</html>'),
    reset: () => response.socket?.resetAndDestroy(),
    truncated: () => start().write(half, () => response.socket?.destroy()),
    silent: () => {},
    stalled: () => start().write(half),
    html: () => send(response, 200, '<!doctype html><p>Welcome'),
    'wrong type': () => send(response, 200, '"nonsense"'),
    refused: () => send(response, 401, '{"error":"bad key"}'),
    '100 MB': () => sendMuch(response, LARGE_BYTES, server),
  };
  acts[fault]();
}

const LARGE_BYTES = 100 * 1024 * 1024;
/** The most that may be sent of it: what the reader may take, and what buffers of sockets hold. */
const LARGE_BYTES_TAKEN_MAX = 24 * 1024 * 1024;

function sendMuch(response: ServerResponse, bytes: number, server: UpstreamServer): void {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  const part = Buffer.alloc(64 * 1024, 0x20);
  let left = bytes;
  const more = (): void => {
    while (left > 0) {
      left -= part.length;
      server.largeBytesSent += part.length;
      if (!response.write(part)) {
        response.once('drain', more);
        return;
      }
    }
    response.end('{}');
  };
  more();
}

/** Limits with which a fault shows within a second. */
export const quickLimits: Partial<UpstreamLimits> = {
  deadlineMs: 600,
  retryMs: 5,
  failuresMax: 3,
  heldBackMs: 200,
  bodyBytesMax: 1024 * 1024,
};

/**
 * Faults that only the deadline ends. The others have time, so that a busy machine fails no test.
 */
const endless: readonly UpstreamServerFault[] = ['silent', 'stalled'];
const patientLimits = { ...quickLimits, deadlineMs: 30_000 };

/** Faults that one more request mends; the others end the call. */
const mended: readonly UpstreamServerFault[] = ['rate limit', 'server error', 'reset', 'truncated', 'html'];

/**
 * The faults of a provider, against one of its adapters: the right answer after a retry, or one
 * clear error that names the provider and gives away neither key nor address.
 * @param open has a question that the adapter has not asked before, so that no kept answer serves
 * @param faults by default those that an adapter over `Upstream` can handle in a way of its own:
 *   `upstream.test.ts` proves the others once
 */
export function testUpstreamFaults(
  adapter: string,
  open: (t: TestContext, limits: Partial<UpstreamLimits>) => Promise<FaultyAdapter>,
  faults: readonly UpstreamServerFault[] = ['html', 'wrong type', 'refused'],
): void {
  for (const fault of faults) {
    const isMended = mended.includes(fault);
    test(`${adapter}: ${fault} ends in ${isMended ? 'the right answer' : 'one clear error'}`, async (t) => {
      const { server, ask, secret } = await open(t, patientLimits);
      const right = await ask();
      assert.ok(right !== null && right.value !== null, 'the server answers the question');
      const limits = endless.includes(fault) ? quickLimits : patientLimits;
      const { server: second, ask: askSecond } = await open(t, limits);
      second.faults.push(fault);
      if (isMended) {
        assert.deepEqual((await askSecond())?.value, right.value);
        return;
      }
      await assert.rejects(askSecond(), (error: unknown) => {
        assert.ok(error instanceof UpstreamFault, String(error));
        for (const hidden of [secret, second.url, server.url])
          assert.ok(!error.message.includes(hidden), error.message);
        return true;
      });
      assert.ok(second.largeBytesSent <= LARGE_BYTES_TAKEN_MAX, `${second.largeBytesSent} bytes were taken`);
      if (fault === '100 MB') assert.ok(second.largeBytesSent > 0);
    });
  }
}

export interface FaultyAdapter {
  readonly server: UpstreamServer;
  readonly ask: () => Promise<Sourced<unknown> | null>;
  /** The key that no message may hold. */
  readonly secret: string;
}
