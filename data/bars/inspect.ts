import { createHash } from 'node:crypto';
import { endianness } from 'node:os';
import { EngineError } from '../../engine/errors.js';
import {
  type BarSeries,
  bucketStart,
  DAY_MS,
  findGaps,
  formatInterval,
  type Gap,
  HOUR_MS,
  isoTime,
  MINUTE_MS,
  tryParseInterval,
  validateBars,
} from '../../engine/series/index.js';
import { BAR_COLUMNS, namedColumns } from './columns.js';
import type { TimeKind } from './time-cells.js';

const FIRST_MS = Date.UTC(1900, 0, 1);
const LAST_MS = Date.UTC(9999, 11, 31);
const intervalRule = 'whole minutes, hours or days, at most 99999';

/** Bars as read from a file: not yet checked, their interval not yet known (`intervalMs` is 0). */
export interface RawBars {
  readonly bars: BarSeries;
  /** How messages name bar i of the file. */
  readonly rowName: (index: number) => string;
  /** Columns of the file that were not read. */
  readonly ignoredColumns: readonly string[];
  readonly leftOut: LeftOut;
  /** The column of the volume, where a usual name and not the user chose it. */
  readonly volumeName?: string | undefined;
  /** What the times are before a time zone is given. */
  readonly timesAre: TimeKind;
  /** What a reader decided and a user should know. */
  readonly notes: readonly string[];
  /** The symbols that a column of the file has, also of rows that were not read. */
  readonly symbols?: readonly string[];
}

/** Lines of a file that are no bars, and bars that it repeats. */
export interface LeftOut {
  /** Lines around the header with other text. */
  readonly headerLines: number;
  /** Blank lines between rows, and rows without any price. */
  readonly emptyRows: number;
  /** Rows of a time that another row has. */
  readonly repeatedRows: number;
}

export const nothingLeftOut: LeftOut = { headerLines: 0, emptyRows: 0, repeatedRows: 0 };

/** Complete bars, with times in UTC. */
export const asRead = { ignoredColumns: [], leftOut: nothingLeftOut, timesAre: 'instant', notes: [] } as const;

/** Bars that meet every rule, and what a user should know about them. */
export interface InspectedBars {
  readonly bars: BarSeries;
  readonly gaps: readonly Gap[];
  readonly zeroVolumeBars: number;
  /** Bars whose open time is not a multiple of the interval. */
  readonly offGridBars: number;
  readonly contentHash: string;
  readonly ignoredColumns: readonly string[];
  readonly leftOut: LeftOut;
  /** What the reader decided and a user should know, such as ticks that stand in for a volume. */
  readonly notes: readonly string[];
}

/**
 * Checks raw bars and determines their interval: the given one, or the most frequent spacing.
 *
 * @throws INVALID_DATA naming the row that breaks a rule; bars are never repaired, sorted or filled
 */
export function inspectBars(read: RawBars, intervalMs?: number): InspectedBars {
  const { bars: raw, rowName, ignoredColumns, leftOut, notes } = read;
  if (intervalMs !== undefined && !isInterval(intervalMs)) {
    const rule = `interval must be ${intervalRule}`;
    throw new EngineError('INVALID_FIELD', `${rule}, was ${spacingText(intervalMs)}`, { field: 'interval' });
  }
  validateBars(raw, rowName);
  checkRange(raw.time, rowName);
  const bars = { ...raw, intervalMs: intervalMs ?? detectInterval(raw.time, rowName) };
  checkSpacing(bars, rowName, intervalMs !== undefined);
  makeCanonical(bars);
  return {
    bars,
    gaps: findGaps(bars),
    zeroVolumeBars: countWhere(bars.volume, (volume) => volume === 0),
    offGridBars: countWhere(bars.time, (time) => bucketStart(time, bars.intervalMs) !== time),
    contentHash: contentHash(bars),
    ignoredColumns,
    leftOut,
    notes,
  };
}

/** The same for bars at hand, whose columns it owns. */
export const checkBars = (bars: BarSeries, intervalMs?: number): InspectedBars =>
  inspectBars({ ...asRead, bars, rowName: (index) => `bar ${index}` }, intervalMs);

/**
 * The times ascend, so it checks the first and the last. A time outside the range means that its
 * unit was misread.
 */
function checkRange(time: Float64Array, rowName: (index: number) => string): void {
  for (const index of [0, time.length - 1]) {
    const ms = time[index] ?? NaN;
    if (ms >= FIRST_MS && ms <= LAST_MS) continue;
    const rule = `timestamp must be between ${isoTime(FIRST_MS)} and ${isoTime(LAST_MS)}`;
    throw new EngineError('INVALID_DATA', `${rowName(index)}: ${rule}, was ${isoTime(ms)}`, { bar: index });
  }
}

/** The most frequent spacing of ascending times; of equally frequent ones, the smallest. */
function detectInterval(time: Float64Array, rowName: (index: number) => string): number {
  if (time.length < 2)
    throw new EngineError('INVALID_DATA', `${rowName(0)}: is the only bar, so give its interval with --interval`);
  refuseMonths(time, rowName);
  const counts = new Map<number, number>();
  let before: number | null = null;
  for (const ms of time) {
    if (before !== null) counts.set(ms - before, (counts.get(ms - before) ?? 0) + 1);
    before = ms;
  }
  let best = 0;
  for (const [spacing, count] of counts) {
    const bestCount = counts.get(best) ?? 0;
    if (count > bestCount || (count === bestCount && spacing < best)) best = spacing;
  }
  if (isInterval(best)) return best;
  if (best < MINUTE_MS) {
    const rule = `bars of ${spacingText(best)} are not supported, the shortest interval is 1m`;
    throw new EngineError('INVALID_DATA', `${rowName(1)}: ${rule}; make longer bars of them first`);
  }
  throw new EngineError(
    'INVALID_DATA',
    `${rowName(1)}: interval must be ${intervalRule}, most bars are ${spacingText(best)} apart; --interval gives another`,
  );
}

