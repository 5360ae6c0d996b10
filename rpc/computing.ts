import type { MethodName } from '../contract/index.js';
import { type ApiCode, ApiError } from '../service/api-error.js';
import { isForThread, type PureName } from './pure-handlers.js';

/** A call of a pure method, for a thread. */
export interface ComputeTask {
  readonly method: PureName;
  /** The request as it came. */
  readonly request: Uint8Array;
}

/** Failures are returned as data, since an error thrown in a thread loses its code. */
export type ComputeOutcome =
  | { readonly reply: Uint8Array }
  | { readonly code: ApiCode; readonly message: string; readonly details: Readonly<Record<string, unknown>> }
  /** A bug. */
  | { readonly broken: string };

/**
 * Computes calls of pure methods in threads. `party` is the organization or address that asks;
 * parties take turns.
 */
export type Computing = (task: ComputeTask, party: string, signal: AbortSignal) => Promise<ComputeOutcome>;

/** The module that runs in the threads, in the form in which this one is loaded. */
export const computeTask = new URL(`./compute-task${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

/**
 * How a thread computes the reply of a call, which throws what the use case throws; null for a call
 * that this thread answers.
 */
export function inThread(
  computing: Computing | undefined,
  method: MethodName,
  bytes: Buffer,
  party: string,
  signal: AbortSignal,
): (() => Promise<Buffer>) | null {
  if (computing === undefined || !isForThread(method, bytes)) return null;
  const request = new Uint8Array(bytes); // its own memory, since a view is sent with all that it views
  return async () => replyIn(await computing({ method, request }, party, signal));
}

function replyIn(outcome: ComputeOutcome): Buffer {
  if ('reply' in outcome) return Buffer.from(outcome.reply.buffer, outcome.reply.byteOffset, outcome.reply.byteLength);
  if ('broken' in outcome) throw new Error(outcome.broken);
  throw new ApiError(outcome.code, outcome.message, outcome.details);
}
