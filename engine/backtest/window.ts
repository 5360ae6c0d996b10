import { EngineError } from '../errors.js';
import { type BarSeries, firstBarFrom, formatInterval, isoTime, sliceBars } from '../series/index.js';

/**
 * Tradable bars open at or after `startMs` and close at or before `endMs`. An infinite end means no
 * limit.
 */
export interface Window {
  readonly startMs: number;
  readonly endMs: number;
}

/** The bars of a window and the history before it. */
export interface WindowBars {
  readonly bars: BarSeries;
  /** Index of the first bar of the window; the bars before it are history. */
  readonly first: number;
}

/**
 * Drops the bars that close after the window, and finds the first bar that opens in it.
 * @throws EngineError EMPTY_WINDOW if no complete bar lies in the window
 */
export function cutWindow(bars: BarSeries, window: Window, asset: string): WindowBars {
  const first = firstBarFrom(bars, window.startMs);
  const end = firstBarFrom(bars, window.endMs - bars.intervalMs + 1);
  if (first >= end) {
    throw emptyWindow(
      `${formatInterval(bars.intervalMs)} bar of ${asset}`,
      window,
      bars.time[0] ?? NaN,
      (bars.time[bars.barCount - 1] ?? NaN) + bars.intervalMs,
    );
  }
  return { bars: end === bars.barCount ? bars : sliceBars(bars, 0, end), first };
}

export function emptyWindow(what: string, window: Window, heldFromMs: number, heldToMs: number): EngineError {
  const text = (ms: number) => (Number.isFinite(ms) ? isoTime(ms) : 'the end of the data');
  return new EngineError(
    'EMPTY_WINDOW',
    `no complete ${what} lies between ${text(window.startMs)} and ${text(window.endMs)}; the data has ${text(heldFromMs)} to ${text(heldToMs)}`,
  );
}
