import { type BarSeries, firstBarFrom } from './bars.js';
import { bucketStart, DAY_MS } from './intervals.js';

/** Where a load of history begins: a day boundary, so that daily and coarser buckets are complete. */
export const historyStart = (startMs: number, reachMs: number): number => bucketStart(startMs - reachMs, DAY_MS);

/** Whether as many bars lie before `startMs` as `historyMs` has intervals. */
export const hasHistory = (bars: BarSeries, startMs: number, historyMs: number): boolean =>
  firstBarFrom(bars, startMs) >= Math.ceil(historyMs / bars.intervalMs);

/**
 * Index of the first bar that a run from `startMs` on reads, where all bars are at hand. Markets that
 * close at night or at weekends have fewer bars than their calendar has intervals, so the search
 * reaches back twice as far until it has found enough.
 */
export function historyFrom(bars: BarSeries, startMs: number, historyMs: number): number {
  const first = firstBarFrom(bars, startMs);
  const needed = Math.ceil(historyMs / bars.intervalMs);
  for (let reachMs = historyMs; ; reachMs *= 2) {
    const from = firstBarFrom(bars, historyStart(startMs, reachMs));
    if (from === 0 || first - from >= needed) return from;
  }
}