/** The shortest month. */
const MONTH_MS = 28 * DAY_MS;

/** Calendar months, quarters and years differ in length, so they are no intervals. */
function refuseMonths(time: Float64Array, rowName: (index: number) => string): void {
  const isFirstOfMonth = (ms: number) => new Date(ms).getUTCDate() === 1 && ms % DAY_MS === 0;
  let before = -Infinity;
  for (const ms of time) {
    if (!isFirstOfMonth(ms) || ms - before < MONTH_MS) return;
    before = ms;
  }
  const rule = 'bars of months, quarters or years are not supported, since an interval has one length';
  throw new EngineError('INVALID_DATA', `${rowName(0)}: ${rule}; daily bars of the same time are`);
}

/**
 * Whether a length has the name of an interval: whole minutes, and few enough that the name parses
 * back.
 */
const isInterval = (ms: number): boolean => tryParseInterval(formatInterval(ms)) === ms;

/** No two bars may overlap. Bars off the grid are unusual but valid. */
function checkSpacing({ time, intervalMs }: BarSeries, rowName: (index: number) => string, isGiven: boolean): void {
  let before = -Infinity;
  for (const [i, ms] of time.entries()) {
    const spacing = ms - before;
    before = ms;
    if (spacing >= intervalMs) continue;
    const rule = `bars must be at least ${formatInterval(intervalMs)} apart (${isGiven ? 'as given' : 'the most frequent spacing'})`;
    const fact = `${isoTime(ms)} is ${spacingText(spacing)} after the one before`;
    throw new EngineError(
      'INVALID_DATA',
      `${rowName(i)}: ${rule}, ${fact}${spacingHint(intervalMs, spacing, isGiven)}`,
      {
        bar: i,
      },
    );
  }
}

/** How to read bars that are nearer than an interval: a flag only where it reads what was meant. */
function spacingHint(intervalMs: number, spacing: number, isGiven: boolean): string {
  const missing = intervalMs - spacing;
  if (intervalMs > HOUR_MS && (missing === HOUR_MS || missing === HOUR_MS / 2)) {
    const dates = intervalMs % DAY_MS === 0 ? '; write the date of each day without a time' : '';
    return `: the bars follow a clock that is put forward in spring, so they are not of one length${dates}`;
  }
  if (isGiven || intervalMs % spacing !== 0 || !isInterval(spacing)) return '';
  return `; data import --interval ${formatInterval(spacing)} reads them as such bars with gaps`;
}

/**
 * Gives every value one bit pattern: 0 for -0, and NaN for every cell of a further column that is
 * not a finite number. In place.
 */
function makeCanonical({ volume, columns }: BarSeries): void {
  volume.forEach((value, i) => {
    volume[i] = value + 0; // -0 + 0 is 0
  });
  for (const column of Object.values(columns)) {
    column.forEach((value, i) => {
      column[i] = Number.isFinite(value) ? value + 0 : NaN;
    });
  }
}

function countWhere(column: Float64Array, holds: (value: number) => boolean): number {
  let count = 0;
  for (const value of column) if (holds(value)) count++;
  return count;
}

/** A spacing as people write it. Unlike an interval, it need not be whole minutes. */
function spacingText(ms: number): string {
  for (const [unit, length] of [
    ['d', DAY_MS],
    ['h', HOUR_MS],
    ['m', MINUTE_MS],
    ['s', 1_000],
  ] as const) {
    if (ms % length === 0) return `${ms / length}${unit}`;
  }
  return `${ms}ms`;
}

const BLOCK_VALUES = 8_192;
const canonicalNaN = 0x7ff8_0000_0000_0000n;

/**
 * The identity of a series, independent of the file it came from. It is the SHA-256 in lower-case
 * hex over these bytes: the columns time (epoch ms), open, high, low, close and volume, one after
 * the other; then, for each further column, in the order of `inColumnOrder`, its name in ASCII and
 * the column. A column is its values as little-endian Float64, oldest first, with -0 as 0
 * and every NaN as 0x7ff8000000000000. Neither the interval nor the asset is part of it.
 *
 * For bars without further columns that is: `sha256(b"".join(column.astype("<f8").tobytes() for
 * column in columns))`.
 */
export function contentHash(bars: BarSeries): string {
  const hash = createHash('sha256');
  const block = new Float64Array(BLOCK_VALUES);
  const bits = new BigUint64Array(block.buffer);
  for (const [k, { name, values }] of namedColumns(bars).entries()) {
    if (k >= BAR_COLUMNS) hash.update(name); // tells apart the same values in two different columns
    for (let from = 0; from < values.length; from += BLOCK_VALUES) {
      const count = Math.min(BLOCK_VALUES, values.length - from);
      for (let i = 0; i < count; i++) {
        // biome-ignore lint/style/noNonNullAssertion: the loop ends at the length
        const value = values[from + i]!;
        if (Number.isNaN(value)) bits[i] = canonicalNaN;
        else block[i] = value + 0;
      }
      const bytes = Buffer.from(block.buffer, 0, count * 8);
      hash.update(endianness() === 'LE' ? bytes : bytes.swap64());
    }
  }
  return hash.digest('hex');
}
