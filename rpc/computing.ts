import type { AnswerOf, MethodName, ReceivedOf, UnaryName } from '../contract/index.js';
import { type ApiCode, ApiError } from '../service/api-error.js';
import { computeSupplied, evaluateOhlcv } from '../service/knowledge/index.js';
import { evaluateSuppliedBars, validateSignalCode, validateSignalParams } from '../service/signals/index.js';

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

type PureHandlers = { readonly [M in UnaryName]?: (request: ReceivedOf<M>) => AnswerOf<M> };

/** Methods whose answer follows from the request alone, so that any thread can compute it. */
export const pureHandlers = {
  'Knowledge.Evaluate': evaluateOhlcv,
  'Knowledge.Compute': computeSupplied,
  'Signals.Evaluate': evaluateSuppliedBars,
  'Signals.EvaluateScoped': evaluateSuppliedBars,
  'Signals.ValidateParams': validateSignalParams,
  'Signals.Validate': validateSignalCode,
} satisfies PureHandlers;

export type PureName = keyof typeof pureHandlers;

/**
 * Most bytes of a request that is computed on the main thread: some 2,000 numbers, which take a few
 * ms whatever is computed of them.
 */
const INLINE_BYTES_MAX = 4_096;

const isForThread = (method: MethodName, request: Uint8Array): method is PureName =>
  request.length > INLINE_BYTES_MAX && Object.hasOwn(pureHandlers, method);
