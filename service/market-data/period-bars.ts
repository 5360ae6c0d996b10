import type { MarketData } from '../../data/providers/index.js';
import { type BridgedMinutes, bridgedMinutes, type CountedBars, orNull } from '../../data/upstreams/trades/index.js';
import {
  allocateBars,
  type BarSeries,
  barAt,
  bucketStart,
  closeOfLast,
  firstBarFrom,
  MINUTE_MS,
  plainColumns,
  sliceBars,
} from '../../engine/series/index.js';

export interface PeriodBar {
  readonly startMs: number;
  /** Exclusive. */
  readonly endMs: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** In the base asset. */
  readonly volume: number;
  /** 0 where the trades were not recorded: a bar has at least one. */
  readonly trades: number;
}

/** A stretch of time without held bars. It is reported and never filled. */
export interface BarGap {
  readonly startMs: number;
  /** Exclusive. */
  readonly endMs: number;
  readonly bars: number;
}

/** Stored bars of one asset, from which the bars of a period can be made. */
export interface BarSource {
  /** Of the held bars; it divides the period. */
  readonly intervalMs: number;
  readonly firstMs: number;
  /** When the last held bar closes. */
  readonly closeMs: number;
  /** Whether the bars are drawn within coarser ones that are held. */
  readonly isGenerated: boolean;
  /** The bars that open in a window, at least the first `limit` of them; none is fine. */
  load(fromMs: number, toMs: number, limit?: number): Promise<BarSeries>;
  /** The number of trades in the held bar that opens at a time; 0 if unknown. */
  tradesAt(startMs: number): number;
}

interface PeriodBarsParts {
  /** Stored bars, in the order in which they are looked up. */
  readonly markets: readonly MarketData[];
  /** Bars of one minute made of recorded trades, which serve where no stored bars do. */
  readonly minuteBars: (instrument: string) => Promise<CountedBars | null>;
}

/** Looks up the bars of a period: bars of that length, else the coarsest finer ones, else drawn ones. */
export class PeriodBars {
  readonly #parts: PeriodBarsParts;

  constructor(parts: PeriodBarsParts) {
    this.#parts = parts;
  }

  /**
   * All from which bars of the period could be made, in the order in which they serve: held bars,
   * then bars drawn within held ones, from the finest.
   */
  async find(asset: string, instrument: string, periodMs: number): Promise<BarSource[]> {
    const found: BarSource[] = [];
    for (const market of this.#parts.markets) {
      const source = await storedSource(market, asset, periodMs);
      if (source !== null) found.push(source);
    }
    const counted = periodMs === MINUTE_MS && found.length === 0 ? await this.#parts.minuteBars(instrument) : null;
    if (counted !== null && counted.bars.barCount > 0) found.push(countedSource(counted));
    for (const market of this.#parts.markets) {
      found.push(...(await bridgedMinutes(market, asset, periodMs)).map(drawnSource));
    }
    return found;
  }
}

const drawnSource = (minutes: BridgedMinutes): BarSource => ({
  ...minutes,
  intervalMs: MINUTE_MS,
  isGenerated: true,
  tradesAt: () => 0,
});

async function storedSource(market: MarketData, asset: string, periodMs: number): Promise<BarSource | null> {
  const found = await market.resolveSource(asset, periodMs).catch(orNull('NOT_FOUND', 'INVALID_FIELD'));
  if (found === null) return null;
  const { intervalMs, firstMs, lastMs } = found.entry;
  return {
    intervalMs,
    firstMs,
    closeMs: lastMs + intervalMs,
    isGenerated: false,
    async load(fromMs, toMs) {
      const loaded = await market.load({ asset, intervalMs, fromMs, toMs }).catch(orNull('EMPTY_WINDOW'));
      return loaded?.bars ?? allocateBars(0, intervalMs, [], plainColumns);
    },
    tradesAt: () => 0,
  };
}

function countedSource({ bars, tradeCounts }: CountedBars): BarSource {
  return {
    intervalMs: bars.intervalMs,
    firstMs: barAt(bars, 0).time,
    closeMs: closeOfLast(bars),
    isGenerated: false,
    load: async (fromMs, toMs) => {
      const from = firstBarFrom(bars, fromMs);
      return sliceBars(bars, from, Math.max(from, firstBarFrom(bars, toMs)));
    },
    tradesAt: (startMs) => tradeCounts[firstBarFrom(bars, startMs)] ?? 0,
  };
}

/** The first `limit` held bars of a window, and the stretches without bars up to their end. */
export async function barsIn(source: BarSource, fromMs: number, toMs: number, limit: number) {
  const held = await source.load(fromMs, toMs, limit + 1);
  const bars = sliceBars(held, 0, Math.min(limit, held.barCount));
  const endMs = bars.barCount < held.barCount ? closeOfLast(bars) : toMs;
  const rows = Array.from({ length: bars.barCount }, (_, i) =>
    folded(source, sliceBars(bars, i, i + 1), barAt(bars, i).time),
  );
  return { bars: rows, gaps: gapsIn(bars, fromMs, endMs) };
}

/**
 * The bar of a period that starts at a time, made of the held bars in it; null where none is held,
 * or the held bars begin or end within the period.
 */
export async function barAtStart(source: BarSource, startMs: number, periodMs: number) {
  const endMs = startMs + periodMs;
  if (startMs < source.firstMs || endMs > source.closeMs) return null;
  const held = await source.load(startMs, endMs);
  if (held.barCount === 0) return null;
  return { bar: folded(source, held, startMs, periodMs), gaps: gapsIn(held, startMs, endMs) };
}

/** The last bar of a period that the held bars complete; null where they complete none. */
export async function lastBar(source: BarSource, periodMs: number) {
  const endMs = bucketStart(source.closeMs, periodMs);
  const newest = await barAtStart(source, endMs - periodMs, periodMs);
  if (newest !== null) return newest;
  const before = await source.load(source.firstMs, endMs); // the newest period has no bar: a hole
  if (before.barCount === 0) return null;
  return barAtStart(source, bucketStart(closeOfLast(before) - before.intervalMs, periodMs), periodMs);
}

/** One bar of consecutive held bars: first open, highest high, lowest low, last close, sums. */
function folded(source: BarSource, held: BarSeries, startMs: number, periodMs = held.intervalMs): PeriodBar {
  let [high, low, volume, trades] = [-Infinity, Infinity, 0, 0];
  for (let i = 0; i < held.barCount; i++) {
    const bar = barAt(held, i);
    high = Math.max(high, bar.high);
    low = Math.min(low, bar.low);
    volume += bar.volume;
    trades += source.tradesAt(bar.time);
  }
  const { open } = barAt(held, 0);
  const { close } = barAt(held, held.barCount - 1);
  return { startMs, endMs: startMs + periodMs, open, high, low, close, volume, trades };
}

/** The stretches of a window without held bars, its edges included. */
function gapsIn({ time, barCount, intervalMs }: BarSeries, fromMs: number, toMs: number): BarGap[] {
  const gaps: BarGap[] = [];
  let expectedMs = Math.ceil(fromMs / intervalMs) * intervalMs; // the next bar, if there is no gap
  for (const nextMs of [...time.subarray(0, barCount), Math.ceil(toMs / intervalMs) * intervalMs]) {
    const bars = Math.round((nextMs - expectedMs) / intervalMs);
    if (bars > 0) gaps.push({ startMs: expectedMs, endMs: expectedMs + bars * intervalMs, bars });
    expectedMs = nextMs + intervalMs;
  }
  return gaps;
}
