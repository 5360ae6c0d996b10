// biome-ignore-all lint/style/noNonNullAssertion: every index lies within columns of one length
import { createHash } from 'node:crypto';
import { type BarSeries, DAY_MS } from '../../engine/series/index.js';

/** Rows of a source in any order. All columns have one length. */
export interface PublishedRows {
  /** What tells the periods apart, such as their starts: epoch ms. */
  readonly period: Float64Array;
  /** When the value became known, epoch ms. */
  readonly published: Float64Array;
  /** A row without a finite value is left out. */
  readonly value: Float64Array;
}

/**
 * The first published value of each period, as it was known over time: `published` never descends,
 * and periods ascend.
 */
export interface PublishedSeries extends PublishedRows {
  /** 1 where the source later gave another value for the period. */
  readonly revised: Uint8Array;
}

export interface MergedSeries {
  readonly series: PublishedSeries;
  /** Rows left out because a newer period was known when they were published. */
  readonly lateRows: number;
  /** Rows left out because they hold no finite value. */
  readonly emptyRows: number;
}

/**
 * What was known over time from held values and further rows. A value that was published first
 * stays: a later row for its period with another value is a revision, which is marked and not used.
 * A held value counts as published before the rows. The rows that were published by any time give
 * what was known then, so no later row changes an earlier value.
 */
export function mergeRows(held: PublishedSeries | null, rows: PublishedRows): MergedSeries {
  const heldCount = held?.value.length ?? 0;
  const period = joined(held?.period, rows.period);
  const published = joined(held?.published, rows.published);
  const value = joined(held?.value, rows.value);
  const revised = new Uint8Array(value.length);
  if (held !== null) revised.set(held.revised);

  const order = (a: number, b: number) => published[a]! - published[b]! || period[a]! - period[b]! || a - b;
  const further = Array.from(rows.value, (_, i) => heldCount + i).filter((i) => Number.isFinite(value[i]));
  const first = new Map(Array.from({ length: heldCount }, (_, i) => [period[i]!, i]));
  for (const i of further.sort(order)) {
    const known = first.get(period[i]!);
    if (known === undefined) first.set(period[i]!, i);
    else if (value[known] !== value[i]) revised[known] = 1;
  }
  let newest = -Infinity;
  const kept = [...first.values()].sort(order).filter((i) => {
    if (period[i]! < newest) return false;
    newest = period[i]!;
    return true;
  });
  const pick = (column: Float64Array) => Float64Array.from(kept, (i) => column[i]!);
  return {
    series: {
      period: pick(period),
      published: pick(published),
      value: pick(value).map((one) => one + 0), // -0 as 0
      revised: Uint8Array.from(kept, (i) => revised[i]!),
    },
    lateRows: first.size - kept.length,
    emptyRows: rows.value.length - further.length,
  };
}

function joined(before: Float64Array | undefined, after: Float64Array): Float64Array {
  const all = new Float64Array((before?.length ?? 0) + after.length);
  if (before !== undefined) all.set(before);
  all.set(after, before?.length ?? 0);
  return all;
}

/**
 * Writes the value known at the close of each bar to `out`: the value of the last row published at
 * or before the close, and NaN before the first. O(bars + rows).
 */
export function joinToBars(
  { published, value }: PublishedRows,
  { time, barCount, intervalMs }: Pick<BarSeries, 'time' | 'barCount' | 'intervalMs'>,
  out: Float64Array,
): void {
  let known = NaN;
  let next = 0;
  for (let i = 0; i < barCount; i++) {
    const close = time[i]! + intervalMs;
    while (next < published.length && published[next]! <= close) known = value[next++]!;
    out[i] = known;
  }
}

/**
 * Writes the sum of the values published in each bar, after its open and up to its close, to `out`:
 * 0 without one, NaN before the first value and from a day after the last on. Times count
 * in whole seconds: exchanges stamp a settlement some milliseconds late. O(bars + rows).
 */
export function sumInBars(
  { published, value }: PublishedRows,
  { time, barCount, intervalMs }: Pick<BarSeries, 'time' | 'barCount' | 'intervalMs'>,
  out: Float64Array,
): void {
  const at = (row: number) => Math.floor(published[row]! / 1_000) * 1_000;
  const last = published.length - 1;
  let next = 0;
  for (let i = 0; i < barCount; i++) {
    const close = time[i]! + intervalMs;
    let sum = 0;
    for (; next <= last && at(next) <= close; next++) if (at(next) > time[i]!) sum += value[next]!;
    out[i] = last < 0 || close < at(0) || time[i]! >= at(last) + DAY_MS ? NaN : sum;
  }
}

/**
 * The identity of what a series says: SHA-256 in hex over the times of publication, then over the
 * values, as little-endian Float64.
 */
export function hashOfSeries({ published, value }: PublishedRows): string {
  const hash = createHash('sha256');
  for (const column of [published, value]) {
    const bytes = new DataView(new ArrayBuffer(8 * column.length));
    column.forEach((one, i) => {
      bytes.setFloat64(8 * i, one, true);
    });
    hash.update(new Uint8Array(bytes.buffer));
  }
  return hash.digest('hex');
}
