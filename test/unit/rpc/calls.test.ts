import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import test from 'node:test';
import { Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { type Handler, RECHECK_MS, serverStream, unary } from '../../../rpc/calls.js';
import { fromStatus } from '../../../rpc/errors.js';
import { CLIENT_ADDRESS } from '../../../rpc/metadata.js';
import { methodOf } from '../../../rpc/protos.js';
import { ApiError } from '../../../service/api-error.js';

const method = methodOf('Auth.CheckAccess');
/** What the gate says of a caller of a public method. */
const admitted = { caller: null, payment: null };

/**
 * Makes a call behind a gate that admits every caller; `heard` is the signal that its use case
 * received.
 */
function conduct(act: () => Promise<object>, peer = '127.0.0.1:1') {
  const call = Object.assign(new EventEmitter(), {
    metadata: new Metadata(),
    request: {},
    cancelled: false,
    getPeer: () => peer,
  });
  call.metadata.set(CLIENT_ADDRESS, 'named');
  let heard = new AbortController().signal;
  let address = '';
  const handler: Handler<'Auth.CheckAccess'> = (_request, { signal, credentials }) => {
    heard = signal;
    address = credentials.address;
    return act();
  };
  const code = new Promise<string>((resolve) => {
    const gate = { admit: async () => admitted } as never;
    unary(method, handler, { gate, record: (record) => resolve(record.code) })(call as never, () => {});
  });
  return { call, code, signal: () => heard, address: () => address };
}

const ways: readonly [code: string, act: () => Promise<object>][] = [
  ['OK', async () => ({})],
  ['RESOURCE_NOT_FOUND', async () => Promise.reject(new ApiError('RESOURCE_NOT_FOUND', 'no such thing'))],
  ['INTERNAL_ERROR', async () => Promise.reject(new Error('a bug'))],
];

for (const [expected, act] of ways) {
  test(`the end of a call that was answered ${expected} aborts nothing`, async () => {
    const { call, code, signal } = conduct(act);
    assert.equal(await code, expected);
    call.emit('cancelled'); // the event comes at the end of every call
    assert.equal(signal().aborted, false);
  });
}

test('a client that disconnects before the answer aborts the call', async () => {
  let answer = (_: object): void => {};
  const pending = new Promise<object>((resolve) => {
    answer = resolve;
  });
  const { call, code, signal } = conduct(() => pending);
  await new Promise(setImmediate);
  call.emit('cancelled');
  assert.ok(signal().aborted);
  answer({});
  assert.equal(await code, 'OK');
});

test('a call without a timely answer is one to retry later', () => {
  const error = Object.assign(new Error('4 DEADLINE_EXCEEDED'), { code: status.DEADLINE_EXCEEDED });
  const { code, details } = fromStatus({ ...error, metadata: new Metadata() } as ServiceError);
  assert.deepEqual([code, details], ['ENGINE_BUSY', { retry_after: 5 }]);
});

test('the client address that a local facade names is believed; a caller from the internet has its own', async () => {
  const peers = [
    ['127.0.0.1:5', 'named'],
    ['::1:5', 'named'],
    ['::ffff:10.0.0.7:5', 'named'],
    ['8.8.8.8:5', '8.8.8.8'],
    ['::ffff:8.8.8.8:5', '8.8.8.8'],
    ['2606:4700::1111:5', '2606:4700::1111'],
    ['unknown', 'unknown'],
  ] as const;
  for (const [peer, expected] of peers) {
    const { code, address } = conduct(async () => ({}), peer);
    assert.equal(await code, 'OK');
    assert.equal(address(), expected, peer);
  }
});

test('a stream ends when its caller loses permission, and not when the check fails', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const answers = [new Error('the store is away'), new ApiError('AUTH_REQUIRED', 'revoked')];
  const check = async () => {
    throw answers.shift();
  };
  const heard: (object | string)[] = [];
  const call = Object.assign(new EventEmitter(), {
    metadata: new Metadata(),
    request: {},
    cancelled: false,
    getPeer: () => '127.0.0.1:1',
    sendMetadata: () => {},
    write: () => true,
    end: () => heard.push('end'),
  });
  call.on('error', ({ code }) => heard.push(code));
  let signal = new AbortController().signal;
  const code = new Promise<string>((resolve) => {
    const gate = { admit: async () => admitted, check } as never;
    const deps = { gate, record: (record: { code: string }) => resolve(record.code) };
    async function* parts(_: unknown, context: { signal: AbortSignal }) {
      signal = context.signal;
      yield { events: [] };
      await new Promise((wake) => context.signal.addEventListener('abort', wake));
    }
    serverStream(methodOf('Deployed.Stream'), parts, deps)(call as never);
  });
  await new Promise(setImmediate);
  t.mock.timers.tick(RECHECK_MS);
  await new Promise(setImmediate);
  assert.equal(signal.aborted, false);
  t.mock.timers.tick(RECHECK_MS);
  assert.equal(await code, 'AUTH_REQUIRED');
  assert.deepEqual(heard, [status.UNAUTHENTICATED]);
});

test('a call ends with one answer although its failure cannot be told', async () => {
  const told: unknown[] = [];
  const call = Object.assign(new EventEmitter(), {
    metadata: new Metadata(),
    request: { slug: Buffer.alloc(0) },
    cancelled: false,
    getPeer: () => '127.0.0.1:1',
  });
  const error = await new Promise<unknown>((resolve) => {
    const gate = {
      admit: async () => {
        throw new ApiError('VALIDATION_ERROR', 'half of a pair: \ud83d', { self: 1n });
      },
    } as never;
    const deps = { gate, record: (record: { error?: unknown }) => resolve(record.error) };
    const handler = unary(methodOf('Knowledge.ListDocuments'), async () => assert.fail('not admitted'), deps);
    handler(call as never, (status) => told.push(status));
  });
  assert.match(String(error), /BigInt/);
  assert.deepEqual(told, [{ code: status.INTERNAL, details: 'an unexpected error occurred' }]);
});
