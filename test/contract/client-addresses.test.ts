import assert from 'node:assert/strict';
import { connect } from 'node:http2';
import test from 'node:test';
import { RpcClient } from '../../rpc/index.js';
import { readServiceConfig } from '../../server/config.js';
import { createObserver } from '../../server/observe.js';
import { startService } from '../../server/start.js';
import { SECRET, startTestService, type TestService } from '../support/service.js';
import { root } from '../support/tree.js';

const PER_MINUTE = 20;

/** Starts a service with a low rate and stops it at the end of the test. */
async function started(t: test.TestContext, settings: Readonly<Record<string, string>> = {}): Promise<TestService> {
  const service = await startTestService({ BARLINE_RATE_LIMIT_PER_MINUTE: String(PER_MINUTE), ...settings });
  t.after(() => service.stop());
  return service;
}

const guess = async ({ origin }: TestService, forwarded?: string): Promise<number> => {
  const headers = {
    authorization: 'Bearer wrong',
    ...(forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }),
  };
  const { status } = await fetch(`${origin}/api/v1/strategies`, { headers });
  return status;
};

async function guesses(service: TestService, forwarded: (i: number) => string | undefined): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i <= PER_MINUTE; i++) statuses.push(await guess(service, forwarded(i)));
  return statuses;
}

const lockedOut = [...Array<number>(PER_MINUTE).fill(401), 429];

test('behind a trusted proxy, wrong tokens from one address lock out no other', async (t) => {
  const service = await started(t, { BARLINE_TRUSTED_PROXIES: 'loopback' });
  assert.deepEqual(await guesses(service, () => '203.0.113.5'), lockedOut);
  assert.equal(await guess(service, '203.0.113.6'), 401);
  assert.deepEqual(
    await guesses(service, (i) => `2a00:1:2:3::${i}`),
    lockedOut,
    'a host has all addresses of its network',
  );
  // What the client itself claims stands before what the proxy saw.
  assert.deepEqual(await guesses(service, (i) => `203.0.113.${i}, 198.51.100.1`), lockedOut);
});

test('a number of hops is believed too', async (t) => {
  const service = await started(t, { BARLINE_TRUSTED_PROXIES: '1' });
  assert.deepEqual(await guesses(service, (i) => `198.51.100.${i}, 203.0.113.5`), lockedOut);
  assert.equal(await guess(service, '203.0.113.6'), 401);
});

test('text that a proxy forwards in place of an address counts as the proxy', async (t) => {
  const service = await started(t, { BARLINE_TRUSTED_PROXIES: 'loopback' });
  assert.deepEqual(await guesses(service, (i) => `not-an-address-${i}-é`), lockedOut);
});

test('without the setting, no header makes a client another', async (t) => {
  const service = await started(t);
  assert.deepEqual(await guesses(service, (i) => `203.0.113.${i}`), lockedOut);
});

/** A facade of its own in front of the gRPC server of a service. */
async function facadeOf(t: test.TestContext, { rpcAddress }: TestService, secret: string): Promise<TestService> {
  const config = readServiceConfig({
    BARLINE_HTTP_PORT: '0',
    BARLINE_RPC_PORT: new URL(`http://${rpcAddress}`).port,
    BARLINE_SECRET: secret,
    BARLINE_TRUSTED_PROXIES: 'loopback',
  });
  const observer = createObserver('silent', 'test');
  const facade = await startService({ config, observer, version: 'test', packageRoot: root, parts: ['http'] });
  t.after(() => facade.stop());
  return { origin: facade.origin ?? '' } as TestService;
}

test('a facade of its own is believed if it has the secret of the server, else it is one client', async (t) => {
  const service = await started(t);
  const facade = await facadeOf(t, service, SECRET);
  assert.deepEqual(await guesses(facade, () => '203.0.113.5'), lockedOut);
  assert.equal(await guess(facade, '203.0.113.6'), 401);
  const stranger = await facadeOf(t, service, 'a secret of nobody that this server knows');
  assert.deepEqual(await guesses(stranger, (i) => `198.51.100.${i}`), lockedOut);
});

test('a gRPC client on the private network cannot name an address', async (t) => {
  const service = await started(t);
  const session = connect(`http://${service.rpcAddress}`);
  t.after(() => session.close());
  const codes: unknown[] = [];
  for (let i = 0; i <= PER_MINUTE; i++) {
    const stream = session.request({
      ':method': 'POST',
      ':path': '/barline.v1.Strategies/List',
      'content-type': 'application/grpc',
      te: 'trailers',
      authorization: 'Bearer wrong',
      'x-client-address': `203.0.113.${i}`,
    });
    const code = new Promise((resolve) => {
      const read = (headers: Record<string, unknown>) => 'grpc-status' in headers && resolve(headers['grpc-status']);
      stream.on('response', read).on('trailers', read);
    });
    stream.end(Buffer.alloc(5)); // an empty message
    stream.resume();
    codes.push(await code);
  }
  const [unauthenticated, exhausted] = ['16', '8'];
  assert.deepEqual(codes, [...Array(PER_MINUTE).fill(unauthenticated), exhausted]);
  const honest = new RpcClient(service.rpcAddress);
  await assert.rejects(honest.call('Strategies.List', {}, { authorization: 'Bearer wrong' }), { code: 'RATE_LIMITED' });
  honest.close();
});
