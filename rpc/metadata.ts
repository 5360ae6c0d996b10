import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { Metadata } from '@grpc/grpc-js';
import { type CallUnit, type Credentials, countedAddress, type RateState } from '../service/access/index.js';
import type { Caller } from '../service/caller.js';

/** Names of metadata and trailers, and what a call says in them. */

export const REQUEST_ID = 'x-request-id';
export const IDEMPOTENCY_KEY = 'idempotency-key';
export const REPLAYED = 'idempotent-replayed';
/**
 * Units that the call of a metered method counted as: a trailer, and for a stream also metadata
 * before the first part.
 */
export const BILLED_UNITS = 'x-billed-units';
export const AUTHORIZATION = 'authorization';
/** A signed payment, in place of a credential: of version 2 of the protocol, or of either. */
export const PAYMENT_SIGNATURE = 'payment-signature';
const X_PAYMENT = 'x-payment';
/** Trailer: what became of the payment. */
export const PAYMENT_RESPONSE = 'payment-response';
export const MANAGEMENT_KEY = 'x-management-key';
/** Set by a REST facade: the address of its own client, signed with a `FacadeKey`. */
export const CLIENT_ADDRESS = 'x-client-address';
/** Set by a REST facade that counts the readers of a stream itself, since they may share it. */
export const COUNTED_STREAM = 'x-counted-stream';
/** What a facade signs there. */
export const COUNTED = 'counted';

/**
 * Trailer of every call that was counted, and for a stream also metadata before the first part:
 * `limit remaining reset`, the last in seconds.
 */
const RATE = 'x-rate-limit';

function setRate(metadata: Metadata, { limit, remaining, resetS }: RateState): void {
  metadata.set(RATE, `${limit} ${remaining} ${resetS}`);
}

/** What a call was told about its rate; null if it was not counted. */
export function rateIn(metadata: Metadata): RateState | null {
  const [limit, remaining, resetS] = (metadataText(metadata, RATE) ?? '').split(' ').map(Number);
  if (limit === undefined || remaining === undefined || resetS === undefined) return null;
  return { limit, remaining, resetS };
}

/** A call as it reached the server, over a connection or from this process. */
export interface ServerCall {
  readonly metadata: Metadata;
  /** The bytes of the request. */
  readonly request: object;
  readonly cancelled: boolean;
  /** `address:port`, an IPv6 address in brackets. */
  getPeer(): string;
  on(event: 'cancelled', listener: () => void): unknown;
}

/** @param facades key of the facades that may name the address of a client; null if none may */
export const readCredentials = (call: ServerCall, facades: FacadeKey | null): Credentials => ({
  authorization: metadataText(call.metadata, AUTHORIZATION),
  managementKey: metadataText(call.metadata, MANAGEMENT_KEY),
  payment: metadataText(call.metadata, PAYMENT_SIGNATURE) ?? metadataText(call.metadata, X_PAYMENT),
  address: address(call, facades),
});

/** Whether a facade that proves itself counts the readers of this stream. */
export const isCountedByFacade = ({ metadata }: ServerCall, facades: FacadeKey | null): boolean =>
  facades?.read(metadataText(metadata, COUNTED_STREAM) ?? '') === COUNTED;

/**
 * The address by which a call counts: that of the facade's client if a facade proves itself and
 * names a valid one, else the peer's address, without the port, which changes with each connection.
 */
function address(call: ServerCall, facades: FacadeKey | null): string {
  const claimed = facades?.read(metadataText(call.metadata, CLIENT_ADDRESS) ?? '') ?? null;
  const peer = call
    .getPeer()
    .replace(/:\d+$/, '')
    .replace(/^\[|\]$/g, '');
  return (claimed === null ? null : countedAddress(claimed)) ?? countedAddress(peer) ?? 'unknown';
}

export function metadataText(metadata: Metadata, name: string): string | undefined {
  const [value] = metadata.get(name);
  return value === undefined ? undefined : String(value);
}

/**
 * Proves to the gRPC server that an address comes from a REST facade that knows its secret, so no
 * other client can name one. The proof covers the address: a reader of the network can claim that
 * address and no other.
 */
export class FacadeKey {
  readonly #key: Buffer;

  /** @param secret that the facade and the server share */
  constructor(secret: string) {
    this.#key = Buffer.from(hkdfSync('sha256', secret, '', 'addresses of clients', 32));
  }

  /** The address with its proof, as metadata. */
  sign(address: string): string {
    return `${address} ${this.#proof(address).toString('base64url')}`;
  }

  /** The address that a facade signed; null for anything else. */
  read(signed: string): string | null {
    const [address = '', text = ''] = signed.split(' ');
    const proof = Buffer.from(text, 'base64url');
    const expected = this.#proof(address);
    return proof.length === expected.length && timingSafeEqual(proof, expected) ? address : null;
  }

  #proof(address: string): Buffer {
    return createHmac('sha256', this.#key).update(address).digest();
  }
}

/** Trailer: the caller as the server identified it. A stream has it in its first metadata too. */
const CALLER = 'barline-caller';

/** Ids of a caller, for a log. None of them is a secret. */
export interface CallerIds {
  readonly userId: string;
  readonly orgId: string;
  /** `session`, `key`, `workload` or `wallet`. */
  readonly credential: string;
  /** Id of the session or key, name of the workload, or `wallet:<address>`. */
  readonly credentialId: string;
}

export const callerIds = ({ userId, orgId, credential, credentialId }: CallerIds): CallerIds => ({
  userId,
  orgId,
  credential,
  credentialId,
});

function setCaller(metadata: Metadata, caller: Caller | null): Metadata {
  if (caller !== null) metadata.set(CALLER, encodeURIComponent(JSON.stringify(callerIds(caller))));
  return metadata;
}

/** Null without the trailer, or where it cannot be read. */
export function callerIn(metadata: Metadata): CallerIds | null {
  const text = metadataText(metadata, CALLER);
  if (text === undefined) return null;
  try {
    return JSON.parse(decodeURIComponent(text)) as CallerIds;
  } catch {
    return null; // thrown here, it would end the process and not the call
  }
}

interface CallTrailers {
  readonly caller: Caller | null;
  readonly unit: CallUnit | null;
  readonly rate: RateState | null;
}

/** Adds the caller and its remaining rate. */
export function addCallTrailers(metadata: Metadata, { caller, rate }: Omit<CallTrailers, 'unit'>): Metadata {
  if (rate !== null) setRate(metadata, rate);
  return setCaller(metadata, caller);
}

export function callTrailer({ unit, ...call }: CallTrailers, isReplay: boolean): Metadata {
  const trailer = addCallTrailers(new Metadata(), call);
  if (isReplay) trailer.set(REPLAYED, 'true');
  if (unit !== null) trailer.set(BILLED_UNITS, String(unit.billed));
  return trailer;
}
