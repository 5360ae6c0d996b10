import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import test from 'node:test';
import { Metadata, type ServiceError, status } from '@grpc/grpc-js';
import { RECHECK_MS, serverStream, unary } from '../../../rpc/calls.js';
import { fromStatus } from '../../../rpc/errors.js';
import { CLIENT_ADDRESS, FacadeKey } from '../../../rpc/metadata.js';
import { contractMethod, REPLY_BYTES_MAX } from '../../../rpc/protos.js';
import { ApiError } from '../../../service/api-error.js';
import type { UseCase } from '../../../service/use-cases.js';
import { anyStreams } from '../../support/api.js';

const method = contractMethod('Auth.CheckAccess');
/** What the gate says of a caller of a public method. */
const admitted = { caller: null, payment: null };
const facades = new FacadeKey('a secret of the server');

/**
 * Makes a call behind a gate that admits every caller; `heard` is the signal that its use case
 * received.
 */
function conduct(act: () => Promise<object>, peer = '127.0.0.1:1', claim = '') {
  const call = Object.assign(new EventEmitter(), {
    metadata: new Metadata(),
    request: Buffer.alloc(0),
    cancelled: false,
    getPeer: () => peer,
  });
  call.metadata.set(CLIENT_ADDRESS, claim);
  let heard = new AbortController().signal;
  let address = '';
  const handler: UseCase<'Auth.CheckAccess'> = (_request, { signal, credentials }) => {
    heard = signal;
    address = credentials.address;
    return act();
  };
  const code = new Promise<string>((resolve) => {
    const gate = { admit: async () => admitted } as never;
    unary(method, handler, { gate, facades, streams: anyStreams, record: (record) => resolve(record.code) })(
      call as never,
      () => {},
    );
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

test('an answer of a run above the size of a reply is its summary, and another one is refused', async () => {
  const text = 'x'.repeat(REPLY_BYTES_MAX / 8);
  const answers = {
    'Backtests.GetStatus': { backtest_id: 'a', trade_history: Array(9).fill({ strategy: text }), warnings: ['w'] },
    'Backtests.ListTrades': { backtest_id: 'a', trades: Array(9).fill({ strategy: text }) },
  };
  const codes: string[] = [];
  for (const [name, answer] of Object.entries(answers) as [keyof typeof answers, object][]) {
    const method = contractMethod(name);
    const call = Object.assign(new EventEmitter(), {
      ...{ metadata: new Metadata(), request: Buffer.alloc(0), cancelled: false, getPeer: () => '127.0.0.1:1' },
    });
    const gate = { admit: async () => ({ caller: null, payment: null }) } as never;
    const reply = await new Promise<Buffer>((resolve) => {
      const handler = unary(method, (async () => answer) as never, {
        gate,
        streams: anyStreams,
        record: ({ code }) => codes.push(code),
      });
      handler(call as never, (error, bytes) => resolve((bytes ?? error?.details ?? '') as never));
    });
    if (name === 'Backtests.ListTrades') {
      assert.match(
        String(reply),
        /^an answer may have at most 33554432 bytes, this one would have \d+: ask for fewer rows$/,
      );
      continue;
    }
    const { trade_history, warnings } = method.definition.responseDeserialize(reply) as Record<string, string[]>;
    assert.deepEqual([trade_history, warnings?.[0]], [[], 'w']);
    assert.match(
      warnings?.[1] ?? '',
      /^lists-left-out: .* leaves out trade_history \(9\): GET \/backtests\/a\/trades /,
    );
  }
  assert.deepEqual(codes, ['OK', 'PAYLOAD_TOO_LARGE']);
});

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
  const { code, details } = fromStatus({ ...error, metadata: new Metadata() } as ServiceError) as ApiError;
  assert.deepEqual([code, details], ['ENGINE_BUSY', { retry_after: 5 }]);
});

test('only an address that a facade signed is believed; a peer has its own, by its network', async () => {
  const sign = (address: string) => facades.sign(address);
  const stranger = new FacadeKey('another secret');
  const cases: readonly [peer: string, claim: string, counted: string][] = [
    ['127.0.0.1:5', sign('8.8.4.4'), '8.8.4.4'],
    ['10.0.0.7:5', sign('::ffff:8.8.4.4'), '8.8.4.4'],
    ['10.0.0.7:5', sign('2a00:1:2:3:4:5:6:7'), '2a00:1:2:3::/64'],
    ['127.0.0.1:5', '8.8.4.4', '127.0.0.1'],
    ['10.0.0.7:5', `8.8.4.4 ${sign('9.9.9.9').split(' ')[1]}`, '10.0.0.7'],
    ['10.0.0.7:5', stranger.sign('8.8.4.4'), '10.0.0.7'],
    ['127.0.0.1:5', sign('named'), '127.0.0.1'],
    ['::1:5', '', '0:0:0:0::/64'],
    ['[::1]:5', '', '0:0:0:0::/64'],
    ['::ffff:8.8.8.8:5', '', '8.8.8.8'],
    ['2606:4700::1111:5', '', '2606:4700:0:0::/64'],
    ['unknown', '', 'unknown'],
  ];
  for (const [peer, claim, counted] of cases) {
    const { code, address } = conduct(async () => ({}), peer, claim);
    assert.equal(await code, 'OK');
    assert.equal(address(), counted, `${peer} claims ${claim}`);
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
    request: Buffer.alloc(0),
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
    const deps = { gate, streams: anyStreams, record: (record: { code: string }) => resolve(record.code) };
    async function* parts(_: unknown, context: { signal: AbortSignal }) {
      signal = context.signal;
      yield { events: [] };
      await new Promise((wake) => context.signal.addEventListener('abort', wake));
    }
    serverStream(contractMethod('Deployed.Stream'), parts, deps)(call as never);
  });
  await new Promise(setImmediate);
  t.mock.timers.tick(RECHECK_MS);
  await new Promise(setImmediate);
  assert.equal(signal.aborted, false);
  t.mock.timers.tick(RECHECK_MS);
  assert.equal(await code, 'AUTH_REQUIRED');
  assert.deepEqual(heard, [status.UNAUTHENTICATED]);
});
