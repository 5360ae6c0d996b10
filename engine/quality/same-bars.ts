import { type BarSeries, DAY_MS } from '../series/index.js';
import { correlation } from '../statistics/index.js';

/** The course of a series: its last close of each UTC day that it has seen the end of. */
export interface Course {
  /** Days since 1970, ascending. */
  readonly days: Float64Array;
  /** Logarithms of the closes. */
  readonly logs: Float64Array;
}

/** Returns that two series must share before their correlation says that they are one market. */
const RETURNS_MIN = 30;
const CORRELATION_MIN = 0.999;
/** Shorter ones are one where these many returns, or more, are equal. */
const EQUAL_MIN = 3;
const EQUAL_WITHIN = 1e-6;

/** Bars of any interval that is a part of a day give the same course. O(bars). */
export function courseOfBars({ time, close, barCount, intervalMs }: BarSeries): Course {
  const days: number[] = [];
  const logs: number[] = [];
  for (let bar = 0; bar < barCount; bar++) {
    const endMs = time[bar] + intervalMs;
    const day = Math.ceil(endMs / DAY_MS) - 1;
    const lastOpen = (day + 1) * DAY_MS - intervalMs;
    while (bar + 1 < barCount && time[bar + 1] <= lastOpen) bar++;
    // The last day may go on.
    if ((bar + 1 < barCount || time[bar] === lastOpen) && close[bar] > 0) {
      days.push(day);
      logs.push(Math.log(close[bar]));
    }
  }
  return { days: Float64Array.from(days), logs: Float64Array.from(logs) };
}

/**
 * How two courses go together on the days that both have: 1 for the same prices, -1 for their
 * inverse, 0 for other markets. A scale changes nothing, and neither do days that one lacks.
 */
export function sameCourse(a: Course, b: Course): -1 | 0 | 1 {
  const [x, y] = sharedReturns(a, b);
  if (x.length < RETURNS_MIN) {
    const isEqual = x.every((one, i) => Math.abs(one - y[i]) <= EQUAL_WITHIN);
    return x.length >= EQUAL_MIN && isEqual && correlation(x, y) > 0 ? 1 : 0;
  }
  const together = correlation(x, y);
  return Math.abs(together) > CORRELATION_MIN ? (Math.sign(together) as -1 | 1) : 0;
}

/** Whether a course has all days of another one. */
export const includesDays = (whole: Course, part: Course): boolean =>
  sharedDays(whole, part)[0].length === part.days.length;

/** A course with the days of another one of the same market, at its own scale. */
export function joinCourses(own: Course, other: Course): Course {
  const [ofOwn, ofOther] = sharedDays(own, other);
  const last = ofOwn.length - 1;
  const scale = own.logs[ofOwn[last]] - other.logs[ofOther[last]];
  const isShared = new Set(ofOther);
  const places = Array.from(other.days.keys()).filter((place) => !isShared.has(place));
  const days = Float64Array.from([...own.days, ...places.map((place) => other.days[place])]);
  const logs = [...own.logs, ...places.map((place) => other.logs[place] + scale)];
  const inOrder = Array.from(days.keys()).sort((a, b) => days[a] - days[b]);
  return { days: Float64Array.from(days).sort(), logs: Float64Array.from(inOrder, (place) => logs[place]) };
}

/** The places of the days that both have, oldest first. */
function sharedDays({ days: a }: Course, { days: b }: Course): readonly [number[], number[]] {
  const [ofA, ofB]: [number[], number[]] = [[], []];
  for (let i = 0, k = 0; i < a.length && k < b.length; ) {
    if (a[i] === b[k]) {
      ofA.push(i++);
      ofB.push(k++);
    } else if (a[i] < b[k]) i++;
    else k++;
  }
  return [ofA, ofB];
}

/** From each shared day to the next. */
function sharedReturns(a: Course, b: Course): readonly [number[], number[]] {
  const [ofA, ofB] = sharedDays(a, b);
  const returns = ({ logs }: Course, places: readonly number[]) =>
    places.slice(1).map((place, i) => logs[place] - logs[places[i]]);
  return [returns(a, ofA), returns(b, ofB)];
}
