import type { AnswerOf, MethodsOf, ReceivedOf, ServiceName, StreamName, UnaryName } from '../contract/index.js';
import type { Credentials } from './access/gate.js';
import type { RateState } from './access/limits.js';
import type { Caller } from './caller.js';

/** A call, as the use case sees it. */
export interface Call {
  /** The authenticated caller. Throws for a public method, which has no caller. */
  readonly caller: Caller;
  /** Aborted when the client disconnects or its deadline passes. */
  readonly signal: AbortSignal;
  readonly requestId: string;
  /** As the client sent them. */
  readonly credentials: Credentials;
  /** Receives the remaining rate, from a use case that counts the call itself. */
  readonly onRate: (state: RateState) => void;
}

/** The use case behind a unary method. */
export type UseCase<M extends UnaryName = UnaryName> = (request: ReceivedOf<M>, call: Call) => Promise<AnswerOf<M>>;
/** The use case behind a streaming method. */
type StreamUseCase<M extends StreamName = StreamName> = (
  request: ReceivedOf<M>,
  call: Call,
) => AsyncIterable<AnswerOf<M>>;
export type UnaryUseCases = { readonly [M in UnaryName]: UseCase<M> };
export type StreamUseCases = { readonly [M in StreamName]: StreamUseCase<M> };
/** One use case per method of the contract, by name. */
export type UseCases = UnaryUseCases & StreamUseCases;
export type UseCasesOf<S extends ServiceName> = Pick<UseCases, MethodsOf<S>>;
