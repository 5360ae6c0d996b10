import { HOUR_MS } from '../../engine/index.js';

/** How fast the bars that are held already are gone through. */
export interface Replay {
  /**
   * Milliseconds of real time for an hour of the market; 0 takes bars as they close and begins with
   * the one that is forming.
   */
  readonly msPerHour: number;
  /** Days before the last bar held at which a strategy begins. */
  readonly days: number;
}

/** Real time from one bar to the next, ms. */
export const barPaceMs = ({ msPerHour }: Replay, intervalMs: number): number => (msPerHour * intervalMs) / HOUR_MS;
