import { type BarSeries, bucketStart, closeOfLast, DAY_MS, formatInterval, isoTime } from '../series/index.js';
import { counted, percentText, type QualityFinding } from './finding.js';

/** Bars on each side from which the usual range and volume of a bar are taken. */
const AROUND = 24;
/**
 * An extreme is an outlier this many usual ranges beyond both neighbours, per square root of the
 * volume in usual volumes. One of 753,000 recorded bars is; docs/data-quality.md has the rates.
 */
const OUTLIER_RANGES = 6;
/** In place of that root where bars have no volume. */
const UNKNOWN_CROWD = 4;
/** Smaller deviations are never outliers: log of the price ratio. */
const OUTLIER_MIN = 0.01;
/** Extremes within this factor of both neighbours need no division to be cleared. */
const SURELY_NEAR = 1 + 0.99 * OUTLIER_MIN;
/** Usual ranges between a close and the next open. No recorded bar has as many. */
const JUMP_RANGES = 2;
const JUMP_MIN = 0.003;
/** Ratios within this of 1 need no logarithm to be cleared. */
const SURELY_NO_JUMP = 0.99 * JUMP_MIN;
/** Bars in a row, or share of all bars, without volume that are worth a warning. */
const EMPTY_RUN_MIN = 20;
const EMPTY_SHARE_MIN = 0.01;
/** More bars in a row, or more time, make a hole worth a warning. */
const HOLE_BARS = 48;
const HOLE_MS = 10 * DAY_MS;
/** Share of all bars that exist, below which a market has closing hours and the time alone counts. */
const ROUND_THE_CLOCK_MIN = 0.9;
/** Times this little before the end of their interval are close times. */
const CLOSE_STAMP_MS = 1_000;

/**
 * Whether the bars look false, misplaced, unfinished or empty. Cost is one pass, and a sort of 48
 * values for each bar that stands out.
 *
 * @param heldAtMs when the bars were stored, epoch ms; null where that is not known
 */
export function barFindings(bars: BarSeries, heldAtMs: number | null): QualityFinding[] {
  return [
    ...[...outliers(bars), ...jumps(bars), ...misplaced(bars), ...unfinished(bars, heldAtMs), ...empty(bars)],
    ...holes(bars),
  ];
}

/**
 * Bars that reach far beyond both neighbours while no more was traded than usual. Prices do so in a
 * crash, but then the volume is many times the usual one.
 */
function outliers(bars: BarSeries): QualityFinding[] {
  const { high, low, barCount, time } = bars;
  const found: number[] = [];
  let worst = 0;
  let worstBar = -1;
  for (let i = 1; i < barCount - 1; i++) {
    const highest = Math.max(high[i - 1], high[i + 1]);
    const lowest = Math.min(low[i - 1], low[i + 1]);
    if (high[i] < SURELY_NEAR * highest && lowest < SURELY_NEAR * low[i]) continue;
    const beyond = Math.max(high[i] / highest, lowest / low[i]);
    if (beyond <= 1 + OUTLIER_MIN) continue;
    const limit = OUTLIER_RANGES * usualRange(bars, i);
    if (Math.log(beyond) <= limit || Math.log(beyond) <= limit * crowd(bars, i)) continue;
    found.push(i);
    if (beyond <= worst) continue;
    worst = beyond;
    worstBar = i;
  }
  if (found.length === 0) return [];
  const fact = `${counted(found.length, 'bar')} may hold a false price`;
  const place = `the worst reaches ${percentText(worst - 1)} beyond the bars around it at ${isoTime(time[worstBar])}`;
  const advice = 'a stop or target that it touches fills there';
  return [{ kind: 'outliers', count: found.length, bar: found[0], message: `${fact}: ${place}; ${advice}` }];
}

/** Closes that the next open leaves far behind although no bar is missing. */
function jumps(bars: BarSeries): QualityFinding[] {
  const { open, close, time, barCount, intervalMs } = bars;
  const found: number[] = [];
  for (let i = 1; i < barCount; i++) {
    const ratio = open[i] / close[i - 1];
    if (ratio > 1 - SURELY_NO_JUMP && ratio < 1 + SURELY_NO_JUMP) continue;
    const jump = Math.abs(Math.log(ratio));
    if (jump <= JUMP_MIN || time[i] - time[i - 1] !== intervalMs) continue;
    if (jump > JUMP_RANGES * usualRange(bars, i)) found.push(i);
  }
  if (found.length === 0) return [];
  const fact = `${counted(found.length, 'bar')} ${found.length === 1 ? 'opens' : 'open'} far from the close before`;
  const message = `${fact}, first at ${isoTime(time[found[0]])}: unfinished bars, or bars joined from two sources`;
  return [{ kind: 'jumps', count: found.length, bar: found[0], message }];
}

/** Median range of the bars around one, without it: log of high by low. */
const usualRange = (bars: BarSeries, bar: number): number =>
  // A logarithm keeps the order.
  Math.log(medianAround(bars, bar, ({ high, low }, i) => high[i] / low[i]));

