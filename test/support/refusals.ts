import assert from 'node:assert/strict';
import { type ApiCode, asApiError } from '../../service/api-error.js';
import type { Answer } from './api.js';

/** Runs a call that must be refused with this code, in one line that matches. */
export function refusesWith(run: () => unknown, code: ApiCode, pattern: RegExp): void {
  assert.throws(run, (error: unknown) => isRefusal(error, code, pattern));
}

/** Awaits a call that must be refused with this code, in one line that matches. */
export async function rejectsWith(promise: Promise<unknown>, code: ApiCode, pattern: RegExp): Promise<void> {
  await assert.rejects(promise, (error: unknown) => isRefusal(error, code, pattern));
}

/** Asserts that the answer of a call is this refusal. */
export function assertRefused({ code, message }: Answer, expected: ApiCode, pattern: RegExp): void {
  assert.equal(code, expected, `${code}: ${message}`);
  assert.match(message ?? '', pattern);
}

function isRefusal(error: unknown, code: ApiCode, pattern: RegExp): boolean {
  const known = asApiError(error);
  assert.ok(known !== null, `a known failure, was ${String(error)}`);
  assert.equal(known.code, code, known.message);
  assert.match(known.message, pattern);
  assert.doesNotMatch(known.message, /[\r\n]/);
  return true;
}
