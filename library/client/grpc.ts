import { settleMissing } from '../../data/package/index.js';
import type { CallOptions, Reply, ReplyOf, RequestOf, StreamName, UnaryName } from '../../rpc/index.js';

export interface GrpcOptions {
  /** Where the service answers. Default: `127.0.0.1:50051`. */
  readonly address?: string;
  /** An API key or the access token of a session. */
  readonly key?: string;
}

type GrpcCallOptions = Pick<CallOptions, 'deadlineMs' | 'signal' | 'idempotencyKey' | 'requestId'>;

export type GrpcReply<M extends UnaryName> = Reply<M>;

/**
 * A client that takes and returns plain objects. A call that fails throws an error with the `code`
 * and the `details` of the service.
 */
export interface GrpcClient {
  /** Calls a method, such as `Backtests.Run`. Default deadline: 60 s. */
  call<M extends UnaryName>(method: M, request: RequestOf<M>, options?: GrpcCallOptions): Promise<GrpcReply<M>>;
  /** Yields the parts of a streamed answer. Leaving the loop cancels the call. */
  stream<M extends StreamName>(method: M, request: RequestOf<M>, options?: GrpcCallOptions): AsyncIterable<ReplyOf<M>>;
  close(): void;
}

const ADDRESS_DEFAULT = '127.0.0.1:50051';

/**
 * Connects to the gRPC server of a service. It needs the optional packages of the service, which
 * are loaded here.
 *
 * @throws EngineError NOT_FOUND that names a missing package with its install command
 */
export async function connectGrpc({ address = ADDRESS_DEFAULT, key }: GrpcOptions = {}): Promise<GrpcClient> {
  const { RpcClient } = await settleMissing(() => import('../../rpc/index.js'));
  const client = new RpcClient(address);
  const credentials = key === undefined ? {} : { authorization: `Bearer ${key}` };
  return {
    call: (method, request, options) => client.call(method, request, { ...credentials, ...options }),
    stream: (method, request, options) => client.stream(method, request, { ...credentials, ...options }),
    close: () => client.close(),
  };
}
