// biome-ignore-all lint/style/noNonNullAssertion: every index lies within the columns of the two series
import { EngineError } from '../../engine/errors.js';
import { allocateBars, type BarSeries, formatInterval, isoTime } from '../../engine/series/index.js';
import { namedColumns } from './columns.js';
import { type InspectedBars, inspectBars } from './inspect.js';
import { loadEntry } from './load-entry.js';
import { listStored, type StoredBars } from './stored.js';

/** Which bars stay where stored and imported ones have the same time and other values. */
export type Overlap = 'held' | 'new';

interface Appended {
  readonly inspected: InspectedBars;
  /** The entry that the bars extend; null when nothing is stored. */
  readonly held: StoredBars | null;
}

/**
 * Joins bars with the stored ones of the same asset and interval, before, between and after them.
 *
 * @throws CONFLICT when the stored bars have another interval, come from another exchange or have
 *   other values at the same time, naming the flag that decides
 */
export async function appendToHeld(
  folder: string,
  asset: string,
  fresh: InspectedBars,
  { exchange, overlap }: { readonly exchange?: string | undefined; readonly overlap?: Overlap | undefined },
): Promise<Appended> {
  const { intervalMs } = fresh.bars;
  const own = (await listStored(folder, undefined)).filter((entry) => entry.asset === asset);
  const held = own.find((entry) => entry.intervalMs === intervalMs);
  if (held === undefined) {
    if (own.length === 0) return { inspected: fresh, held: null };
    const intervals = own.map((entry) => entry.interval).join(', ');
    const rule = `no ${formatInterval(intervalMs)} bars of ${asset} are held to append to (held: ${intervals})`;
    throw conflict(`${rule}; without --append they are stored beside, --interval gives another length`);
  }
  if (held.exchange !== undefined && exchange !== undefined && held.exchange !== exchange) {
    const rule = `the held bars of ${asset} ${held.interval} are from ${held.exchange}, not from ${exchange}`;
    throw conflict(`${rule}; --replace without --append stores these instead`);
  }
  const bars = joinSeries(await loadEntry(held, -Infinity, Infinity), fresh.bars, overlap);
  const { ignoredColumns, leftOut, notes } = fresh;
  const rowName = (index: number) => `bar ${index + 1} of held and imported bars`;
  return {
    inspected: inspectBars({ bars, rowName, ignoredColumns, leftOut, timesAre: 'instant', notes }, intervalMs),
    held,
  };
}

/** Two ascending series as one. */
function joinSeries(held: BarSeries, fresh: BarSeries, overlap: Overlap | undefined): BarSeries {
  const times = mergeTimes(held.time, fresh.time);
  const joined = allocateBars(
    times.length,
    held.intervalMs,
    new Set([held, fresh].flatMap((bars) => Object.keys(bars.columns))),
  );
  joined.time.set(times);
  const sides = overlap === 'held' ? [fresh, held] : [held, fresh]; // the later one wins
  if (overlap === undefined) checkOverlap(held, fresh);
  for (const { values } of namedColumns(joined).slice(1)) values.fill(NaN);
  for (const side of sides) {
    const from = new Map(namedColumns(side).map(({ name, values }) => [name, values]));
    for (const { name, values } of namedColumns(joined).slice(1)) {
      const source = from.get(name);
      if (source === undefined) continue;
      for (let i = 0, at = 0; i < side.barCount; i++, at++) {
        while (times[at]! < side.time[i]!) at++;
        values[at] = source[i]!;
      }
    }
  }
  return joined;
}

/** The times of both, each once. */
function mergeTimes(a: Float64Array, b: Float64Array): Float64Array {
  const times = new Float64Array(a.length + b.length);
  let count = 0;
  for (let i = 0, k = 0; i < a.length || k < b.length; ) {
    const time = Math.min(a[i] ?? Infinity, b[k] ?? Infinity);
    if (a[i] === time) i++;
    if (b[k] === time) k++;
    times[count++] = time;
  }
  return times.subarray(0, count);
}

/** @throws CONFLICT at the first time for which both series have a column with other values */
function checkOverlap(held: BarSeries, fresh: BarSeries): void {
  const columns = namedColumns(fresh).flatMap(({ name, values }) => {
    const stored = namedColumns(held).find((column) => column.name === name)?.values;
    return stored === undefined ? [] : [{ name, values, stored }];
  });
  for (let i = 0, k = 0; i < fresh.barCount; i++) {
    while (k < held.barCount && held.time[k]! < fresh.time[i]!) k++;
    if (held.time[k] !== fresh.time[i]) continue;
    for (const { name, values, stored } of columns) {
      if (Object.is(values[i], stored[k])) continue;
      const fact = `${name} of ${isoTime(fresh.time[i]!)} is ${values[i]}, held is ${stored[k]}`;
      throw conflict(`${fact}; --overlap new takes the new bars there, --overlap held keeps the held ones`);
    }
  }
}

const conflict = (message: string): EngineError => new EngineError('CONFLICT', message);
