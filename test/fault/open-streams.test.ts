import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { ApiError } from '../../rpc/index.js';
import { createObserver } from '../../server/observe.js';
import { startService } from '../../server/start.js';
import { readServiceConfig } from '../../service/settings/config.js';
import { restApi } from '../support/api.js';
import { connect } from '../support/mcp.js';
import { SECRET, startTestService, type TestService } from '../support/service.js';
import { openStream, type SseStream } from '../support/sse.js';
import { root } from '../support/tree.js';

/** What a caller may hold open: the readers of one stream share it, so each way in is tried. */

const path = '/api/v1/oracle/deployed/stream?last_event_id=0';
const limits = { BARLINE_STREAMS_PER_CREDENTIAL: '3', BARLINE_STREAMS_PER_ORGANIZATION: '5' };

async function start(t: TestContext): Promise<TestService> {
  const service = await startTestService(limits);
  t.after(() => service.stop());
  return service;
}

/** Streams of server-sent events that have begun. */
async function readers(origin: string, token: string, count: number): Promise<SseStream[]> {
  const streams: SseStream[] = [];
  for (let i = 0; i < count; i++) {
    const stream = await openStream(`${origin}${path}`, token);
    assert.equal((await stream.next()).event, 'ready');
    streams.push(stream);
  }
  return streams;
}

/** The answer to one reader more, which leaves at once where it is let in. */
async function ask(origin: string, token: string) {
  const leaving = new AbortController();
  const { signal } = leaving;
  const response = await fetch(`${origin}${path}`, { headers: { Authorization: `Bearer ${token}` }, signal });
  const { status, headers } = response;
  const { code = 'OK', message = '' } = status === 200 ? {} : ((await response.json()) as Partial<ApiError>);
  leaving.abort();
  return { status, retryAfter: headers.get('retry-after'), code, message };
}

/** Opens a stream as soon as one that was closed has been given back. */
async function opened<T>(open: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await open();
    } catch (error) {
      if ((error as ApiError).code !== 'RATE_LIMITED') throw error;
      await delay(10);
    }
  }
}

/** A stream of gRPC that has begun; the result ends it. */
async function grpcStream({ client }: TestService, token: string): Promise<() => void> {
  const leaving = new AbortController();
  const parts = client.stream(
    'Deployed.Stream',
    { last_event_id: 0 },
    { authorization: `Bearer ${token}`, signal: leaving.signal, deadlineMs: null },
  );
  await parts.next();
  return () => leaving.abort();
}

const ofCredential = /^This credential has 3 streams open, the most it may have: close one$/;

test('streams over REST and gRPC and sessions of MCP count together, and a closed one is given back', async (t) => {
  const service = await start(t);
  const { token } = await service.login();
  const [first] = await readers(service.origin, token, 1);
  const leave = await grpcStream(service, token);
  const session = (await connect('http session', service, token)).transport as StreamableHTTPClientTransport;
  const refused = await ask(service.origin, token);
  assert.deepEqual({ ...refused, message: '' }, { status: 429, retryAfter: '30', code: 'RATE_LIMITED', message: '' });
  assert.match(refused.message, ofCredential);
  await assert.rejects(grpcStream(service, token), { code: 'RATE_LIMITED', message: ofCredential });
  await assert.rejects(connect('http session', service, token), /3 streams open/);

  first?.close();
  const again = await opened(() => grpcStream(service, token));
  await assert.rejects(grpcStream(service, token), { code: 'RATE_LIMITED' });
  leave();
  const second = await opened(() => grpcStream(service, token));
  await session.terminateSession();
  const third = await opened(() => grpcStream(service, token));
  for (const end of [again, second, third]) end();
});

test('the readers of a shared stream count each for its caller, also the one that it was opened for', async (t) => {
  const service = await start(t);
  const { token } = await service.login();
  const rest = restApi(service.origin, token);
  const { body } = await rest.call('Auth.CreateApiKey', { name: 'second' });
  const mine = await readers(service.origin, token, 3);
  assert.match((await ask(service.origin, token)).message, ofCredential);
  await readers(service.origin, body.key, 2);
  assert.match((await ask(service.origin, body.key)).message, /^The organization has 5 streams open/);
  const stranger = (await service.login()).token;
  await readers(service.origin, stranger, 3);
  for (const stream of mine) stream.close();
  while ((await ask(service.origin, token)).status === 429) await delay(10);
});

test('a facade of its own process counts its readers, and its gRPC server does not count them again', async (t) => {
  const service = await start(t);
  const { token } = await service.login();
  const config = readServiceConfig({
    ...limits,
    BARLINE_HTTP_PORT: '0',
    BARLINE_RPC_PORT: new URL(`http://${service.rpcAddress}`).port,
    BARLINE_SECRET: SECRET,
  });
  const observer = createObserver('silent', 'test');
  const facade = await startService({ config, observer, version: 'test', packageRoot: root, parts: ['http'] });
  t.after(() => facade.stop());
  await readers(facade.origin ?? '', token, 3);
  assert.match((await ask(facade.origin ?? '', token)).message, ofCredential);
  for (let i = 0; i < 3; i++) await grpcStream(service, token);
  await assert.rejects(grpcStream(service, token), { code: 'RATE_LIMITED' });
});
