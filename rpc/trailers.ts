import { Metadata } from '@grpc/grpc-js';
import type { CallUnit, RateState } from '../service/access/index.js';
import type { Caller } from '../service/caller.js';
import { setCaller } from './caller-trailer.js';
import { BILLED_UNITS, REPLAYED, setRate } from './metadata.js';

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
