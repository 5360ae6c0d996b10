import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, type IncomingMessage, type RequestOptions, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { startHttpServer } from '../../../http/index.js';
import type { RpcClient } from '../../../rpc/index.js';
import { anyStreams } from '../../support/api.js';
import { root } from '../../support/tree.js';

/** Of a server that would otherwise wait days for its clients. */
const DRAIN_MS = 2 ** 31 - 1;
const HANGS_MS = 30_000;

/** An event that the test triggers. */
function event() {
  let happen = () => {};
  const happened = new Promise<void>((resolve) => {
    happen = resolve;
  });
  return { happened, happen: () => happen() };
}

async function start() {
  const [asked, released] = [event(), event()];
  const parts = async function* () {
    yield {
      arrow: Buffer.from('first'),
      row_count: 2,
      total_bytes_billed: 1,
      cost_estimate_usd: 1,
      next_page_token: null,
    };
    await released.happened;
    yield { arrow: Buffer.from(' last') };
  };
  const server = await startHttpServer({
    host: '127.0.0.1',
    port: 0,
    rpc: { stream: parts } as unknown as RpcClient,
    version: 'test',
    packageRoot: root,
    streams: anyStreams,
    corsOrigin: '*',
    record: () => {},
    async metrics() {
      asked.happen();
      await released.happened;
      return 'answered 1';
    },
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const call = async (path: string, options: RequestOptions = {}): Promise<IncomingMessage> => {
    const [response] = await once(request({ port: server.port, path, agent, ...options }).end(), 'response');
    return response;
  };
  return { server, call, asked: asked.happened, release: released.happen };
}

test('a client that is answered while the server ends is told to send no further request', {
  timeout: HANGS_MS,
}, async () => {
  const { server, call, asked, release } = await start();
  const answer = call('/metrics');
  await asked;
  const stopped = server.stop(DRAIN_MS);
  release();
  const response = await answer;
  assert.equal(response.headers.connection, 'close');
  assert.equal(await text(response), 'answered 1');
  await stopped;
});

test('an answer that began before the server ends is whole, and its connection ends with it', {
  timeout: HANGS_MS,
}, async () => {
  const { server, call, release } = await start();
  const response = await call('/api/v1/oracle/data/query', {
    method: 'POST',
    headers: { Accept: 'application/vnd.apache.arrow.stream' },
  });
  assert.equal(response.headers.connection, 'keep-alive');
  const stopped = server.stop(DRAIN_MS);
  release();
  assert.equal(await text(response), 'first last');
  await stopped;
});

test('a request on an open connection while the server ends is answered, and is the last', {
  timeout: HANGS_MS,
}, async () => {
  const { server, asked, release } = await start();
  const socket = connect(server.port, '127.0.0.1').setEncoding('utf8');
  const line = (method: string, path: string) => `${method} ${path} HTTP/1.1\r\nHost: test\r\n`;
  socket.write(`${line('POST', '/api/v1/oracle/data/query')}Accept: application/vnd.apache.arrow.stream\r\n\r\n`);
  const [begun] = await once(socket, 'data');
  assert.match(begun, /keep-alive/);
  const stopped = server.stop(DRAIN_MS);
  socket.write(`${line('GET', '/metrics')}\r\n`);
  await asked;
  release();
  assert.match(await text(socket), / last.*Connection: close.*answered 1/s);
  await stopped;
});
