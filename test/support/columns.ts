import { HOUR_MS } from '../../engine/series/intervals.js';
import { seededRandom } from './random.js';

/** One row of a source with times of its own. */
export interface PlainRow {
  readonly period: number;
  readonly published: number;
  /** NaN where the row has no value. */
  readonly value: number;
}

/** Rows as the columns that a store takes. */
export const columnar = (rows: readonly PlainRow[]) => ({
  period: Float64Array.from(rows, ({ period }) => period),
  published: Float64Array.from(rows, ({ published }) => published),
  value: Float64Array.from(rows, ({ value }) => value),
});

/**
 * Rows of a source as sources are: some periods missing or without a value, some published late or
 * all at once, some revised once or twice, many exactly at the edge of a bar; in no order.
 */
export function randomRows(
  seed: number,
  { startMs, endMs, meanMs = 8 * HOUR_MS }: { startMs: number; endMs: number; meanMs?: number },
): PlainRow[] {
  const random = seededRandom(seed);
  const rows: PlainRow[] = [];
  const edge = (ms: number) => (random() < 0.5 ? Math.round(ms / HOUR_MS) * HOUR_MS : Math.round(ms));
  const draw = () => (random() < 0.1 ? NaN : Math.round((random() - 0.5) * 2_000) / 100);
  for (let period = startMs; period < endMs; period += meanMs) {
    if (random() < 0.1) continue;
    let published = edge(period + meanMs * (random() < 0.15 ? 4 * random() : 1 + 0.2 * random()));
    rows.push({ period, published, value: draw() });
    while (random() < 0.2) {
      published = edge(published + 3 * meanMs * random());
      rows.push({ period, published, value: draw() });
    }
  }
  for (let i = rows.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [rows[i], rows[j]] = [rows[j]!, rows[i]!];
  }
  return rows;
}

/**
 * What is known at a close, from the definition: of the rows with a value that were published by
 * then, each period counts with its first published one; the newest period counts.
 */
export function knownAt(rows: readonly PlainRow[], closeMs: number): number {
  const first = new Map<number, PlainRow>();
  for (const row of rows) {
    if (row.published > closeMs || Number.isNaN(row.value)) continue;
    const other = first.get(row.period);
    if (other === undefined || row.published < other.published) first.set(row.period, row);
  }
  const newest = [...first.values()].sort((a, b) => b.period - a.period)[0];
  return newest === undefined ? NaN : newest.value;
}
