import type { BarSeries, OnchainColumn } from './bars.js';
import { ColumnMemory, type WebAssemblyMemory } from './column-memory.js';

/** A series as it crosses threads: its memory, which is shared and not copied, and where the columns stand in it. */
export interface SharedBars {
  readonly memory: WebAssemblyMemory;
  readonly intervalMs: number;
  readonly barCount: number;
  /** Byte offsets by column. */
  readonly offsets: Readonly<Record<'time' | 'open' | 'high' | 'low' | 'close' | 'volume', number>>;
  readonly onchainOffsets: Readonly<Partial<Record<OnchainColumn, number>>>;
}

/** @throws Error when the columns are not in shared memory: the series was not made by `allocateBars` */
export function shareBars(bars: BarSeries): SharedBars {
  const owner = ColumnMemory.of(bars.time);
  const { time, open, high, low, close, volume, onchain, intervalMs, barCount } = bars;
  const columns = { time, open, high, low, close, volume };
  if (
    owner === undefined ||
    ![...Object.values(columns), ...Object.values(onchain)].every((c) => ColumnMemory.of(c) === owner)
  ) {
    throw new Error('the columns of the series do not stand in one shared memory');
  }
  const offsetsOf = (named: Readonly<Record<string, Float64Array>>) =>
    Object.fromEntries(Object.entries(named).map(([name, { byteOffset }]) => [name, byteOffset]));
  return {
    memory: owner.memory,
    intervalMs,
    barCount,
    offsets: offsetsOf(columns) as SharedBars['offsets'],
    onchainOffsets: offsetsOf(onchain),
  };
}

/** The series in this thread: new arrays over the same memory. */
export function viewBars({ memory, intervalMs, barCount, offsets, onchainOffsets }: SharedBars): BarSeries {
  ColumnMemory.adopt(memory);
  const view = (offset: number) => new Float64Array(memory.buffer, offset, barCount);
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
    onchain: Object.fromEntries(Object.entries(onchainOffsets).map(([name, offset]) => [name, view(offset)])),
  };
}
