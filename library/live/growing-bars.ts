import { EngineError } from '../../engine/errors.js';
import {
  allocateBars,
  type BarSeries,
  isoTime,
  plainColumns,
  sliceBars,
  validateBars,
} from '../../engine/series/index.js';
import type { BarRow } from '../bars/bars.js';
import { readNumber, readTime } from '../bars/columns-in.js';
import { BLOCK, encodeBlock, type StoredBars } from './stored-bars.js';

/** A closed bar. */
export interface ClosedBar extends BarRow {
  /** Values of the columns beside the bars, by name; NaN or absent where the bar has none. */
  readonly columns?: Readonly<Record<string, number>>;
}

const ROOM = 1_024;
const NEW = 'the new bar';

/** Bars that grow at their end; a bar costs the same however many there are. */
export class GrowingBars {
  #room: BarSeries;
  #count: number;
  /** The full blocks so far, encoded. */
  readonly #blocks: string[] = [];

  constructor(history: BarSeries) {
    this.#count = history.barCount;
    this.#room = this.#copied(history, history.barCount + ROOM);
  }

  get count(): number {
    return this.#count;
  }

  first(count: number): BarSeries {
    return sliceBars(this.#room, 0, count);
  }

  /**
   * Adds a bar and returns all bars so far.
   * @throws EngineError INVALID_DATA for a bar that breaks a rule or is not after the one before
   */
  add(bar: ClosedBar): BarSeries {
    if (this.#count === this.#room.barCount) this.#room = this.#copied(this.#room, 2 * this.#count);
    const at = this.#count;
    const { time, open, high, low, close, volume, columns, intervalMs } = this.#room;
    time[at] = readTime(bar.time, NEW);
    open[at] = readNumber(bar.open, 'open', NEW);
    high[at] = readNumber(bar.high, 'high', NEW);
    low[at] = readNumber(bar.low, 'low', NEW);
    close[at] = readNumber(bar.close, 'close', NEW);
    volume[at] = readNumber(bar.volume ?? 0, 'volume', NEW) + 0;
    for (const [name, column] of Object.entries(columns)) column[at] = toCell(bar.columns?.[name]);
    const from = Math.max(0, at - 1);
    const last = sliceBars(this.#room, from, at + 1);
    const newest = isoTime(last.time[last.barCount - 1] ?? NaN);
    validateBars(last, () => `bar ${newest}`);
    const spacing = last.barCount < 2 ? intervalMs : (last.time[1] ?? NaN) - (last.time[0] ?? NaN);
    if (spacing < intervalMs) {
      const rule = `time must be at least ${intervalMs / 1000} s after the bar before it`;
      throw new EngineError('INVALID_DATA', `bar ${newest}: ${rule}, was ${spacing / 1000} s`, { field: 'time' });
    }
    this.#count++;
    return this.first(this.#count);
  }

  /** All bars as plain data; bars that were stored before cost nothing again. */
  stored(): StoredBars {
    while (this.#blocks.length < Math.floor(this.#count / BLOCK)) this.#blocks.push(this.#block(this.#blocks.length));
    const rest = this.#count % BLOCK === 0 ? [] : [this.#block(this.#blocks.length)];
    const { intervalMs, columns, carried } = this.#room;
    return {
      ...{ intervalMs, barCount: this.#count, columns: Object.keys(columns), carried: [...carried] },
      blocks: [...this.#blocks, ...rest],
    };
  }

  #block(place: number): string {
    return encodeBlock(sliceBars(this.#room, place * BLOCK, Math.min(this.#count, (place + 1) * BLOCK)));
  }

  #copied(bars: BarSeries, room: number): BarSeries {
    const names = Object.keys(bars.columns);
    const grown = allocateBars(room, bars.intervalMs, names, plainColumns, bars.carried);
    const held = sliceBars(bars, 0, this.#count);
    for (const name of ['time', 'open', 'high', 'low', 'close', 'volume'] as const) grown[name].set(held[name]);
    for (const [name, column] of Object.entries(held.columns)) grown.columns[name]?.set(column);
    return grown;
  }
}

const toCell = (value: number | undefined): number =>
  typeof value === 'number' && Number.isFinite(value) ? value + 0 : NaN;
