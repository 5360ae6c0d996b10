import { isIP } from 'node:net';
import { Client, credentials, Metadata, type ServiceError } from '@grpc/grpc-js';
import type { CallerOptions, Reply, ReplyOf, RequestOf, StreamName, UnaryName } from '../contract/index.js';
import type { RateState } from '../service/access/index.js';
import { outgoing } from '../service/index.js';
import { readReply, toMessage } from './codec.js';
import { fromStatus } from './errors.js';
import type { CallFailure, LocalCalls, Received } from './local-calls.js';
import {
  AUTHORIZATION,
  BILLED_UNITS,
  type CallerIds,
  CLIENT_ADDRESS,
  COUNTED,
  COUNTED_STREAM,
  callerIn,
  type FacadeKey,
  IDEMPOTENCY_KEY,
  MANAGEMENT_KEY,
  PAYMENT_RESPONSE,
  PAYMENT_SIGNATURE,
  REPLAYED,
  REQUEST_ID,
  rateIn,
} from './metadata.js';
import { decodePaced, encodePaced } from './paced-codec.js';
import { type ContractMethod, contractMethod, REPLY_BYTES_MAX, REQUEST_BYTES_MAX } from './protos.js';

export interface CallOptions extends CallerOptions {
  /** `Bearer …`, as the client sent it. */
  readonly authorization?: string | undefined;
  readonly managementKey?: string | undefined;
  /** A signed payment, in place of a credential. */
  readonly payment?: string | undefined;
  /** Address of the original client; only a client with a `FacadeKey` sends it. */
  readonly clientAddress?: string | undefined;
  /** Says that the caller of a stream is counted here; only a client with a `FacadeKey` sends it. */
  readonly isCounted?: boolean | undefined;
  /** Leaves large values of fields that hold JSON as a `JsonText`, to pass them on. */
  readonly jsonAsText?: boolean | undefined;
  /**
   * Called before the first part of a stream with the units that it counted as, if its method is
   * metered.
   */
  readonly onBilled?: ((units: number) => void) | undefined;
  /** Called with the ids that the credential stands for, before the answer or the failure. */
  readonly onCaller?: ((caller: CallerIds) => void) | undefined;
  /** Called before the answer or the failure with the remaining rate of the caller. */
  readonly onRate?: ((rate: RateState) => void) | undefined;
}

/** Longer than any call takes that ends by itself. */
const DEADLINE_MS = 60_000;
/** Pings detect a server that has disappeared without closing the connection. */
const KEEPALIVE_MS = 60_000;
const KEEPALIVE_ANSWER_MS = 20_000;

/** A client of the contract that takes and returns plain objects. */
export class RpcClient {
  private readonly client: Client;

  /**
   * @param facade signs the addresses of clients; without it they are not sent
   * @param local the server behind the address, if this process runs it: unary calls then need no
   *   connection
   */
  constructor(
    address: string,
    private readonly facade: FacadeKey | null = null,
    private readonly local: LocalCalls | null = null,
  ) {
    this.client = new Client(address, credentials.createInsecure(), {
      'grpc.max_receive_message_length': REPLY_BYTES_MAX,
      'grpc.max_send_message_length': REQUEST_BYTES_MAX,
      'grpc.keepalive_time_ms': KEEPALIVE_MS,
      'grpc.keepalive_timeout_ms': KEEPALIVE_ANSWER_MS,
    });
  }

