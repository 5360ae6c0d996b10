import { EngineError } from '../../engine/errors.js';
import { allocateBars, type BarSeries, isoTime, priceColumns, validateBars } from '../../engine/series/index.js';
import { type BarRow, ProviderFault } from './provider.js';

interface PageRequest {
  /** How messages name the source: `binance BTC/USDT`. */
  readonly label: string;
  readonly intervalMs: number;
  readonly fromMs: number;
  /** Bars that close after this time are still forming, or were not requested. */
  readonly closedMs: number;
}

export interface CheckedPage {
  /** New closed bars, ascending and distinct; each meets the rules of an import. */
  readonly rows: readonly BarRow[];
  /** The exchange answered with no bars at all. */
  readonly isEmpty: boolean;
  /** The exchange answered with bars beyond the last requested one, so no more can be asked for. */
  readonly isLast: boolean;
}

/**
 * Sorts a page, drops the bars that were not requested and checks the rest.
 *
 * @throws ProviderFault for a broken page that another try may mend
 */
export function checkPage(
  answered: readonly BarRow[],
  { label, intervalMs, fromMs, closedMs }: PageRequest,
): CheckedPage {
  const odd = answered.find((row) => !Number.isFinite(row[0]));
  if (odd !== undefined) throw new ProviderFault('answer', `${label}: a bar has no time`);
  const sorted = [...answered].sort((a, b) => a[0] - b[0]);
  const fresh = sorted.filter(([time]) => time >= fromMs);
  if (sorted.length > 0 && fresh.length === 0) {
    // biome-ignore lint/style/noNonNullAssertion: the page is not empty
    const last = isoTime(sorted.at(-1)![0]);
    throw new ProviderFault('answer', `${label}: asked for bars from ${isoTime(fromMs)}, got none after ${last}`);
  }
  const distinct = withoutRepeats(fresh, label);
  const rows = distinct.filter(([time]) => time + intervalMs <= closedMs);
  validate(rows, label, intervalMs);
  return { rows, isEmpty: sorted.length === 0, isLast: rows.length < distinct.length };
}

/** Drops a repeated bar; refuses two different bars of one time. */
function withoutRepeats(rows: readonly BarRow[], label: string): BarRow[] {
  return rows.filter((row, i) => {
    const before = rows[i - 1];
    if (before === undefined || before[0] !== row[0]) return true;
    if (isSameBar(before, row)) return false;
    throw new ProviderFault('answer', `${label}: two different bars of ${isoTime(row[0])}`);
  });
}

export const isSameBar = (a: BarRow, b: BarRow): boolean => a.every((value, i) => value === b[i]);

/**
 * Applies the rules of an import before the page is kept. The fetch asks for a bad page again, and
 * ends if it stays bad.
 */
function validate(rows: readonly BarRow[], label: string, intervalMs: number): void {
  try {
    // biome-ignore lint/style/noNonNullAssertion: an index within the rows
    validateBars(barsOfRows(rows, intervalMs), (i) => rowName(label, rows[i]![0]));
  } catch (error) {
    throw error instanceof EngineError ? new ProviderFault('answer', error.message) : error;
  }
  for (let i = 1; i < rows.length; i++) {
    // biome-ignore lint/style/noNonNullAssertion: an index within the rows
    if (rows[i]![0] - rows[i - 1]![0] >= intervalMs) continue;
    // biome-ignore lint/style/noNonNullAssertion: an index within the rows
    throw new ProviderFault('answer', `${rowName(label, rows[i]![0])}: overlaps the bar before`);
  }
}

const rowName = (label: string, time: number): string => `${label} bar ${isoTime(time)}`;

/** Rows as the columns of a series. */
function barsOfRows(rows: readonly BarRow[], intervalMs: number): BarSeries {
  const bars = allocateBars(rows.length, intervalMs);
  rows.forEach(([time, ...values], i) => {
    bars.time[i] = time;
    priceColumns.forEach((name, k) => {
      // biome-ignore lint/style/noNonNullAssertion: an index within the rows
      bars[name][i] = values[k]!;
    });
  });
  return bars;
}
