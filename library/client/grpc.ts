import type { CallerOptions, Reply, ReplyOf, RequestOf, StreamName, UnaryName } from '../../contract/messages.js';
import { settleMissing } from '../../data/package/index.js';
import { type RetryOptions, sendUntilAnswered } from './retries.js';

export interface GrpcOptions extends RetryOptions {
  /** Where the service answers. Default: `127.0.0.1:50051`. */
  readonly address?: string;
  /** An API key or the access token of a session. */
  readonly key?: string;
}

export type GrpcReply<M extends UnaryName> = Reply<M>;

/**
 * A client that takes and returns plain objects. A call that fails throws an error with the `code`
 * and the `details` of the service.
 */
export interface GrpcClient {
  /**
   * Calls a method, such as `Backtests.Run`. Default deadline: 60 s, for all attempts together. The
   * call has an idempotency key of its own, if it is given none.
   */
  call<M extends UnaryName>(method: M, request: RequestOf<M>, options?: CallerOptions): Promise<GrpcReply<M>>;
  /** Yields the parts of a streamed answer. Leaving the loop cancels the call. */
  stream<M extends StreamName>(method: M, request: RequestOf<M>, options?: CallerOptions): AsyncIterable<ReplyOf<M>>;
  close(): void;
}

const ADDRESS_DEFAULT = '127.0.0.1:50051';
const DEADLINE_MS = 60_000;

/**
 * Connects to the gRPC server of a service. It needs the optional packages of the service, which
 * are loaded here.
 *
 * @throws EngineError NOT_FOUND that names a missing package with its install command
 */
export async function connectGrpc({
  address = ADDRESS_DEFAULT,
  key,
  ...retrying
}: GrpcOptions = {}): Promise<GrpcClient> {
  const { RpcClient } = await settleMissing(() => import('../../rpc/index.js'));
  const client = new RpcClient(address);
  const credentials = key === undefined ? {} : { authorization: `Bearer ${key}` };
  return {
    call(method, request, { deadlineMs = DEADLINE_MS, ...options } = {}) {
      const idempotencyKey = options.idempotencyKey ?? crypto.randomUUID();
      const end = deadlineMs === null ? Infinity : performance.now() + deadlineMs;
      const leftMs = (): number | null => (end === Infinity ? null : Math.max(0, end - performance.now()));
      return sendUntilAnswered(
        () => client.call(method, request, { ...credentials, ...options, idempotencyKey, deadlineMs: leftMs() }),
        (ended) => {
          if (!('error' in ended) || options.signal?.aborted === true) return null;
          const { retry_after } =
            (ended.error as { readonly details?: { readonly retry_after?: unknown } }).details ?? {};
          // Without a credential the service runs the call each time.
          if (key === undefined || typeof retry_after !== 'number') return null;
          return performance.now() + 1000 * retry_after < end ? 1000 * retry_after : null;
        },
        retrying,
      );
    },
    stream: (method, request, options) => client.stream(method, request, { ...credentials, ...options }),
    close: () => client.close(),
  };
}