  /**
   * @throws ApiError the failure of the call
   */
  async call<M extends UnaryName>(name: M, request: RequestOf<M>, options: CallOptions = {}): Promise<Reply<M>> {
    const method = contractMethod(name);
    const bytes = await encodePaced(method.request, request, true);
    const { reply, trailer } = await this.#send(method, bytes, options).catch((error: ServiceError | CallFailure) => {
      tell(error.metadata, options);
      throw fromStatus(error);
    });
    tell(trailer, options);
    const [receipt] = trailer.get(PAYMENT_RESPONSE);
    return {
      body: (await decodePaced(method.reply, reply, options.jsonAsText ?? false)) as ReplyOf<M>,
      isReplayed: trailer.get(REPLAYED).length > 0,
      billedUnits: billedIn(trailer),
      paymentResponse: receipt === undefined ? null : String(receipt),
    };
  }

  #send<M extends UnaryName>({ name, definition }: ContractMethod<M>, bytes: Buffer, options: CallOptions) {
    const { signal, clientAddress, deadlineMs = DEADLINE_MS } = options;
    if (this.local !== null) {
      const metadata = metadataOf(options, undefined);
      const address = isAddress(clientAddress) ? clientAddress : undefined;
      return this.local.call(name, { bytes, metadata, address, signal, deadlineMs });
    }
    return new Promise<Received>((resolve, reject) => {
      let reply: Buffer = Buffer.alloc(0);
      const call = this.client.makeUnaryRequest(
        definition.path,
        asIs,
        asIs,
        bytes,
        this.#metadata(options),
        deadline(options),
        (error: ServiceError | null, received) => {
          if (error !== null) reject(error);
          else reply = received ?? reply;
        },
      );
      // The status follows the callback.
      call.on('status', ({ metadata }) => resolve({ reply, trailer: metadata }));
      signal?.addEventListener('abort', () => call.cancel(), { once: true });
      if (signal?.aborted) call.cancel();
    });
  }

  /**
   * Yields the parts of a streamed answer as plain objects. Leaving the loop cancels the call.
   * @throws ApiError the failure of the call
   */
  async *stream<M extends StreamName>(
    name: M,
    request: RequestOf<M>,
    options: CallOptions = {},
  ): AsyncGenerator<ReplyOf<M>> {
    const method = contractMethod(name);
    const { path, requestSerialize, responseDeserialize } = method.definition;
    const call = this.client.makeServerStreamRequest(
      path,
      requestSerialize,
      responseDeserialize,
      toMessage(method.request, request, true),
      this.#metadata(options),
      deadline(options),
    );
    call.on('status', ({ metadata }) => tell(metadata, options));
    call.on('metadata', (metadata) => {
      tell(metadata, options);
      const billed = billedIn(metadata);
      if (billed !== null) options.onBilled?.(billed);
    });
    options.signal?.addEventListener('abort', () => call.cancel(), { once: true });
    if (options.signal?.aborted) call.cancel();
    try {
      for await (const part of call) yield readReply(method, part);
    } catch (error) {
      throw fromStatus(error as ServiceError);
    } finally {
      call.cancel();
    }
  }

  close(): void {
    this.client.close();
  }

  #metadata(options: CallOptions): Metadata {
    const { clientAddress } = options;
    const metadata = metadataOf(options, isAddress(clientAddress) ? this.facade?.sign(clientAddress) : undefined);
    if (options.isCounted && this.facade !== null) metadata.set(COUNTED_STREAM, this.facade.sign(COUNTED));
    return metadata;
  }
}

/** A proxy may name any text as the address of a client. */
const isAddress = (text: string | undefined): text is string => text !== undefined && isIP(text) !== 0;

/** @param clientAddress as a facade signs it */
function metadataOf(options: CallOptions, clientAddress: string | undefined): Metadata {
  const metadata = new Metadata();
  const values: readonly [string, string | undefined][] = [
    [AUTHORIZATION, options.authorization],
    [MANAGEMENT_KEY, options.managementKey],
    [PAYMENT_SIGNATURE, options.payment],
    [CLIENT_ADDRESS, clientAddress],
    [IDEMPOTENCY_KEY, options.idempotencyKey],
    [REQUEST_ID, options.requestId],
  ];
  for (const [name, value] of [...values, ...Object.entries(outgoing())])
    if (value !== undefined) metadata.set(name, sendable.test(value) ? value : NOT_SENDABLE);
  return metadata;
}

/**
 * What metadata can carry. A longer value breaks the compression of headers for the connection, and
 * so every call on it; HTTP takes no longer headers either.
 */
const sendable = /^[\x20-\x7e]{0,16384}$/;
/** In place of other text. It is no credential, and no idempotency key, which has no spaces. */
const NOT_SENDABLE = 'not sendable';

const asIs = (bytes: Buffer): Buffer => bytes;

function tell(metadata: Metadata, { onCaller, onRate }: CallOptions): void {
  const caller = onCaller === undefined ? null : callerIn(metadata);
  if (caller !== null) onCaller?.(caller);
  const rate = onRate === undefined ? null : rateIn(metadata);
  if (rate !== null) onRate?.(rate);
}

const deadline = ({ deadlineMs = DEADLINE_MS }: CallOptions) =>
  deadlineMs === null ? {} : { deadline: Date.now() + deadlineMs };

function billedIn(metadata: Metadata): number | null {
  const [billed] = metadata.get(BILLED_UNITS);
  return billed === undefined ? null : Number(billed);
}
