import { EngineError } from '../../engine/errors.js';
import {
  allocateBars,
  type BarSeries,
  barAt,
  firstBarFrom,
  formatInterval,
  isoTime,
  priceColumns,
} from '../../engine/series/index.js';
import { loadEntry } from '../bars/load-entry.js';
import { listStored, type StoredBars } from '../bars/stored.js';
import { isSameBar } from './page.js';
import type { BarRow } from './provider.js';

/** Stored bars that a fetch extends. */
export interface HeldBars {
  readonly entry: StoredBars;
  readonly bars: BarSeries;
}

/**
 * A stretch of time to fetch: bars that open at or after `fromMs` and close at or before `toMs`.
 */
export interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
  /** The stored bar that the exchange must confirm, or null when there is none. */
  readonly seamMs: number | null;
}

/**
 * The entry in the user's own catalogue. A fetch never extends bundled bars; the fetched bars hide
 * them.
 */
export async function findHeld(folder: string, asset: string, intervalMs: number): Promise<StoredBars | undefined> {
  const stored = await listStored(folder, undefined);
  return stored.find((entry) => entry.asset === asset && entry.intervalMs === intervalMs);
}

/**
 * The stored bars, which bars of `exchange` will extend.
 *
 * @throws CONFLICT when they are known to come from another source
 */
export async function loadHeld(entry: StoredBars, exchange: string): Promise<HeldBars> {
  if (entry.exchange !== undefined && entry.exchange !== exchange) {
    const message = `the held bars of ${entry.asset} ${entry.interval} are from ${entry.exchange}, not from ${exchange}; --replace stores new ones instead`;
    throw new EngineError('CONFLICT', message, { asset: entry.asset, interval: entry.interval });
  }
  return { entry, bars: await loadEntry(entry, -Infinity, Infinity) };
}

/**
 * The stretches to fetch: the whole request, or what lies before and after the stored bars. Each of
 * the latter includes the stored bar at the seam.
 */
export function stretchesAround(held: HeldBars | null, startMs: number, endMs: number, intervalMs: number): Stretch[] {
  if (held === null) return [{ fromMs: startMs, toMs: endMs, seamMs: null }];
  const { firstMs, lastMs } = held.entry;
  const before = { fromMs: startMs, toMs: firstMs + intervalMs, seamMs: firstMs };
  const after = { fromMs: lastMs, toMs: endMs, seamMs: lastMs };
  return [...(startMs < firstMs ? [before] : []), ...(endMs >= lastMs + 2 * intervalMs ? [after] : [])];
}

/**
 * The rows of a page that are not stored yet.
 *
 * @throws CONFLICT naming the first time at which the exchange and the stored bars disagree
 */
export function withoutHeld(rows: readonly BarRow[], held: HeldBars | null, label: string): BarRow[] {
  if (held === null) return [...rows];
  return rows.filter((row) => {
    if (row[0] < held.entry.firstMs || row[0] > held.entry.lastMs) return true;
    const stored = rowAt(held.bars, row[0]);
    if (stored !== null && isSameBar(row, stored)) return false;
    const has = (bar: BarRow | null) => (bar === null ? 'no bar' : bar.slice(1).join(' '));
    throw disagreement(row[0], `${label} has ${has(row)}, held is ${has(stored)}`);
  });
}

/** @throws CONFLICT when the exchange does not confirm the stored bar at a seam */
export function checkSeam(rows: readonly BarRow[], seamMs: number, held: HeldBars, label: string): void {
  if (rows.some(([time]) => time === seamMs)) return;
  // biome-ignore lint/style/noNonNullAssertion: the seam is the time of a stored bar
  const message = `${label} has no bar, held is ${rowAt(held.bars, seamMs)!.slice(1).join(' ')}`;
  throw disagreement(seamMs, message);
}

const disagreement = (time: number, fact: string): EngineError =>
  new EngineError('CONFLICT', `bars of ${isoTime(time)} differ: ${fact}; --replace fetches them all again`, { time });

function rowAt(bars: BarSeries, time: number): BarRow | null {
  const i = firstBarFrom(bars, time);
  if (bars.time[i] !== time) return null;
  const { open, high, low, close, volume } = barAt(bars, i);
  return [time, open, high, low, close, volume];
}

/**
 * Stored and fetched bars as one series. Further columns of the stored bars are NaN at the fetched
 * bars.
 */
export function joinBars(held: HeldBars | null, rows: readonly BarRow[], intervalMs: number): BarSeries {
  const before = rows.filter(([time]) => held === null || time < held.entry.firstMs);
  const after = held === null ? [] : rows.filter(([time]) => time > held.entry.lastMs);
  const heldCount = held?.bars.barCount ?? 0;
  const columnNames = Object.keys(held?.bars.columns ?? {});
  const bars = allocateBars(before.length + heldCount + after.length, intervalMs, columnNames);
  const put = ([time, ...values]: BarRow, i: number) => {
    bars.time[i] = time;
    priceColumns.forEach((name, k) => {
      // biome-ignore lint/style/noNonNullAssertion: a row has a value for each price column
      bars[name][i] = values[k]!;
    });
    // biome-ignore lint/style/noNonNullAssertion: the joined series was allocated with these columns
    for (const name of columnNames) bars.columns[name]![i] = NaN;
  };
  before.forEach(put);
  if (held !== null) {
    bars.time.set(held.bars.time, before.length);
    for (const name of priceColumns) bars[name].set(held.bars[name], before.length);
    // biome-ignore lint/style/noNonNullAssertion: the joined series was allocated with these columns
    for (const name of columnNames) bars.columns[name]!.set(held.bars.columns[name]!, before.length);
  }
  after.forEach((row, k) => {
    put(row, before.length + heldCount + k);
  });
  return bars;
}

/** @throws CONFLICT when the catalogue changed during the fetch */
export async function checkStillHeld(folder: string, asset: string, intervalMs: number, hash: string): Promise<void> {
  const now = await findHeld(folder, asset, intervalMs);
  if ((now?.contentHash ?? '') === hash) return;
  const message = `another process changed the stored bars of ${asset} ${formatInterval(intervalMs)} meanwhile; run the command again`;
  throw new EngineError('CONFLICT', message, { asset });
}
