import type { MarketData } from '../data/providers/index.js';
import { type BarSeries, bucketStart, EngineError, firstBarFrom, isoTime, sliceBars } from '../engine/index.js';
import { loadBars, type RunBars } from './backtest/prepare-run.js';
import type { Window } from './window.js';

/**
 * Bars of any interval that open at or after the window's start and close by its end, clipped to
 * what there is.
 * @throws EngineError NOT_FOUND for an asset or interval without bars, EMPTY_WINDOW for a window
 *   without any
 */
export type LoadBars = (asset: string, intervalMs: number, window: Window) => Promise<BarSeries>;

/** Bars of a store, aggregated where it holds finer ones only. */
export function storedBarLoader(store: Pick<MarketData, 'resolveSource'> & Pick<RunBars, 'load' | 'coarse'>): LoadBars {
  return async (asset, intervalMs, { startMs, endMs }) => {
    const { entry, aggregateToMs } = await store.resolveSource(asset, intervalMs);
    // A bucket that does not begin with its own first bar is dropped, so the first one is loaded
    // whole.
    const fromMs = Number.isFinite(startMs) ? bucketStart(startMs, intervalMs) : -Infinity;
    const bars = await loadBars(store, { asset, intervalMs: entry.intervalMs, fromMs, toMs: endMs }, aggregateToMs);
    return within(bars, { startMs, endMs }, asset);
  };
}

/** The bars of a series that a window holds; EMPTY_WINDOW when it holds none. */
export function within(bars: BarSeries, { startMs, endMs }: Window, asset: string): BarSeries {
  const first = firstBarFrom(bars, startMs);
  const end = firstBarFrom(bars, endMs - bars.intervalMs + 1);
  if (first < end) return sliceBars(bars, first, end);
  throw new EngineError(
    'EMPTY_WINDOW',
    `no whole bar of ${asset.slice(0, 80)} lies between ${isoTime(startMs)} and ${isoTime(endMs)}`,
  );
}