/** Root of the volume of a bar in usual volumes, 1 or more. */
function crowd(bars: BarSeries, bar: number): number {
  const usual = medianAround(bars, bar, ({ volume }, i) => volume[i]);
  return usual > 0 ? Math.sqrt(Math.max(1, bars.volume[bar] / usual)) : UNKNOWN_CROWD;
}

function medianAround(bars: BarSeries, bar: number, measure: (bars: BarSeries, i: number) => number): number {
  const from = Math.max(0, bar - AROUND);
  const to = Math.min(bars.barCount, bar + AROUND + 1);
  const values = new Float64Array(to - from - 1);
  for (let i = from, k = 0; i < to; i++) if (i !== bar) values[k++] = measure(bars, i);
  return values.sort()[values.length >> 1];
}

/**
 * What to know about the finer bars that the bars of a run were made of: whether they lie on the
 * grid, which the coarser ones always do.
 */
export const finerFindings = (finer: BarSeries, coarseMs: number): QualityFinding[] =>
  misplaced(finer).map((finding) => {
    const from = `the ${formatInterval(coarseMs)} bars are made of ${formatInterval(finer.intervalMs)} bars`;
    return { ...finding, bar: 0, message: `${from}: ${finding.message}` };
  });

/** Bars off the grid of their interval; times at its very end are close times. */
function misplaced({ time, barCount, intervalMs }: BarSeries): QualityFinding[] {
  let first = -1;
  let count = 0;
  let atEnd = 0;
  for (let i = 0; i < barCount; i++) {
    const into = time[i] - bucketStart(time[i], intervalMs);
    if (into === 0) continue;
    if (count++ === 0) first = i;
    if (into >= intervalMs - CLOSE_STAMP_MS) atEnd++;
  }
  if (count === 0) return [];
  const grid = formatInterval(intervalMs);
  const place = `first ${isoTime(time[first])}`;
  if (atEnd > barCount / 2) {
    const message = `${counted(atEnd, 'bar')} seem to carry the time of their close (${place}): bars are read as opening at their time, so other columns and timeframes come one bar early`;
    return [{ kind: 'stamped-at-close', count: atEnd, bar: first, message }];
  }
  const message = `${counted(count, 'bar')} of ${barCount} ${count === 1 ? 'opens' : 'open'} off the ${grid} grid (${place}): coarser timeframes and other columns may not line up`;
  return [{ kind: 'off-grid', count, bar: first, message }];
}

function unfinished(bars: BarSeries, heldAtMs: number | null): QualityFinding[] {
  const close = closeOfLast(bars);
  if (heldAtMs === null || !(close > heldAtMs)) return [];
  const bar = bars.barCount - 1;
  const message = `the last bar closes at ${isoTime(close)}, after the bars were stored (${isoTime(heldAtMs)}): it was not finished, or carries the time of its close`;
  return [{ kind: 'unfinished', count: 1, bar, message }];
}

function empty({ volume, time, barCount }: BarSeries): QualityFinding[] {
  let count = 0;
  let first = -1;
  let longest = 0;
  let longestEnd = -1;
  for (let i = 0, run = 0; i < barCount; i++) {
    run = volume[i] === 0 ? run + 1 : 0;
    if (run === 0) continue;
    if (count++ === 0) first = i;
    if (run <= longest) continue;
    longest = run;
    longestEnd = i;
  }
  if (longest < EMPTY_RUN_MIN && !(longest > 1 && count >= EMPTY_SHARE_MIN * barCount)) return [];
  const from = isoTime(time[longestEnd - longest + 1]);
  const message =
    count === barCount
      ? 'no bar has a volume: rules over volume and shares of it mean nothing'
      : `${counted(count, 'bar')} have no volume, up to ${longest} in a row from ${from}: nothing was traded there, yet rules and fills use their prices`;
  return [{ kind: 'no-volume', count, bar: first, message }];
}

/** Bars that are missing in a row, for longer than the market may have been closed. */
function holes({ time, barCount, intervalMs }: BarSeries): QualityFinding[] {
  const span = (time[barCount - 1] - time[0]) / intervalMs + 1;
  const isAlwaysOpen = barCount >= ROUND_THE_CLOCK_MIN * span;
  const allowed = Math.min(Math.floor(HOLE_MS / intervalMs), isAlwaysOpen ? HOLE_BARS : Infinity);
  const found: number[] = [];
  let longest = 0;
  let longestEnd = 0;
  for (let i = 1; i < barCount; i++) {
    const missing = Math.floor((time[i] - time[i - 1]) / intervalMs) - 1;
    if (missing <= allowed) continue;
    found.push(i);
    if (missing <= longest) continue;
    longest = missing;
    longestEnd = i;
  }
  if (found.length === 0) return [];
  const [from, to] = [time[longestEnd - 1] + intervalMs, time[longestEnd]];
  const fact = `${counted(found.length, 'hole')} of more than ${allowed} bars, the longest of ${longest} from ${isoTime(from)} to ${isoTime(to)}`;
  const message = `${fact}: positions are held through, no stop acts inside, and what counts bars passes over it`;
  return [{ kind: 'holes', count: found.length, bar: found[0], message }];
}
