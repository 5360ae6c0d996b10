import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { EngineError, quote } from '../../engine/errors.js';
import {
  allocateBars,
  type BarSeries,
  isoTime,
  plainColumns,
  sliceBars,
  validateBars,
} from '../../engine/series/index.js';
import { unknownKeys, unknownKeyText } from '../../engine/unknown-keys.js';
import { type BarRow, readNumber, readTime } from '../bars/columns-in.js';

/** The bars that the rules of a live run have read, as plain data. */
export interface StoredBars {
  readonly intervalMs: number;
  readonly barCount: number;
  /** Names of the columns beside prices and volume. */
  readonly columns: readonly string[];
  /** Names of the columns that repeat the values of a slower source. */
  readonly carried: readonly string[];
  /**
   * `BLOCK` bars each, the last one fewer: time, open, high, low, close, volume and the columns one
   * after the other, 64-bit floats, the low byte first, deflated, as base64.
   */
  readonly blocks: readonly string[];
}

/** Bars of a block. A full one never changes, so a run encodes it once. */
const BLOCK = 1_024;
const KEYS = ['intervalMs', 'barCount', 'columns', 'carried', 'blocks'] as const;
const FLOAT_BYTES = 8;
const PRICES = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;

const columnsIn = (bars: BarSeries): Float64Array[] => [
  ...PRICES.map((name) => bars[name]),
  ...Object.values(bars.columns),
];

/** @param bars at most `BLOCK` of them */
function encodeBlock(bars: BarSeries): string {
  const bytes = columnsIn(bars).map((column) => new Uint8Array(Float64Array.from(column).buffer));
  return deflateRawSync(Buffer.concat(bytes), { level: 1 }).toString('base64');
}

const refuse = (message: string): EngineError => new EngineError('INVALID_FIELD', message, { field: 'account' });

/**
 * @param place where it stands, `account.bars.own`
 * @throws EngineError for data that `account()` did not return
 */
export function readStoredBars(stored: unknown, place: string): BarSeries {
  const wrong = (value: unknown) => refuse(`${place} must be as account() returned it, was ${quote(value)}`);
  if (typeof stored !== 'object' || stored === null) throw wrong(stored);
  const [unknown] = unknownKeys(place, stored, KEYS);
  if (unknown !== undefined) throw refuse(unknownKeyText(unknown));
  const { intervalMs, barCount, columns, carried, blocks } = stored as Partial<Record<keyof StoredBars, unknown>>;
  for (const list of [columns, carried, blocks]) if (!isTexts(list)) throw wrong(list);
  const [names, repeated, texts] = [columns, carried, blocks] as [string[], string[], string[]];
  const count = Number(barCount);
  const isSize = Number.isInteger(barCount) && Math.ceil(count / BLOCK) === texts.length;
  if (!isSize || !Number.isInteger(intervalMs)) throw wrong(isSize ? intervalMs : barCount);
  const bars = allocateBars(count, Number(intervalMs), names, plainColumns, repeated);
  for (const [place, text] of texts.entries()) {
    const from = place * BLOCK;
    const block = sliceBars(bars, from, Math.min(count, from + BLOCK));
    const values = decodeBlock(text, block.barCount * columnsIn(block).length);
    if (values === null) throw wrong(text);
    for (const [i, column] of columnsIn(block).entries())
      column.set(values.subarray(i * block.barCount, (i + 1) * block.barCount));
  }
  validateBars(bars, (i) => `${place}, bar ${i + 1}`);
  return bars;
}

const isTexts = (list: unknown): list is string[] =>
  Array.isArray(list) && list.every((each) => typeof each === 'string');

/** Null for a value that is no block of that many numbers. */
function decodeBlock(text: string, count: number): Float64Array | null {
  try {
    const bytes = inflateRawSync(Buffer.from(text, 'base64'), { maxOutputLength: count * FLOAT_BYTES });
    return bytes.length === count * FLOAT_BYTES ? new Float64Array(Uint8Array.from(bytes).buffer) : null;
  } catch {
    return null;
  }
}

interface Joined {
  readonly bars: BarSeries;
  /** The differences between the given bars and the account's own. */
  readonly warnings: readonly string[];
}

/**
 * The bars that an account has seen, and after them those given that are newer.
 * @param what the name of the option, for messages
 * @throws EngineError for another interval or other columns, and where every bar that both have differs
 */
export function joinBars(what: string, seen: BarSeries, given: BarSeries | undefined): Joined {
  if (given === undefined) return { bars: seen, warnings: [] };
  const names = Object.keys(seen.columns);
  const lacking = names.find((name) => given.columns[name] === undefined);
  if (given.intervalMs !== seen.intervalMs) {
    const [own, other] = [seen, given].map(({ intervalMs }) => `${intervalMs / 1000} s`);
    throw refuse(`${what} must have the interval of the account, ${own}, was ${other}`);
  }
  if (lacking !== undefined) throw refuse(`${what} lacks the column ${lacking}, which the account has`);
  const newest = seen.time[seen.barCount - 1] ?? -Infinity;
  let from = 0;
  while (from < given.barCount && (given.time[from] ?? NaN) <= newest) from++;
  const bars = allocateBars(seen.barCount + given.barCount - from, seen.intervalMs, names, plainColumns, seen.carried);
  const fresh = sliceBars(given, from, given.barCount);
  for (const name of PRICES) {
    bars[name].set(seen[name].subarray(0, seen.barCount));
    bars[name].set(fresh[name].subarray(0, fresh.barCount), seen.barCount);
  }
  for (const name of names) {
    bars.columns[name]?.set(seen.columns[name]?.subarray(0, seen.barCount) ?? []);
    bars.columns[name]?.set(fresh.columns[name]?.subarray(0, fresh.barCount) ?? [], seen.barCount);
  }
  return { bars, warnings: differences(what, seen, sliceBars(given, 0, from)) };
}

function differences(what: string, seen: BarSeries, given: BarSeries): string[] {
  let [place, shared, different] = [0, 0, 0];
  let first = '';
  for (let bar = 0; bar < given.barCount; bar++) {
    const time = given.time[bar] ?? NaN;
    while ((seen.time[place] ?? Infinity) < time) place++;
    if (seen.time[place] !== time) continue;
    shared++;
    const name = PRICES.find((each) => seen[each][place] !== given[each][bar]);
    if (name === undefined) continue;
    if (different++ === 0)
      first = `${isoTime(time)}, where ${name} is ${given[name][bar]} and was ${seen[name][place]}`;
  }
  if (different === 0) return [];
  if (different === shared && shared > 1)
    throw refuse(
      `${what} must be of the asset of the account: all ${shared} bars that both have differ, as at ${first}`,
    );
  const counted = `${different} of ${shared} bars`;
  return [`${what}: ${counted} differ from those that the account has seen, the first at ${first}; it keeps its own`];
}

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
