import assert from 'node:assert/strict';
import test from 'node:test';
import { findOutage } from '../../../data/outage.js';
import { asStoreFailure } from '../../../data/state/index.js';
import { asApiError, asOutageError, isPassing } from '../../../service/api-error.js';

const withCode = (code: string, message = 'failed'): Error => Object.assign(new Error(message), { code });

const outages: Readonly<Record<string, readonly [Error, string]>> = {
  'a lost connection': [withCode('ECONNRESET'), 'away'],
  'a refused connection': [withCode('ECONNREFUSED'), 'away'],
  'a connection that ends': [new Error('Connection terminated unexpectedly'), 'away'],
  'a pool without a free connection': [new Error('timeout exceeded when trying to connect'), 'away'],
  'a dead thread': [new Error('the thread of the embedded store has ended'), 'away'],
  ...Object.fromEntries(['08006', '08003', '57P01', '57P02', '57P03'].map((code) => [code, [withCode(code), 'away']])),
  ...Object.fromEntries(['53300', '53200', '40001', '40P01'].map((code) => [code, [withCode(code), 'busy']])),
  53100: [withCode('53100'), 'full'],
  25006: [withCode('25006'), 'read_only'],
  'a full disk by its text alone': [withCode('58030', 'could not write block 7: No space left on device'), 'full'],
};

test('an outage of the store is ENGINE_BUSY with a time to wait', () => {
  for (const [name, [error, kind]] of Object.entries(outages)) {
    const fault = asStoreFailure(error);
    assert.deepEqual(findOutage(fault), { dependency: 'database', kind }, name);
    const { code, details, message } = asOutageError(fault) ?? assert.fail('an outage');
    assert.equal(code, 'ENGINE_BUSY');
    assert.deepEqual(details, { retry_after: 2, dependency: 'database', reason: kind });
    assert.match(message, /^the database .* send the call again$/);
    assert.equal(asApiError(fault), null, 'no part of an answer is made of it');
    assert.ok(isPassing(new Error('a use case failed', { cause: fault })));
  }
});

test('a mistake in a statement or a violated rule is no outage', () => {
  for (const code of ['23505', '42P01', '42601', '22P02', '28P01', '42501', 'XX000']) {
    const error = withCode(code);
    assert.equal(asStoreFailure(error), error);
    assert.equal(findOutage(error), null);
  }
  assert.equal(findOutage(new TypeError('x is not a function')), null);
  assert.equal(findOutage(withCode('ECONNREFUSED')), null, 'to what, the error does not say');
  assert.equal(asOutageError('text'), null);
});

test('a full or read-only disk is an outage, also told by DuckDB or a thread', () => {
  for (const [error, kind] of [
    [withCode('ENOSPC'), 'full'],
    [withCode('EDQUOT'), 'full'],
    [withCode('EROFS'), 'read_only'],
    [new Error('rows cannot be written: ENOSPC: no space left on device, write'), 'full'],
    [new Error('IO Error: Could not write file "x": No space left on device'), 'full'],
  ] as const) {
    assert.deepEqual(findOutage(error), { dependency: 'disk', kind });
  }
  assert.equal(findOutage(withCode('ENOENT')), null);
});
