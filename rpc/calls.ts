import { randomUUID } from 'node:crypto';
import { type EventEmitter, once } from 'node:events';
import type { handleServerStreamingCall, sendUnaryData } from '@grpc/grpc-js';
import type { AnswerOf, MethodName, ReceivedOf, StreamName, UnaryName } from '../contract/index.js';
import {
  type AnswerCache,
  asSeenBy,
  type CallUnit,
  findDeprecatedKeys,
  type Gate,
  type OpenStreams,
  type RateState,
} from '../service/access/index.js';
import { ApiError, asApiError, asOutageError } from '../service/api-error.js';
import type { Caller } from '../service/caller.js';
import { openSpan } from '../service/index.js';
import type { SignedPayment } from '../service/payments/index.js';
import type { Call, StreamUseCases, UnaryUseCases } from '../service/use-cases.js';
import { readAnswer, toMessage } from './codec.js';
import { type Computing, inThread } from './computing.js';
import { type Fail, failCall, UNEXPECTED } from './errors.js';
import {
  addCallTrailers,
  type CallerIds,
  callerIds,
  callTrailer,
  type FacadeKey,
  IDEMPOTENCY_KEY,
  isCountedByFacade,
  metadataText,
  PAYMENT_RESPONSE,
  REQUEST_ID,
  readCredentials,
  type ServerCall,
} from './metadata.js';
import { encodePaced, readRequest } from './paced-codec.js';
import { type ContractMethod, REPLY_BYTES_MAX } from './protos.js';
import { shortAnswer } from './summary.js';

/** The log record of a finished call. */
export interface CallRecord {
  readonly method: MethodName;
  readonly requestId: string;
  /** Null for a public method, or a call without a valid credential. */
  readonly caller: CallerIds | null;
  /** `OK`, the code of the failure, or `CANCELLED` if the client disconnected first. */
  readonly code: string;
  readonly elapsedMs: number;
  /** Deprecated keys that the request sets. */
  readonly deprecatedKeys: readonly string[];
  /** Set only for bugs of the service. */
  readonly error?: unknown;
  /** What a dependency that was away or full reported, where that failed the call. */
  readonly outage?: unknown;
}

export interface CallDeps {
  readonly gate: Gate;
  /** Limits the streams of a caller. */
  readonly streams: OpenStreams;
  /** Keeps answers of reads; absent where other processes may change what they show. */
  readonly answers?: AnswerCache | undefined;
  /** Computes large requests of pure methods. Without it, this thread does. */
  readonly computing?: Computing;
  readonly record: (call: CallRecord) => void;
  /** Key of the facades that may name the address of their client; absent if there is none. */
  readonly facades?: FacadeKey;
}

export type UnaryHandler = (call: ServerCall, respond: sendUnaryData<object>) => void;

/**
 * Wraps the use case of a unary method with admission, decoding, idempotency, metering, encoding
 * and error handling.
 */
export function unary<M extends UnaryName>(
  method: ContractMethod<M>,
  useCase: UnaryUseCases[M],
  deps: CallDeps,
): UnaryHandler {
  return (call, respond) =>
    conduct(method, call, deps, {
      async act({ caller, payment, read, bytes, context, unit, rate }) {
        const party = caller?.orgId ?? context.credentials.address;
        const compute = inThread(deps.computing, method.name, bytes, party, context.signal);
        const key = metadataText(call.metadata, IDEMPOTENCY_KEY);
        if (compute !== null && payment === null && (caller === null || key === undefined)) {
          await unit?.count();
          respond(null, await compute(), callTrailer({ caller, unit, rate }, false));
          return;
        }
        const kept =
          caller === null || payment !== null || key !== undefined
            ? null
            : (deps.answers?.look(method.name, caller, bytes) ?? null);
        if (kept?.answer !== undefined) {
          await unit?.count();
          respond(null, kept.answer, callTrailer({ caller, unit, rate }, false));
          return;
        }
        const request = read();
        const answered = async (): Promise<AnswerOf<M>> =>
          compute === null ? useCase(request, context) : readAnswer(method, await compute());
        if (payment !== null) {
          const paid = { method: method.name, payment, request, signal: context.signal, run: answered };
          const { answer, isReplay, receipt } = await deps.gate.sell<AnswerOf<M>>(paid);
          const trailer = callTrailer({ caller, unit: null, rate }, isReplay);
          trailer.set(PAYMENT_RESPONSE, receipt);
          respond(null, await encodeReply(method, answer), trailer);
          return;
        }
        const run = async () => {
          await unit?.count();
          return answered();
        };
        const { answer, isReplay } =
          caller === null
            ? { answer: await run(), isReplay: false }
            : await deps.gate.once({ caller, method: method.name, key, request, run, counted: unit });
        const reply = await encodeReply(method, answer);
        kept?.keep(reply);
        respond(null, reply, callTrailer({ caller, unit, rate }, isReplay));
      },
      fail: respond,
    });
}

