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
export const BLOCK = 1_024;
const KEYS = ['intervalMs', 'barCount', 'columns', 'carried', 'blocks'] as const;
const FLOAT_BYTES = 8;
const PRICES = ['time', 'open', 'high', 'low', 'close', 'volume'] as const;

const columnsIn = (bars: BarSeries): Float64Array[] => [
  ...PRICES.map((name) => bars[name]),
  ...Object.values(bars.columns),
];

/** @param bars at most `BLOCK` of them */
export function encodeBlock(bars: BarSeries): string {
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
