/** Why a price may not have been one at which the market traded. */
export type DoubtKind = 'bounce' | 'rounded-prices' | 'stale-prices';

/** What may make a result look better, or other, than the market was. */
type QualityKind =
  | 'outliers'
  | 'jumps'
  | 'off-grid'
  | 'stamped-at-close'
  | 'unfinished'
  | 'no-volume'
  | 'holes'
  | 'fills-without-volume'
  | 'ambiguous-exits'
  | 'large-fills'
  | 'unpaid-funding'
  | DoubtKind;

/** One thing that a reader must know about the bars of a run, or about its fills. */
export interface QualityFinding {
  readonly kind: QualityKind;
  /** Bars, fills or exits that it concerns. */
  readonly count: number;
  /** The first of these bars. */
  readonly bar: number;
  /** One sentence for people, with the count and the first or worst place. */
  readonly message: string;
}

/** `1 bar`, `2 bars`. */
export const counted = (count: number, noun: string, plural = `${noun}s`): string =>
  `${count} ${count === 1 ? noun : plural}`;

/** A fraction in percent, with `digits` decimals. */
export const percentText = (fraction: number, digits = 1): string => `${(100 * fraction).toFixed(digits)} %`;