/**
 * The bytes of an answer, or of its summary where it is larger than a reply may be.
 * @throws ApiError PAYLOAD_TOO_LARGE for one that has no summary
 */
async function encodeReply({ reply }: ContractMethod, answer: object): Promise<Buffer> {
  const bytes = await encodePaced(reply, answer);
  if (bytes.length <= REPLY_BYTES_MAX) return bytes;
  const summary = shortAnswer(answer, bytes.length, REPLY_BYTES_MAX);
  if (summary !== null) return encodePaced(reply, summary);
  const message = `an answer may have at most ${REPLY_BYTES_MAX} bytes, this one would have ${bytes.length}: ask for fewer rows`;
  throw new ApiError('PAYLOAD_TOO_LARGE', message, { limit: REPLY_BYTES_MAX });
}

/** Interval at which a stream checks whether its caller still has access. */
export const RECHECK_MS = 60_000;

/**
 * Wraps the use case of a streaming method in the same way. The stream fails when its caller loses
 * access. A slow client slows down the use case, not the server. Parts are written as bytes, so a
 * part sent on many streams is encoded once.
 */
export function serverStream<M extends StreamName>(
  method: ContractMethod<M>,
  useCase: StreamUseCases[M],
  deps: CallDeps,
): handleServerStreamingCall<object, object> {
  const { responseSerialize } = method.definition;
  const encoded = new WeakMap<object, Buffer>();
  const encode = (part: object): Buffer => {
    const bytes = encoded.get(part) ?? responseSerialize(toMessage(method.reply, part));
    encoded.set(part, bytes);
    return bytes;
  };
  return (call) =>
    conduct(method, call, deps, {
      async act({ caller, read, context, unit, rate, end }) {
        const request = read();
        await unit?.count();
        const isCounted = caller === null || isCountedByFacade(call, deps.facades ?? null);
        const leave = isCounted ? () => {} : deps.streams.open(caller);
        const recheck = (): void => {
          deps.gate.check(method.name, context.credentials).catch((error: unknown) => {
            if (asApiError(error) !== null) end(error); // ignores failures of the store
          });
        };
        const timer = setInterval(recheck, RECHECK_MS).unref();
        const trailer = callTrailer({ caller, unit, rate }, false);
        let isBegun = false;
        try {
          for await (const part of useCase(request, context)) {
            context.signal.throwIfAborted();
            const bytes = encode(part);
            unit?.keep();
            if (!isBegun) call.sendMetadata(trailer);
            isBegun = true;
            if (!call.write(bytes)) await drained(call, context.signal);
          }
        } finally {
          clearInterval(timer);
          leave();
        }
        if (asApiError(context.signal.reason) !== null) throw context.signal.reason;
        call.end(trailer);
      },
      fail: (status) => {
        call.emit('error', status);
      },
    });
}

/** Codec of the server on both sides: calls read and write the bytes themselves. */
export const asBytes = (bytes: object): Buffer => bytes as Buffer;

/** Resolves when there is room to write again or the call is aborted. */
const drained = (call: EventEmitter, signal: AbortSignal): Promise<unknown> =>
  once(call, 'drain', { signal }).catch(() => {});

