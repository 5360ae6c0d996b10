import { HOUR_MS } from '../../engine/series/index.js';

/** How fast strategies go through bars that are already held. */
export interface Replay {
  /**
   * Milliseconds of real time per hour of market time. 0 takes bars as they close, starting with
   * the one that is forming.
   */
  readonly msPerHour: number;
  /** Days before the last held bar at which a strategy starts. */
  readonly days: number;
}

/** Real time between two bars, ms. */
export const barPaceMs = ({ msPerHour }: Replay, intervalMs: number): number => (msPerHour * intervalMs) / HOUR_MS;
