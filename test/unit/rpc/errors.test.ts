import assert from 'node:assert/strict';
import test from 'node:test';
import { type ServiceError, status } from '@grpc/grpc-js';
import { fromStatus, toStatus } from '../../../rpc/errors.js';
import { ApiError } from '../../../service/api-error.js';

const sent = (error: ApiError) => {
  const told = toStatus(error);
  encodeURI(String(told.details)); // what the transport does with it
  const back = fromStatus({ ...told, name: '', message: '' } as ServiceError);
  return back instanceof ApiError ? back : assert.fail(back.message);
};

test('half of a surrogate pair in a failure becomes U+FFFD, in message and details', () => {
  const back = sent(new ApiError('VALIDATION_ERROR', 'no \ud83d here', { field: '\udc00', list: ['a\ud800'] }));
  assert.equal(back.message, 'no \ufffd here');
  assert.deepEqual(back.details, { field: '\ufffd', list: ['a\ufffd'] });
});

test('a failure too long for headers is cut and keeps its code', () => {
  const told = toStatus(new ApiError('CONFLICT', '\ud83d\ude80'.repeat(50_000), { text: 'x'.repeat(100_000) }));
  assert.ok(encodeURI(String(told.details)).length < 20_000);
  const back = sent(new ApiError('CONFLICT', 'm'.repeat(9_000), { text: 'x'.repeat(100_000) }));
  assert.deepEqual([back.code, back.message.length, back.details], ['CONFLICT', 2_000, {}]);
});

test('a trailer of another server is no failure of this client', () => {
  const told = toStatus(new ApiError('CONFLICT', 'm'));
  told.metadata?.set('barline-error-bin', Buffer.from('{'));
  const back = fromStatus({ ...told, code: status.UNKNOWN, name: '', message: '' } as ServiceError);
  assert.ok(!(back instanceof ApiError), 'a bug, to be recorded');
  assert.match(back.message, /^a call failed without an answer: 2 m$/);
});