interface Entered<M extends MethodName> {
  readonly caller: Caller | null;
  /** Set for a call that its caller pays for. */
  readonly payment: SignedPayment | null;
  /** The request as it came. */
  readonly bytes: Buffer;
  /** Reads the request. @throws ApiError */
  read(): ReceivedOf<M>;
  readonly context: Call;
  /** Set for a metered method. */
  readonly unit: CallUnit | null;
  /** The remaining rate of the caller. */
  readonly rate: RateState | null;
  /** Aborts the call; the call fails with the reason. */
  readonly end: (reason: unknown) => void;
}

interface Conduct<M extends MethodName> {
  act(entered: Entered<M>): Promise<void>;
  readonly fail: Fail;
}

/** Takes a call through admission and decoding to its use case, in a span of its own. */
function conduct<M extends MethodName>(
  method: ContractMethod<M>,
  call: ServerCall,
  deps: CallDeps,
  steps: Conduct<M>,
): Promise<void> {
  const span = openSpan({ name: method.name, kind: 'SERVER', from: (name) => metadataText(call.metadata, name) });
  return new Promise((resolve, reject) => {
    span.run(() => {
      const record = (done: CallRecord): void => {
        span.end(method.name, { 'rpc.system': 'grpc', 'barline.code': done.code }, done.error);
        deps.record(done);
      };
      conductCall(method, call, { ...deps, record }, steps).then(resolve, reject);
    });
  });
}

/** Records the outcome, also of a failure. Every way through it ends with one answer. */
async function conductCall<M extends MethodName>(
  method: ContractMethod<M>,
  call: ServerCall,
  deps: CallDeps,
  { act, fail }: Conduct<M>,
): Promise<void> {
  const startedMs = performance.now();
  const requestId = metadataText(call.metadata, REQUEST_ID) ?? randomUUID();
  let caller: Caller | null = null;
  let code = 'OK';
  let bug: unknown;
  let outage: unknown;
  let unit: CallUnit | null = null;
  let rate: RateState | null = null;
  const onRate = (state: RateState): void => {
    rate = state;
  };
  let deprecatedKeys: readonly string[] = [];
  const controller = new AbortController();
  const { signal } = controller;
  let isAnswered = false;
  call.on('cancelled', () => {
    if (!isAnswered) controller.abort(); // every call ends with this event, and an abort is costly
  });
  if (call.cancelled) controller.abort();
  try {
    const credentials = readCredentials(call, deps.facades ?? null);
    const admission = await deps.gate.admit(method.name, credentials, onRate);
    const { payment } = admission;
    caller = admission.caller;
    const bytes = call.request as Buffer;
    const read = (): ReceivedOf<M> => {
      const request = readRequest(method, bytes);
      deprecatedKeys = findDeprecatedKeys(request);
      return request;
    };
    unit = caller === null || payment !== null ? null : deps.gate.callUnit(method.name, caller);
    const context = makeCall(caller, { requestId, credentials, signal, onRate });
    await act({ caller, payment, bytes, read, context, unit, rate, end: (reason) => controller.abort(reason) });
  } catch (error) {
    const lost = asOutageError(error);
    if (lost !== null) outage = error;
    const known = asApiError(error) ?? lost;
    const isGone = known === null && signal.aborted && error === signal.reason;
    if (known === null && !isGone) bug = error;
    const shown = known === null ? new ApiError('INTERNAL_ERROR', UNEXPECTED) : asSeenBy(method.name, known);
    code = isGone ? 'CANCELLED' : shown.code;
    await unit?.giveBack().catch((failure: unknown) => {
      if (asOutageError(failure) === null) bug ??= failure;
    });
    const untold = failCall(fail, shown, (trailer) => addCallTrailers(trailer, { caller, rate }));
    bug ??= untold;
  }
  isAnswered = true;
  const elapsedMs = performance.now() - startedMs;
  const record = {
    ...(outage === undefined ? {} : { outage }),
    method: method.name,
    requestId,
    caller: caller === null ? null : callerIds(caller),
    code,
    elapsedMs,
    deprecatedKeys,
  };
  deps.record(bug === undefined ? record : { ...record, error: bug });
}

const makeCall = (caller: Caller | null, known: Omit<Call, 'caller'>): Call => ({
  get caller() {
    if (caller === null) throw new Error('a public method asked for its caller');
    return caller;
  },
  ...known,
});
