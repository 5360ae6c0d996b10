import type { Metadata } from '@grpc/grpc-js';
import type { Caller } from '../service/caller.js';
import { textOf } from './metadata.js';

/** Trailer: whom the server took the caller for. A stream has it in its first metadata too. */
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

export function setCaller(metadata: Metadata, caller: Caller | null): Metadata {
  if (caller !== null) metadata.set(CALLER, encodeURIComponent(JSON.stringify(callerIds(caller))));
  return metadata;
}

/** Null where the server did not say. */
export function callerIn(metadata: Metadata): CallerIds | null {
  const text = textOf(metadata, CALLER);
  return text === undefined ? null : (JSON.parse(decodeURIComponent(text)) as CallerIds);
}
