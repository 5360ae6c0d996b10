import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { createObserver } from '../../server/observe.js';
import { startService } from '../../server/start.js';
import { readServiceConfig } from '../../service/settings/config.js';
import { SECRET, startTestService, type TestService } from '../support/service.js';
import { root } from '../support/tree.js';

const PER_MINUTE = 20;

/** One gRPC server, which counts for all tests; each address is one of its own. */
let service: TestService;
before(async () => {
  service = await startTestService({ BARLINE_RATE_LIMIT_PER_MINUTE: String(PER_MINUTE) });
});
after(() => service.stop());

type Facade = Pick<TestService, 'origin'>;

const guess = async ({ origin }: Facade, forwarded?: string): Promise<number> => {
  const headers = {
    authorization: 'Bearer wrong',
    ...(forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }),
  };
  const { status } = await fetch(`${origin}/api/v1/strategies`, { headers });
  return status;
};

async function guesses(facade: Facade, forwarded: (i: number) => string | undefined): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i <= PER_MINUTE; i++) statuses.push(await guess(facade, forwarded(i)));
  return statuses;
}

const lockedOut = [...Array<number>(PER_MINUTE).fill(401), 429];

/** A facade of its own in front of the gRPC server, with the secret of the server unless it says otherwise. */
async function facadeOf(t: test.TestContext, proxies: string, secret = SECRET): Promise<Facade> {
  const config = readServiceConfig({
    BARLINE_HTTP_PORT: '0',
    BARLINE_RPC_PORT: new URL(`http://${service.rpcAddress}`).port,
    BARLINE_SECRET: secret,
    BARLINE_TRUSTED_PROXIES: proxies,
  });
  const observer = createObserver('silent', 'test');
  const facade = await startService({ config, observer, version: 'test', packageRoot: root, parts: ['http'] });
  t.after(() => facade.stop());
  return { origin: facade.origin ?? '' };
}

test('without the setting, no header makes a client another', async () => {
  assert.deepEqual(await guesses(service, (i) => `203.0.113.${i}`), lockedOut);
});

test('behind a trusted proxy, wrong tokens from one address lock out no other', async (t) => {
  const facade = await facadeOf(t, 'loopback');
  assert.deepEqual(await guesses(facade, () => '203.0.113.5'), lockedOut);
  assert.equal(await guess(facade, '203.0.113.6'), 401);
  assert.deepEqual(
    await guesses(facade, (i) => `2a00:1:2:3::${i}`),
    lockedOut,
    'a host has all addresses of its network',
  );
  // What the client itself claims stands before what the proxy saw.
  assert.deepEqual(await guesses(facade, (i) => `203.0.113.${i}, 198.51.100.1`), lockedOut);
});
