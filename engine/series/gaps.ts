import type { BarSeries } from './bars.js';

/**
 * A hole on the interval grid: the open times of its first and last missing bar, and how many are
 * missing.
 */
export interface Gap {
  readonly firstMissing: number;
  readonly lastMissing: number;
  readonly bars: number;
}

/** The holes between bars of ascending time. They are reported and never filled. O(bars). */
export function findGaps({ time, intervalMs }: BarSeries): Gap[] {
  const gaps: Gap[] = [];
  let expected = Infinity;
  for (const ms of time) {
    const bars = Math.floor((ms - expected) / intervalMs);
    if (bars >= 1) gaps.push({ firstMissing: expected, lastMissing: expected + (bars - 1) * intervalMs, bars });
    expected = ms + intervalMs;
  }
  return gaps;
}
