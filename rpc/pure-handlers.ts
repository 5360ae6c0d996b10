import type { AnswerOf, MethodName, ReceivedOf, UnaryName } from '../contract/index.js';
import { computeSupplied, evaluateOhlcv } from '../service/knowledge/index.js';
import { evaluateSuppliedBars, validateSignalCode, validateSignalParams } from '../service/signals/index.js';

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

export const isForThread = (method: MethodName, request: Uint8Array): method is PureName =>
  request.length > INLINE_BYTES_MAX && Object.hasOwn(pureHandlers, method);
