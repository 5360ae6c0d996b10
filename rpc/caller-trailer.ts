import { Metadata } from '@grpc/grpc-js';
import type { CallUnit, RateState } from '../service/access/index.js';
import type { Caller } from '../service/caller.js';
import { BILLED_UNITS, metadataText, REPLAYED, setRate } from './metadata.js';

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
