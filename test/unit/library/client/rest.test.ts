import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'node:test';
import { createRestClient } from '../../../../library/client/rest.js';

interface Arrival {
  readonly method: string | undefined;
  readonly key: string | undefined;
  readonly body: string;
}

/** Serves each request with the next of `answers`, and the last again and again. */
async function serve(...answers: readonly ((response: ServerResponse) => void)[]) {
  const arrivals: Arrival[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const key = request.headers['idempotency-key'];
    arrivals.push({ method: request.method, key: key?.toString(), body: Buffer.concat(chunks).toString() });
    answers[Math.min(arrivals.length, answers.length) - 1]?.(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  test.after(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { arrivals, url };
}

const hangUp = (response: ServerResponse): void => void response.destroy();
const answer =
  (status: number, retryAfter?: string) =>
  (response: ServerResponse): void => {
    const headers = { 'Content-Type': 'application/json', ...(retryAfter && { 'Retry-After': retryAfter }) };
    response.writeHead(status, headers).end(JSON.stringify({ success: status < 300 }));
  };
const body = { name: 'a', asset: 'BTC-USD', entry: [] } as never;

test('a write is sent again with the same key and body until it is answered', async () => {
  const { arrivals, url } = await serve(
    hangUp,
    answer(503, '0'),
    answer(429, '0'),
    answer(409, '0'),
    answer(502),
    answer(201),
  );
  const client = createRestClient({ url, key: 'k' });
  const { response } = await client.POST('/api/v1/strategies', { body });
  assert.equal(response.status, 201);
  assert.equal(arrivals.length, 6);
  assert.match(arrivals[0]?.key ?? '', /^[\da-f-]{36}$/);
  assert.deepEqual(new Set(arrivals.map((arrival) => JSON.stringify(arrival))).size, 1);
  await client.POST('/api/v1/strategies', { body });
  assert.notEqual(arrivals[6]?.key, arrivals[0]?.key, 'another call has another key');
});

test('a key of the caller is kept, and a read has none', async () => {
  const { arrivals, url } = await serve(answer(200));
  const client = createRestClient({ url, key: 'k' });
  await client.POST('/api/v1/strategies', { body, headers: { 'Idempotency-Key': 'mine' } });
  await client.GET('/api/v1/strategies');
  assert.deepEqual(
    arrivals.map(({ key }) => key),
    ['mine', undefined],
  );
});

test('an answer that sending again cannot mend is final', async () => {
  for (const [status, retryAfter] of [[400], [409], [429], [500], [503, '3600']] as const) {
    const { arrivals, url } = await serve(answer(status, retryAfter));
    const { response } = await createRestClient({ url, key: 'k' }).POST('/api/v1/strategies', { body });
    assert.deepEqual([response.status, arrivals.length], [status, 1]);
  }
});

test('the number of attempts is bounded, and none is added where the caller wants none', async () => {
  for (const retries of [0, 2]) {
    const { arrivals, url } = await serve(hangUp);
    await assert.rejects(createRestClient({ url, key: 'k', retries }).POST('/api/v1/strategies', { body }));
    assert.equal(arrivals.length, retries + 1);
  }
});

test('a write without a credential, which the service runs each time, is not repeated blindly', async () => {
  const { arrivals, url } = await serve(hangUp, answer(503, '0'), answer(200));
  const client = createRestClient({ url });
  await assert.rejects(client.POST('/api/v1/auth/login', { body: {} as never }));
  assert.deepEqual([arrivals.length, arrivals[0]?.key], [1, undefined]);
  assert.equal((await client.POST('/api/v1/auth/login', { body: {} as never })).response.status, 200);
});
