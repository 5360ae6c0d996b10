// biome-ignore-all lint/style/noNonNullAssertion: every index lies within the bars of the sheet
import { short } from './cell.js';
import { barAt } from './downsample.js';
import { type CloseupData, eventKinds, type PackedEvent } from './page-data.js';
import type { SheetEvent, SheetTrade, TearSheet } from './sheet.js';
import { TRADES_MAX } from './trades.js';

/** Maximum candles in a page; with more bars, each candle joins the same number of bars. */
const CANDLES_MAX = 500_000;
const BLOCK = 32;
const LEVELS = 255;
const RUNS_MAX = 20_000;

/**
 * The bars for the close-up of one trade, small enough to carry in the page: four bytes per candle.
 * Each price is a step, 0..255, between the lowest and highest price of its block of 32 candles.
 * That is finer than a pixel of the picture, and no displayed figure is read from it.
 */
export function closeupData(sheet: TearSheet): CloseupData {
  const { bars, trades, intervalMs } = sheet;
  const { time, open, high, low, close } = bars;
  const join = Math.max(1, Math.ceil(time.length / CANDLES_MAX));
  const candles = Math.ceil(time.length / join);
  const bytes = new Uint8Array(4 * candles);
  const heads = new DataView(new ArrayBuffer(8 * Math.ceil(candles / BLOCK)));
  for (let block = 0; block * BLOCK < candles; block++) {
    const end = Math.min((block + 1) * BLOCK * join, time.length);
    let bottom = Number.POSITIVE_INFINITY;
    let top = Number.NEGATIVE_INFINITY;
    for (let i = block * BLOCK * join; i < end; i++) {
      bottom = Math.min(bottom, low[i]!);
      top = Math.max(top, high[i]!);
    }
    const step = (top - bottom) / LEVELS || 1;
    heads.setFloat32(8 * block, bottom, true);
    heads.setFloat32(8 * block + 4, step, true);
    for (let c = block * BLOCK; c < Math.min((block + 1) * BLOCK, candles); c++) {
      const from = c * join;
      const to = Math.min(from + join, time.length);
      let highest = high[from]!;
      let lowest = low[from]!;
      for (let i = from + 1; i < to; i++) {
        highest = Math.max(highest, high[i]!);
        lowest = Math.min(lowest, low[i]!);
      }
      bytes[4 * c] = Math.round((open[from]! - bottom) / step);
      bytes[4 * c + 1] = Math.round((highest - bottom) / step);
      bytes[4 * c + 2] = Math.round((lowest - bottom) / step);
      bytes[4 * c + 3] = Math.round((close[to - 1]! - bottom) / step);
    }
  }
  const kept = trades.slice(0, TRADES_MAX);
  return {
    join,
    block: BLOCK,
    stepSeconds: (intervalMs * join) / 1000,
    runs: timeRuns(time, join, intervalMs),
    heads: Buffer.from(heads.buffer).toString('base64'),
    candles: Buffer.from(bytes).toString('base64'),
    entryBars: kept.map((trade) => barAt(time, trade.entry_time)),
    exitBars: kept.map((trade) => barAt(time, trade.exit_time)),
    events: packEvents(kept),
  };
}

/** Most events that the page holds; the trades after them have none. */
const EVENTS_MAX = 150_000;

function packEvents(trades: readonly SheetTrade[]): PackedEvent[][] {
  let room = EVENTS_MAX;
  return trades.map(({ events = [] }) => {
    room -= events.length;
    return room < 0 ? [] : events.map(packEvent);
  });
}

function packEvent({ kind, time, price, size, reason }: SheetEvent): PackedEvent {
  const head = [eventKinds.indexOf(kind), time / 1000, price === null ? null : short(price)] as const;
  if (reason !== undefined) return [...head, size === undefined ? null : short(size), reason];
  return size === undefined ? head : [...head, short(size)];
}

function timeRuns(time: Float64Array, join: number, intervalMs: number): [candle: number, seconds: number][] {
  const runs: [number, number][] = [];
  let expected = Number.NaN;
  for (let i = 0; i < time.length && runs.length < RUNS_MAX; i += join) {
    if (time[i] !== expected) runs.push([i / join, time[i]! / 1000]);
    expected = time[i]! + intervalMs * join;
  }
  return runs;
}

export const closeupFrame = `<div id="closeup" hidden><div class="controls"><h3>One trade</h3><output aria-live="polite"></output>
<button type="button" class="control" data-go="-1">Previous</button><label>No. <input class="control" type="number" min="1" step="1" inputmode="numeric"></label><button type="button" class="control" data-go="1">Next</button>
<button type="button" class="control" data-zoom="0.5">Closer</button><button type="button" class="control" data-zoom="2">Wider</button></div>
<div class="chart l"><div class="plot"></div></div><ol class="events"></ol></div>
`;
