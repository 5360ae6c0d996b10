// biome-ignore-all lint/style/noNonNullAssertion: every index lies within the columns of the files that are joined
import { EngineError } from '../../engine/errors.js';
import { allocateBars, type BarSeries, isoTime } from '../../engine/series/index.js';
import { namedColumns } from './columns.js';
import { nothingLeftOut, type RawBars } from './inspect.js';
import type { ReadBarsOptions } from './read-options.js';
import { zonesRepeating } from './time-zones.js';

/** How many bars the files of one import may have together. */
export const BARS_MAX = 50_000_000;

/**
 * The rows of several files, one file after the other by the time of its first row. A file without
 * a column that another has gets NaN there.
 */
export function joinFiles(files: readonly RawBars[]): RawBars {
  if (files.length === 1) return files[0]!;
  const sorted = files.toSorted((a, b) => a.bars.time[0]! - b.bars.time[0]!);
  const ends: number[] = [];
  for (const { bars } of sorted) ends.push((ends.at(-1) ?? 0) + bars.barCount);
  const start = (k: number) => ends[k]! - sorted[k]!.bars.barCount;
  const names = new Set(files.flatMap(({ bars }) => Object.keys(bars.columns)));
  const joined = allocateBars(ends.at(-1)!, 0, names);
  for (const { name, values } of namedColumns(joined)) {
    for (const [k, { bars }] of sorted.entries()) {
      const from = namedColumns(bars).find((column) => column.name === name)?.values;
      if (from === undefined) values.fill(NaN, start(k), ends[k]);
      else values.set(from, start(k));
    }
  }
  const sum = (key: keyof RawBars['leftOut']) => files.reduce((total, { leftOut }) => total + leftOut[key], 0);
  return {
    bars: joined,
    rowName(index) {
      const k = ends.findIndex((end) => index < end);
      return sorted[k]!.rowName(index - start(k));
    },
    ignoredColumns: [...new Set(files.flatMap(({ ignoredColumns }) => ignoredColumns))],
    timesAre: 'instant', // each file is settled before they are joined
    notes: [...new Set(files.flatMap(({ notes }) => notes))],
    leftOut: { ...nothingLeftOut, headerLines: sum('headerLines'), emptyRows: sum('emptyRows') },
  };
}

/**
 * The rows in ascending order of time, each time once. What the options do not allow is refused.
 * O(rows) for rows in order.
 *
 * @throws INVALID_DATA naming the row and the flag that allows it
 */
export function orderRows(raw: RawBars, { sort = false, dedupe = false, keep }: ReadBarsOptions): RawBars {
  const { bars, rowName } = raw;
  const { time, barCount } = bars;
  const order = new Uint32Array(barCount).map((_, i) => i);
  const fall = time.findIndex((ms, i) => i > 0 && ms < time[i - 1]!);
  const hasRepeats = time.some((ms, i) => i > 0 && ms === time[i - 1]!);
  if (fall === -1 && !hasRepeats) return raw;
  if (fall !== -1) {
    if (!sort) throw outOfOrder(raw, fall);
    order.sort((a, b) => time[a]! - time[b]! || a - b);
  }
  const kept = new Uint32Array(barCount);
  let count = 0;
  for (const index of order) {
    const before = kept[count - 1];
    if (before === undefined || time[before]! !== time[index]!) kept[count++] = index;
    else if (!dedupe && keep === undefined) throw repeated(raw, before, index);
    else {
      const column =
        keep === undefined ? namedColumns(bars).find(({ values }) => !isSame(values, before, index)) : undefined;
      if (column !== undefined) throw unequal(raw, before, index, column);
      if (keep === 'last') kept[count - 1] = index;
    }
  }
  return {
    ...raw,
    bars: pickBars(bars, kept.subarray(0, count)),
    rowName: (index) => rowName(kept[index]!),
    leftOut: { ...raw.leftOut, repeatedRows: barCount - count },
  };
}

/** Two absent values are the same. */
const isSame = (values: Float64Array, a: number, b: number): boolean =>
  values[a] === values[b] || (Number.isNaN(values[a]) && Number.isNaN(values[b]));

function pickBars(bars: BarSeries, indices: Uint32Array): BarSeries {
  const picked = allocateBars(indices.length, bars.intervalMs, Object.keys(bars.columns));
  const from = namedColumns(bars);
  for (const [k, { values }] of namedColumns(picked).entries()) {
    const source = from[k]!.values;
    for (let i = 0; i < indices.length; i++) values[i] = source[indices[i]!]!;
  }
  return picked;
}

function outOfOrder(raw: RawBars, index: number): EngineError {
  const {
    bars: { time },
    rowName,
  } = raw;
  const fact = `timestamp ${isoTime(time[index]!)} is not after the one before (${isoTime(time[index - 1]!)})`;
  return invalid(`${rowName(index)}: ${fact}; ${clockHint(raw) ?? 'data import --sort sorts the rows'}`, index);
}

function repeated(raw: RawBars, before: number, index: number): EngineError {
  const {
    bars: { time },
    rowName,
  } = raw;
  const fact = `timestamp ${isoTime(time[index]!)} is a duplicate of the one before (${rowName(before)})`;
  return invalid(
    `${rowName(index)}: ${fact}; ${clockHint(raw) ?? 'data import --dedupe leaves repeated rows out'}`,
    index,
  );
}

function unequal(
  raw: RawBars,
  before: number,
  index: number,
  { name, values }: { readonly name: string; readonly values: Float64Array },
): EngineError {
  const {
    bars: { time },
    rowName,
  } = raw;
  const fact = `${name} of ${isoTime(time[index]!)} is ${values[index]}, but ${values[before]} in ${rowName(before)}`;
  return invalid(
    `${rowName(index)}: ${fact}; ${clockHint(raw) ?? 'data import --keep first or --keep last chooses'}`,
    index,
  );
}

/** Changes of the clock that a file of twenty-five years meets. */
const REPEATS_MAX = 400;

/** The flag for local times that a change of the clock repeats; undefined for any other repetition. */
function clockHint({ bars: { time }, timesAre }: RawBars): string | undefined {
  if (timesAre !== 'local') return undefined;
  const seen = new Set<number>();
  const again = new Set<number>();
  for (const ms of time) (seen.has(ms) ? again : seen).add(ms);
  const zones = again.size === 0 || again.size > REPEATS_MAX ? [] : zonesRepeating([...again]);
  if (zones.length === 0) return undefined;
  return `clocks that go back repeat such times, in ${zones.join(', ')} among others; data import --timezone ${zones[0]} reads them`;
}

const invalid = (message: string, bar: number): EngineError => new EngineError('INVALID_DATA', message, { bar });
