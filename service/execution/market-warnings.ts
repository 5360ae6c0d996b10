import { type BarSeries, firstBarFrom, isoTime } from '../../engine/series/index.js';

/**
 * Reasons for which signals of live bars differ from a backtest's: a history shorter than the
 * warm-up, missing bars, and bars off the grid of their interval.
 * @param historyMs what the rules and the sizing need before the newest close
 */
export function marketWarnings(bars: BarSeries, historyMs: number): string[] {
  const { time, barCount, intervalMs } = bars;
  const newest = time[barCount - 1] ?? NaN;
  const neededFrom = newest + intervalMs - historyMs;
  const from = firstBarFrom(bars, neededFrom);
  const first = time[from] ?? NaN;
  const warnings: string[] = [];
  if (from === 0 && first - neededFrom >= intervalMs) {
    const needed = Math.ceil(historyMs / intervalMs);
    warnings.push(
      `history: ${barCount - from} bars are held, the rules and sizes need ${needed} to warm up and settle: signals may differ`,
    );
  }
  let missing = 0;
  let between: number | null = null;
  for (let bar = from; bar < barCount; bar++) {
    const at = time[bar] ?? NaN;
    if (bar > from) missing += Math.max(0, Math.round((at - (time[bar - 1] ?? at)) / intervalMs) - 1);
    if (between === null && (at - first) % intervalMs !== 0) between = at;
  }
  const span = `between ${isoTime(first)} and ${isoTime(newest)}`;
  if (missing > 0) warnings.push(`bars: ${missing} ${missing === 1 ? 'bar is' : 'bars are'} missing ${span}`);
  if (between !== null) warnings.push(`bars: the bar of ${isoTime(between)} opens between the bars of its interval`);
  return warnings;
}
