// biome-ignore-all lint/style/noNonNullAssertion: every index lies within the column of times, and a zone has a span
import { EngineError, quote } from '../../engine/errors.js';
import { DAY_MS, isoTime, MINUTE_MS } from '../../engine/series/index.js';

/** A stretch of time in which a zone keeps one distance to UTC. */
interface Span {
  /** Epoch ms UTC at which it begins. */
  readonly fromMs: number;
  readonly offsetMs: number;
}

/** Milliseconds that local time is ahead of UTC at an instant. */
type OffsetAt = (utcMs: number) => number;

const fixedZone = /^([+-])(\d\d):?(\d\d)?$/;

/**
 * How far the clocks of a zone are ahead of UTC.
 * @throws INVALID_FIELD for a name that the IANA database does not have
 */
function offsets(zone: string): OffsetAt {
  const fixed = fixedZone.exec(zone);
  if (fixed !== null && +fixed[2]! <= 14 && +(fixed[3] ?? 0) <= 59) {
    const offsetMs = (fixed[1] === '-' ? -1 : 1) * (+fixed[2]! * 60 + +(fixed[3] ?? 0)) * MINUTE_MS;
    return () => offsetMs;
  }
  const clock = zoneClock(zone);
  return (utcMs) => {
    const parts = Object.fromEntries(clock.formatToParts(utcMs).map(({ type, value }) => [type, Number(value)]));
    const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(utcMs / 1_000) * 1_000;
  };
}

function zoneClock(timeZone: string): Intl.DateTimeFormat {
  const numeric = 'numeric' as const;
  const fields = { year: numeric, month: numeric, day: numeric, hour: numeric, minute: numeric, second: numeric };
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', calendar: 'gregory', ...fields });
  } catch {
    const rule = 'timezone must be an IANA name such as America/New_York, or a distance to UTC such as +02:00';
    throw new EngineError('INVALID_FIELD', `${rule}, was ${quote(timeZone)}`, { field: 'timezone' });
  }
}

/** Refuses a name that is no zone, before a file is read. */
export const checkTimezone = (zone: string): void => {
  offsets(zone);
};

/** No zone is farther from UTC. */
const FARTHEST_MS = DAY_MS;

/** The spans of a zone over the local times from..to. Clocks change at most once a day. */
function spansOver(offsetAt: OffsetAt, from: number, to: number): readonly Span[] {
  const start = from - FARTHEST_MS;
  const spans: Span[] = [{ fromMs: -Infinity, offsetMs: offsetAt(start) }];
  for (let day = start; day < to + FARTHEST_MS; day += DAY_MS) {
    const offsetMs = offsetAt(day + DAY_MS);
    if (offsetMs === spans.at(-1)!.offsetMs) continue;
    let [before, after] = [day, day + DAY_MS];
    while (after - before > 1_000) {
      const middle = before + Math.floor((after - before) / 2_000) * 1_000;
      if (offsetAt(middle) === offsetMs) after = middle;
      else before = middle;
    }
    spans.push({ fromMs: after, offsetMs });
  }
  return spans;
}

/**
 * Turns times of day of a zone into UTC, in place. When clocks go back, an hour comes twice: the
 * first row of such a time is the earlier instant, and a row that would not be after the one before
 * it (before it, in a file with the newest row first) is the later one. A row out of any order
 * takes the earlier. One look at the zone for each day, one at the changes of its clock for each
 * row.
 *
 * @param time local times, as if they were UTC
 * @throws INVALID_DATA for a time that the clocks of the zone skip
 */
export function toUtc(time: Float64Array, zone: string, rowName: (index: number) => string): void {
  if (time.length === 0) return;
  let [from, to] = [Infinity, -Infinity];
  for (const ms of time) [from, to] = [Math.min(from, ms), Math.max(to, ms)];
  const spans = spansOver(offsets(zone), from, to);
  const isNewestFirst = time.at(-1)! < time[0]!;
  const step = isNewestFirst ? -1 : 1;
  const end = isNewestFirst ? -1 : time.length;
  let last = -Infinity;
  for (let i = isNewestFirst ? time.length - 1 : 0; i !== end; i += step) {
    const instants = instantsAt(time[i]!, spans);
    if (instants.length === 0) throw skipped(time[i]!, zone, rowName(i));
    last = instants.find((ms) => ms > last) ?? instants[0]!;
    time[i] = last;
  }
}

/** The instants at which the clocks of a zone show a local time, in order. */
function instantsAt(local: number, spans: readonly Span[]): number[] {
  const found: number[] = [];
  for (let k = spans.findLastIndex(({ fromMs }) => fromMs - FARTHEST_MS <= local); k >= 0; k--) {
    const { fromMs, offsetMs } = spans[k]!;
    const utc = local - offsetMs;
    if (utc >= fromMs && utc < (spans[k + 1]?.fromMs ?? Infinity)) found.unshift(utc);
    if (fromMs + FARTHEST_MS < local) break; // earlier spans are over
  }
  return found;
}

function skipped(local: number, zone: string, row: string): EngineError {
  const shown = isoTime(local).replace('T', ' ').replace('Z', '');
  return new EngineError('INVALID_DATA', `${row}: timestamp ${shown} does not exist in ${zone}, whose clocks skip it`);
}

/** Zones that stand for others with the same changes, the best known first. */
const knownZones = ['Europe/London', 'Europe/Berlin', 'Europe/Athens', 'America/New_York', 'America/Chicago'];
const farZones = ['America/Denver', 'America/Los_Angeles', 'Australia/Sydney', 'Pacific/Auckland'];

/** The zones whose clocks show each of some local times twice: the best known, or else any. */
export function zonesRepeating(times: readonly number[]): readonly string[] {
  const known = [...knownZones, ...farZones];
  const repeats = (zone: string) => {
    const offsetAt = offsets(zone);
    return times.every((ms) => instantsAt(ms, spansOver(offsetAt, ms, ms)).length > 1);
  };
  const found = known.filter(repeats);
  return found.length > 0 ? found : Intl.supportedValuesOf('timeZone').filter(repeats).slice(0, 3);
}
