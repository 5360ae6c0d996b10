import type { BarSeries } from './bars.js';
import { ColumnMemory } from './column-memory.js';

/**
 * A series as it crosses threads: its buffer, which is shared and not copied, and the place of each
 * column in it.
 */
export interface SharedBars {
  readonly buffer: SharedArrayBuffer;
  readonly intervalMs: number;
  readonly barCount: number;
  /** Byte offsets by column. */
  readonly offsets: Readonly<Record<'time' | 'open' | 'high' | 'low' | 'close' | 'volume', number>>;
  readonly columnOffsets: Readonly<Record<string, number>>;
  readonly carried: readonly string[];
}

/**
 * Describes the series for another thread.
 * @throws Error when the columns are not all in one shared buffer, because they are ordinary arrays
 *   or belong to several series
 */
export function shareBars(bars: BarSeries): SharedBars {
  const { time, open, high, low, close, volume, columns, carried, intervalMs, barCount } = bars;
  const ofBar = { time, open, high, low, close, volume };
  const { buffer } = time;
  const owner = ColumnMemory.of(time);
  const isBeside = (column: Float64Array): boolean =>
    column.buffer === buffer || (owner !== undefined && ColumnMemory.of(column) === owner);
  if (!(buffer instanceof SharedArrayBuffer) || ![...Object.values(ofBar), ...Object.values(columns)].every(isBeside)) {
    throw new Error('the columns of the series are not all in one shared buffer');
  }
  const byteOffsets = (named: Readonly<Record<string, Float64Array>>) =>
    Object.fromEntries(Object.entries(named).map(([name, { byteOffset }]) => [name, byteOffset]));
  return {
    buffer,
    intervalMs,
    barCount,
    offsets: byteOffsets(ofBar) as SharedBars['offsets'],
    columnOffsets: byteOffsets(columns),
    carried,
  };
}

/** The series as this thread reads it: new arrays over the same buffer. */
export function viewBars({ buffer, intervalMs, barCount, offsets, columnOffsets, carried }: SharedBars): BarSeries {
  const view = (offset: number) => new Float64Array(buffer, offset, barCount);
  const { time, open, high, low, close, volume } = offsets;
  return {
    intervalMs,
    barCount,
    time: view(time),
    open: view(open),
    high: view(high),
    low: view(low),
    close: view(close),
    volume: view(volume),
    columns: Object.fromEntries(Object.entries(columnOffsets).map(([name, offset]) => [name, view(offset)])),
    carried,
  };
}
