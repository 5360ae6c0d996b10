// biome-ignore-all lint/style/noNonNullAssertion: every index lies within columns of one length

import { allocateBars, bucketStart, MINUTE_MS, sliceBars } from '../../../engine/series/index.js';
import {
  type RecordedQuotes,
  type RecordedTrades,
  readRecordedQuotes,
  readRecordedTrades,
} from '../../recordings/index.js';
import { recorded } from '../sourced.js';
import type { AboutPair, CountedBars, HistoryWindow, Pair, Quote, Trade, TradesPort } from './port.js';

/** The bundled markets and the name of their files. */
const recordedMarkets: Readonly<Record<string, string>> = { 'BTC/USDT': 'BTC', 'BTC-PERP/USDT': 'BTC-PERP' };

/** The bundled markets are quoted in USDT; USD names the same series. */
const heldQuotes: readonly string[] = ['USDT', 'USD'];

/** Of an asset or its perpetual; not of a pair such as BTC-USD. */
const baseName = /^[A-Z0-9][A-Z0-9._]*(-PERP)?$/;

/**
 * The market that a pair names among held data, such as `BTC/USDT` for BTC and USD; null for a pair
 * that can name none.
 */
export const heldInstrument = ({ base, quote }: Pair): string | null =>
  heldQuotes.includes(quote) && baseName.test(base) ? `${base}/USDT` : null;

/** Recorded trades and quotes, and bars made of them. */
interface HeldTrades extends TradesPort {
  /** The markets with recordings. */
  readonly instruments: readonly string[];
  /** Bars of the minutes that are recorded whole; null for a market without recorded trades. */
  minuteBars(instrument: string): Promise<CountedBars | null>;
}

/**
 * The recordings in `folder`, read on first use and then kept: some megabytes. An answer holds only
 * what was recorded.
 */
export function openHeldTrades(folder: string): HeldTrades {
  const loadTrades = keptBy((name) => readRecordedTrades(folder, name));
  const loadQuotes = keptBy((name) => readRecordedQuotes(folder, name));
  const loadMinutes = keptBy(async (name) => minuteBars(await loadTrades(name)));

  /** Rows of the table of a pair; `pick` chooses them. */
  async function about<Table extends Timed, Row>(
    pair: Pair,
    tableOf: (name: string) => Promise<Table>,
    pick: (time: Float64Array) => readonly number[],
    rowOf: (table: Table, index: number) => Row,
  ): AboutPair<Row> {
    const instrument = heldInstrument(pair) ?? '';
    const name = recordingName(instrument);
    if (name === null) return recorded(null, null);
    const table = await tableOf(name);
    const { time } = table;
    const indices = pick(time);
    const span = time.length === 0 ? null : { firstMs: cell(time, 0), lastMs: cell(time, time.length - 1) };
    const asOfMs = indices.length === 0 ? (span?.lastMs ?? null) : cell(time, Math.max(...indices));
    return recorded({ instrument, rows: indices.map((index) => rowOf(table, index)), held: span }, asOfMs);
  }

  return {
    instruments: Object.keys(recordedMarkets),
    latestTrade: (pair) => about(pair, loadTrades, last, tradeAt),
    trades: (pair, window) => about(pair, loadTrades, (time) => within(time, window), tradeAt),
    latestQuote: (pair) => about(pair, loadQuotes, last, quoteAt),
    quotes: (pair, window) => about(pair, loadQuotes, (time) => within(time, window), quoteAt),
    state: () => null,
    async minuteBars(instrument) {
      const name = recordingName(instrument);
      return name === null ? null : loadMinutes(name);
    },
  };
}

const recordingName = (instrument: string): string | null =>
  Object.hasOwn(recordedMarkets, instrument) ? (recordedMarkets[instrument] ?? null) : null;

/** Makes each value once; a failure is not kept. */
function keptBy<T>(make: (name: string) => Promise<T>): (name: string) => Promise<T> {
  const kept = new Map<string, Promise<T>>();
  return (name) => {
    const made = kept.get(name) ?? make(name);
    kept.set(name, made);
    made.catch(() => kept.delete(name));
    return made;
  };
}

interface Timed {
  readonly time: Float64Array;
}

const last = (time: Float64Array): number[] => (time.length === 0 ? [] : [time.length - 1]);

/** The indices of a window's rows, in its order. */
function within(time: Float64Array, { fromMs, toMs, isAscending, limit }: HistoryWindow): number[] {
  const from = firstFrom(time, fromMs);
  const to = firstFrom(time, toMs);
  const count = Math.max(0, Math.min(limit, to - from));
  return Array.from({ length: count }, (_, k) => (isAscending ? from + k : to - 1 - k));
}

/** Index of the first row at or after a time, by binary search. */
function firstFrom(time: Float64Array, ms: number): number {
  let from = 0;
  let to = time.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (time[middle]! < ms) from = middle + 1;
    else to = middle;
  }
  return from;
}

function tradeAt({ time, values }: RecordedTrades, index: number): Trade {
  return {
    timeMs: cell(time, index),
    price: cell(values.price, index),
    size: cell(values.quantity, index),
    // The maker is on the other side.
    takerSide: cell(values.buyer_is_maker, index) === 1 ? 'sell' : 'buy',
  };
}

function quoteAt({ time, values }: RecordedQuotes, index: number): Quote {
  return {
    timeMs: cell(time, index),
    askPrice: cell(values.ask_price, index),
    askSize: cell(values.ask_quantity, index),
    bidPrice: cell(values.bid_price, index),
    bidSize: cell(values.bid_quantity, index),
  };
}

const cell = (column: Float64Array, index: number): number => column[index]!;

/**
 * Bars of one minute from trades. A recording begins and ends within a minute, so the first and the
 * last minute give no bar; a minute without trades gives none either. O(trades).
 */
function minuteBars({ time, values: { price, quantity } }: RecordedTrades): CountedBars {
  const count = time.length;
  const fromMs = count === 0 ? Infinity : bucketStart(time[0]! - 1, MINUTE_MS) + MINUTE_MS;
  const toMs = count === 0 ? -Infinity : bucketStart(time[count - 1]!, MINUTE_MS);
  const minutes = Math.max(0, (toMs - fromMs) / MINUTE_MS);
  const bars = allocateBars(minutes, MINUTE_MS);
  const tradeCounts = new Float64Array(minutes);
  let k = -1; // the bar being made
  for (let i = 0; i < count; i++) {
    if (time[i]! < fromMs || time[i]! >= toMs) continue;
    const startMs = bucketStart(time[i]!, MINUTE_MS);
    if (k === -1 || bars.time[k] !== startMs) {
      k++;
      bars.time[k] = startMs;
      bars.open[k] = bars.high[k] = bars.low[k] = price[i]!;
      bars.volume[k] = 0;
    }
    bars.high[k] = Math.max(bars.high[k]!, price[i]!);
    bars.low[k] = Math.min(bars.low[k]!, price[i]!);
    bars.close[k] = price[i]!;
    bars.volume[k]! += quantity[i]!;
    tradeCounts[k]!++;
  }
  return { bars: sliceBars(bars, 0, k + 1), tradeCounts: tradeCounts.subarray(0, k + 1) };
}
