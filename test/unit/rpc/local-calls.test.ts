import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { Metadata } from '@grpc/grpc-js';
import type { UnaryName } from '../../../contract/index.js';
import { type CallOptions, type CallRecord, contract, RpcClient, startRpcServer } from '../../../rpc/index.js';
import { LocalCalls } from '../../../rpc/local-calls.js';
import { FacadeKey } from '../../../rpc/metadata.js';
import { REQUEST_BYTES_MAX } from '../../../rpc/protos.js';
import { ApiError } from '../../../service/api-error.js';
import type { Call, UseCases } from '../../../service/use-cases.js';
import { anyStreams } from '../../support/api.js';

const rate = { limit: 60, remaining: 59, resetS: 7 };
const never = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

/** A server whose gate admits every caller, with a client over a connection and one of its process. */
async function startBoth(t: test.TestContext) {
  const calls: Call[] = [];
  const records: CallRecord[] = [];
  const useCases: Partial<UseCases> = {
    'Auth.CheckAccess': async (_, call) => {
      calls.push(call);
      return {};
    },
    'Assistant.RefreshIndex': async () => Promise.reject(new ApiError('CONFLICT', 'tö late', { field: 'x' })),
    'Config.GetHealth': async () => Promise.reject(new Error('a bug')),
    'Strategies.List': async (_, { signal }) => never(signal),
  };
  const names = [...contract().methods.keys()];
  const facades = new FacadeKey('a secret of both');
  const server = await startRpcServer({
    address: '127.0.0.1:0',
    facades,
    streams: anyStreams,
    gate: {
      admit: async (_: string, __: object, onRate: (state: typeof rate) => void) => {
        onRate(rate);
        return { caller: null, payment: null };
      },
    } as never,
    useCases: { ...Object.fromEntries(names.map((name) => [name, async () => ({})])), ...useCases } as UseCases,
    record: (record) => records.push(record),
  });
  const address = `127.0.0.1:${server.port}`;
  const clients = {
    connected: new RpcClient(address, facades),
    local: new RpcClient('127.0.0.1:1', null, server.local), // nothing listens there
  };
  t.after(async () => {
    for (const client of Object.values(clients)) client.close();
    await server.stop(0);
  });
  return { clients, calls, records, server };
}

/** Everything that a caller is told of a call. */
async function told(client: RpcClient, name: UnaryName, options: CallOptions = {}, request: object = {}) {
  const rates: unknown[] = [];
  const outcome = await client.call(name, request as never, { ...options, onRate: (each) => rates.push(each) }).then(
    (answer) => answer,
    ({ name, code, message, details }: ApiError) => ({ name, code, message, details }),
  );
  return { outcome, rates };
}

test('a call of the own process is told what a call over a connection is told', async (t) => {
  const { clients, records } = await startBoth(t);
  const aborted = () => AbortSignal.abort();
  const leaving = () => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 20);
    return controller.signal;
  };
  const ways: readonly [name: UnaryName, code: string | undefined, options?: () => CallOptions][] = [
    ['Auth.CheckAccess', undefined],
    ['Assistant.RefreshIndex', 'CONFLICT'],
    ['Config.GetHealth', 'INTERNAL_ERROR'],
    ['Strategies.List', 'ENGINE_BUSY', () => ({ deadlineMs: 20 })],
    ['Strategies.List', 'INTERNAL_ERROR', () => ({ signal: leaving() })],
    ['Auth.CheckAccess', 'INTERNAL_ERROR', () => ({ signal: aborted() })],
  ];
  for (const [name, code, options = () => ({})] of ways) {
    const connected = await told(clients.connected, name, options());
    const local = await told(clients.local, name, options());
    assert.deepEqual(local, connected, `${name} ${code}`);
    assert.equal((local.outcome as { code?: string }).code, code);
  }
  while (records.filter(({ method }) => method === 'Strategies.List').length < 4) await delay(5);
  const codes = records.filter(({ method }) => method === 'Strategies.List').map(({ code }) => code);
  assert.deepEqual(codes, Array(4).fill('CANCELLED'), 'the use cases were aborted');
});

test('a request that no connection would take is refused with its size', async (t) => {
  const { clients } = await startBoth(t);
  const large = { method: 'x'.repeat(REQUEST_BYTES_MAX) };
  const { outcome } = await told(clients.local, 'Auth.CheckAccess', {}, large);
  const { code, details, message } = outcome as ApiError;
  assert.deepEqual([code, details], ['PAYLOAD_TOO_LARGE', { limit: REQUEST_BYTES_MAX }]);
  assert.match(message, new RegExp(`may have at most ${REQUEST_BYTES_MAX} bytes, had ${REQUEST_BYTES_MAX + 5}$`));
  assert.equal(((await told(clients.connected, 'Auth.CheckAccess', {}, large)).outcome as ApiError).code, code);
});

test('a local call counts for the address that it names, and carries what a connection would', async (t) => {
  const { clients, calls } = await startBoth(t);
  const named = { clientAddress: '2a00:1:2:3:4:5:6:7', authorization: 'Bearer a', requestId: 'r1' };
  for (const options of [named, { ...named, clientAddress: 'unknown' }, { authorization: 'Bearer \u{1f680}' }]) {
    await clients.connected.call('Auth.CheckAccess', {}, options);
    await clients.local.call('Auth.CheckAccess', {}, options);
  }
  const seen = calls.map(({ credentials, requestId }) => ({
    ...credentials,
    requestId: requestId === 'r1' ? 'r1' : 'its own',
  }));
  const even = seen.filter((_, i) => i % 2 === 0);
  assert.deepEqual(
    seen.filter((_, i) => i % 2 === 1),
    even,
  );
  assert.deepEqual(
    even.map(({ address }) => address),
    ['2a00:1:2:3::/64', '127.0.0.1', '127.0.0.1'],
  );
});

test('a server that stops waits for the calls of its process, then cancels them, and takes no more', async (t) => {
  const { clients, server } = await startBoth(t);
  const waiting = told(clients.local, 'Strategies.List');
  await delay(5);
  await server.stop(30);
  assert.equal(((await waiting).outcome as ApiError).message, 'the call was cancelled');
  const late = (await told(clients.local, 'Auth.CheckAccess')).outcome as ApiError;
  assert.deepEqual([late.code, late.details], ['ENGINE_BUSY', { retry_after: 1 }]);
});

test('a server without calls of its process stops at once, and one with a call when it has ended', async () => {
  const idle = new LocalCalls();
  await idle.stop(2 ** 31 - 1);
  const busy = new LocalCalls();
  let answer = (): void => {};
  busy.add('Auth.CheckAccess', (_, respond) => {
    answer = () => respond(null, Buffer.from('done'));
  });
  const call = busy.call('Auth.CheckAccess', {
    bytes: Buffer.alloc(0),
    metadata: new Metadata(),
    address: undefined,
    signal: undefined,
    deadlineMs: null,
  });
  const stopped = busy.stop(2 ** 31 - 1);
  answer();
  await stopped;
  assert.equal(String((await call).reply), 'done');
});
