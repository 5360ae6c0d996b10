import assert from 'node:assert/strict';
import { RpcClient } from '../../rpc/index.js';
import { createObserver, type Observer } from '../../server/observe.js';
import { startService } from '../../server/start.js';
import { readServiceConfig } from '../../service/settings/config.js';
import { idToken } from './id-token.js';
import { newHome } from './state.js';
import { root } from './tree.js';

export interface TestService {
  readonly client: RpcClient;
  /** `http://127.0.0.1:port`. */
  readonly origin: string;
  /** `127.0.0.1:port`. */
  readonly rpcAddress: string;
  /** A new user with an organization of its own. */
  login(): Promise<{ token: string; userId: string; orgId: string }>;
  stop(): Promise<void>;
}

export interface ServiceWithWorkbench extends TestService {
  /** An address of the workbench that signs a browser in. */
  openWorkbench(): Promise<string>;
}

export const DEV_SECRET = 'a secret of the tests, long enough';
export const SECRET = 'the secret that signs access tokens in tests';
export const MANAGEMENT_KEY = 'the management key of the tests';

/** A tier with limits that a test can reach. */
const tiers = JSON.stringify([
  {
    id: 'small',
    name: 'Small',
    strategiesMax: 3,
    monthlyMax: { backtests: null, api_calls: null },
    backtestsPerSweepMax: 100,
    concurrentSweepsMax: 1,
  },
]);

/**
 * The whole service on an embedded store of its own, over real sockets. Stopping it fails if it
 * logged a bug or changed a built-in prototype.
 */
export async function startTestService(
  settings: Readonly<Record<string, string>> = {},
  observer: Observer = createObserver('silent', 'test'),
): Promise<ServiceWithWorkbench> {
  const config = readServiceConfig({
    BARLINE_HOME: await newHome(),
    BARLINE_HTTP_PORT: '0',
    BARLINE_RPC_PORT: '0',
    BARLINE_LOG_LEVEL: 'silent',
    BARLINE_SECRET: SECRET,
    BARLINE_DEV_SECRET: DEV_SECRET,
    BARLINE_MANAGEMENT_KEY: MANAGEMENT_KEY,
    BARLINE_TIERS: tiers,
    BARLINE_WEBHOOK_PRIVATE_HOSTS: 'allow', // receivers run on this machine
    BARLINE_REPLAY_MS: '3600000', // deployed strategies stand still after their first bar
    ...settings,
  });
  const bugs: unknown[] = [];
  const service = await startService({
    config,
    version: 'test',
    packageRoot: root,
    observer: collecting(observer, bugs),
    parts: ['http', 'rpc', 'worker'],
  });
  const client = new RpcClient(service.rpcAddress ?? '');
  return {
    client,
    origin: service.origin ?? '',
    rpcAddress: service.rpcAddress ?? '',
    async login() {
      const { body } = await client.call('Auth.Login', { idp_token: await idToken(DEV_SECRET) });
      const user = body.user as { id: string; org_id: string };
      return { token: body.access_token as string, userId: user.id, orgId: user.org_id };
    },
    async openWorkbench() {
      assert.ok(service.openWorkbench !== null);
      return service.openWorkbench();
    },
    async stop() {
      client.close();
      await service.stop();
      assertBuiltInsAreSound();
      if (bugs.length > 0) throw new AggregateError(bugs, 'the service met with bugs');
    },
  };
}

const collecting = (observer: Observer, bugs: unknown[]): Observer => ({
  ...observer,
  recordCall: (call) => {
    observer.recordCall(call);
    if (call.error !== undefined) bugs.push(call.error);
  },
  recordRequest: (request) => {
    observer.recordRequest(request);
    if (request.error !== undefined) bugs.push(request.error);
  },
  recordFailure: (error) => {
    observer.recordFailure(error);
    bugs.push(error);
  },
});

/**
 * Importing this closes the built-in prototypes of the process: a property that is written to one
 * of them throws where it is written. They are not frozen, since libraries may set `toString` on
 * objects of their own, which a frozen prototype forbids; `assertBuiltInsAreSound` compares what
 * they have.
 */
const closed = [
  ...[Object, Function, Array, String, Number, Boolean, Symbol, BigInt, Date, RegExp, Error, Map, Set, Promise],
  ...[Float64Array, Uint8Array, Object.getPrototypeOf(Uint8Array) as typeof Uint8Array, ArrayBuffer, Buffer],
].map(({ prototype }) => prototype as object);

const state = (prototype: object) =>
  Reflect.ownKeys(prototype).map((key) => [key, Object.getOwnPropertyDescriptor(prototype, key)] as const);

const states = closed.map(state);

for (const [i, prototype] of closed.entries()) {
  Object.preventExtensions(prototype);
  for (const [, descriptor] of states[i] ?? []) {
    for (const own of [descriptor?.value, descriptor?.get, descriptor?.set] as unknown[]) {
      if (typeof own === 'function') Object.preventExtensions(own);
    }
  }
}

/** Fails if a property of a built-in prototype was replaced. */
function assertBuiltInsAreSound(): void {
  for (const [i, prototype] of closed.entries()) assert.deepEqual(state(prototype), states[i]);
}
