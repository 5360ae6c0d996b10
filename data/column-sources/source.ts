import type { PublishedRows } from '../columns/index.js';

/** Gives columns beside bars: recorded, from a provider, or generated. */
export interface ColumnSource {
  /** How commands and records name it. */
  readonly name: string;
  /** Free text, stored with its columns. */
  readonly licence?: string;
  /** True if it serves only where it is named. */
  readonly isOnRequest?: boolean;
  /** True if each stretch of time costs requests, so that only new rows are asked for. */
  readonly isMetered?: boolean;
  columnsFor(asset: string): readonly string[];
  /**
   * What was published at or after `fromMs` and before `toMs`, revisions included. A value is
   * stamped with the time from which it was known, never with the start of its period.
   * @throws EngineError NOT_FOUND if it has no such value; UpstreamFault
   */
  fetch(asset: string, column: string, fromMs: number, toMs: number): Promise<PublishedRows>;
}

/** One value, before it is put into columns. */
export interface PublishedValue {
  readonly periodMs: number;
  readonly publishedMs: number;
  readonly value: number;
}

/** The values that were published in a range of time. */
export function publishedIn(values: readonly PublishedValue[], fromMs: number, toMs: number): PublishedRows {
  const wanted = values.filter(({ publishedMs }) => publishedMs >= fromMs && publishedMs < toMs);
  return {
    period: Float64Array.from(wanted, ({ periodMs }) => periodMs),
    published: Float64Array.from(wanted, ({ publishedMs }) => publishedMs),
    value: Float64Array.from(wanted, ({ value }) => value),
  };
}
