import { Metadata } from '@grpc/grpc-js';
import type { CallUnit, RateState } from '../service/access/index.js';
import type { Caller } from '../service/caller.js';
import { setCaller } from './caller-trailer.js';
import { BILLED_UNITS, REPLAYED, setRate } from './metadata.js';

interface Told {
  readonly caller: Caller | null;
  readonly unit: CallUnit | null;
  readonly rate: RateState | null;
}

/** Says whom the server took the caller for and what is left of its rate. */
export function tellingOf(metadata: Metadata, { caller, rate }: Omit<Told, 'unit'>): Metadata {
  if (rate !== null) setRate(metadata, rate);
  return setCaller(metadata, caller);
}

export function trailerOf({ unit, ...told }: Told, isReplay: boolean): Metadata {
  const trailer = tellingOf(new Metadata(), told);
  if (isReplay) trailer.set(REPLAYED, 'true');
  if (unit !== null) trailer.set(BILLED_UNITS, String(unit.billed));
  return trailer;
}
