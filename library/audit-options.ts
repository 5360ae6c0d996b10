export interface AuditOptions {
  /** Number of random places at which the data is cut off. Default: 20. */
  readonly cuts?: number;
  /** Seed that chooses those places. Default: 42. */
  readonly seed?: number;
}

export const CUTS = 20;
export const SEED = 42;
