import { randomUUID } from 'node:crypto';
import type { State } from '../state/tables.js';
import type { WallClock } from '../wall-clock.js';

/*
 * Work is taken by a lease: a row names its holder and when the lease ends, and from then on others
 * may take the work. So a crash loses nothing. What the work stores is guarded: a store refuses it
 * from anyone but the holder.
 */

/** A name for the leases of this process, which no other has, nor this one after a restart. */
export const runnerName = (): string => `${process.pid}-${randomUUID()}`;

/** The end of work that its runner no longer holds: another has taken it, or it was deleted. */
class LeaseLost extends Error {
  override readonly name = 'LeaseLost';

  constructor() {
    super('the lease was lost');
  }
}

interface Lease {
  readonly leaseMs: number;
  /** @returns whether it still holds */
  renew(untilMs: number): Promise<boolean>;
  readonly clock: WallClock;
  readonly onInternalError: (error: unknown) => void;
}

/**
 * Renews a lease while `work` runs, three times in its length.
 * @param work gets a signal that aborts, with `LeaseLost`, when the lease is lost
 */
export async function whileHeld<T>(lease: Lease, work: (lost: AbortSignal) => Promise<T>): Promise<T> {
  const { leaseMs, clock, onInternalError } = lease;
  const lost = new AbortController();
  const renew = async (): Promise<void> => {
    try {
      if (!(await lease.renew(clock() + leaseMs))) lost.abort(new LeaseLost());
    } catch (error) {
      onInternalError(error); // the lease may still hold; the next renewal will tell
    }
  };
  const renewing = setInterval(() => void renew(), leaseMs / 3).unref();
  try {
    return await work(lost.signal);
  } finally {
    clearInterval(renewing);
  }
}

interface LeasedStore {
  /** Ends all leases. */
  releaseAll(): Promise<void>;
}

/** Frees what former processes held, where there can be no other: in an embedded store. */
export async function releaseOfEnded({ kind }: Pick<State, 'kind'>, ...stores: readonly LeasedStore[]): Promise<void> {
  if (kind === 'embedded') await Promise.all(stores.map((store) => store.releaseAll()));
}
