import { EngineError } from '../errors.js';
import { type BarSeries, DAY_MS, isoTime, parseIsoTime } from '../series/index.js';

/** Days of an asset that no run may touch until they are opened, once. */
export interface HeldOut {
  readonly asset: string;
  /** First and last UTC date, both included. */
  readonly from: string;
  readonly to: string;
  readonly days: number;
  readonly declared_at: string;
  /** The organization of a service that holds them out; absent for the home itself. */
  readonly organization?: string;
  /** Null until they are opened. */
  readonly opening: Opening | null;
}

/** The one use of held-out days. */
export interface Opening {
  readonly opened_at: string;
  /** Identity of the run for which they were opened: only that run can be completed. */
  readonly run: string;
  /** Its metrics; null while it runs, and after a crash. */
  readonly metrics: Readonly<Record<string, number | null>> | null;
}

/** What the fields of a window and the opening are called. */
interface HeldOutNames {
  readonly start: string;
  readonly end: string;
  readonly open: string;
}

/** As in requests to the service. */
export const requestNames: HeldOutNames = {
  start: 'start_date',
  end: 'end_date',
  open: 'a run with open_holdout',
};

/** Under which names a home has met the same bars. */
export interface SameBars {
  /**
   * Called with the bars that a run is about to trade or read. Remembers their course, and under
   * which names it has met the same bars: renamed, cut, aggregated or scaled.
   * @param asset normalised
   * @returns the name under which the run counts: its own, or another one for unnamed bars
   */
  meet(asset: string, bars: BarSeries): Promise<string>;
  /** The asset, and the other names of its bars. */
  namesOf(asset: string): Promise<readonly string[]>;
}

/** Where a home or an organization keeps its held-out days. */
export interface HeldOutDays extends Partial<Pick<SameBars, 'meet'>> {
  /** Default: as on the command line. */
  readonly names?: HeldOutNames;
  /** All that were ever held out of an asset, under any name of its bars. */
  of(asset: string): Promise<readonly HeldOut[]>;
  /** Holds days out from now on; known days stay as they are. */
  declare(days: HeldOut): Promise<void>;
}

export const HELD_OUT_DAYS_MAX = 3_650;

const start = ({ from }: HeldOut): number => parseIsoTime(from);
const endOf = ({ to }: HeldOut): number => parseIsoTime(to) + DAY_MS;
const date = (ms: number): string => isoTime(ms).slice(0, 10);

/**
 * Days that are known as data, such as in a thread; declarations are not kept.
 * @param sameBars which names the bars of an asset have; default: its own
 */
export const heldOutAmong = (known: readonly HeldOut[], names?: HeldOutNames, sameBars?: SameBars): HeldOutDays => ({
  ...(names === undefined ? {} : { names }),
  async of(asset) {
    const assets = (await sameBars?.namesOf(asset)) ?? [asset];
    return known.filter((days) => assets.includes(days.asset));
  },
  ...(sameBars === undefined ? {} : { meet: sameBars.meet }),
  declare: async () => {},
});

/** Such as `the days 2025-10-06 to 2026-01-03 of BTC`. */
export const heldOutText = ({ asset, from, to }: Pick<HeldOut, 'asset' | 'from' | 'to'>): string =>
  `the days ${from} to ${to} of ${asset}`;

/** What a sweep says of days that it holds out. */
export const heldOutNotice = (days: Pick<HeldOut, 'asset' | 'from' | 'to'>): string =>
  `${heldOutText(days)} are held out from now on: no run may touch them until barline holdout open`;

/** The days that a window of bars would touch, opened or not. */
const touched = (known: readonly HeldOut[], startMs: number, endMs: number): HeldOut[] =>
  known.filter((days) => startMs < endOf(days) && endMs > start(days));

/**
 * Refuses a run whose bars touch days that are still held out.
 * @param startMs open of its first bar to trade
 * @param endMs close of its last
 * @throws EngineError INVALID_FIELD that names the field to change and the dates
 */
export async function refuseHeldOut(
  heldOut: HeldOutDays,
  asset: string,
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
): Promise<void> {
  const known = (await heldOut.of(asset)).filter(({ opening }) => opening === null);
  const [days] = touched(known, startMs, endMs);
  if (days === undefined) return;
  const names = heldOut.names ?? { start: 'start', end: 'end', open: 'barline holdout open' };
  const isEnd = startMs < start(days);
  const field = isEnd ? names.end : names.start;
  const bound = isEnd ? `${date(start(days) - 1)} or earlier` : `${date(endOf(days))} or later`;
  const was = isEnd ? date(endMs - 1) : date(startMs);
  const message = `${field} must be ${bound}, was ${was}: ${heldOutText(days)} are held out, and ${names.open} uses them once`;
  throw new EngineError('INVALID_FIELD', message, { field });
}

/**
 * Refuses a bar of history that lies in days that are still held out. A bar that closed after they
 * were held out is not history: a live run goes on through it.
 * @param bar open and close
 */
export function refuseHeldOutBar(
  known: readonly HeldOut[],
  bar: { readonly startMs: number; readonly endMs: number },
): void {
  const [days] = touched(known, bar.startMs, bar.endMs).filter(
    ({ opening, declared_at }) => opening === null && bar.endMs <= Date.parse(declared_at),
  );
  if (days === undefined) return;
  const message = `bar must not be of days that are held out, was of ${isoTime(bar.startMs)}: ${heldOutText(days)} are, and barline holdout open uses them once`;
  throw new EngineError('INVALID_FIELD', message, { field: 'bar' });
}

/** The last days of a series, as a sweep holds them out. */
export function lastDays(asset: string, days: number, endMs: number, nowMs: number): HeldOut {
  const end = Math.ceil(endMs / DAY_MS) * DAY_MS;
  const [from, to] = [date(end - days * DAY_MS), date(end - 1)];
  return { asset, from, to, days, declared_at: isoTime(nowMs), opening: null };
}

/** What becomes of the bars of a sweep. */
interface HeldOutCut {
  /** The bars end before these days; null where nothing is cut. */
  readonly days: HeldOut | null;
  /** To be declared before the first run; null where they are known. */
  readonly declared: HeldOut | null;
  readonly warnings: readonly string[];
}

/**
 * Where a sweep must end on an asset.
 * @param asked `holdout` of the plan; null without one
 * @param wanted what it would hold out at the end of the data
 * @throws EngineError INVALID_FIELD where it would touch held-out days, or asks for other ones
 */
export function heldOutCut(
  known: readonly HeldOut[],
  asked: number | null,
  { wanted, startMs, endMs }: { readonly wanted: HeldOut | null; readonly startMs: number; readonly endMs: number },
): HeldOutCut {
  const met = touched(known, startMs, endMs);
  const held = met.find(({ opening }) => opening === null);
  const invalid = (message: string) => new EngineError('INVALID_FIELD', message, { field: 'holdout' });
  if (asked === null || wanted === null) {
    if (held === undefined) return { days: null, declared: null, warnings: [] };
    throw invalid(
      `holdout must be ${held.days}, was not given: ${heldOutText(held)} are held out, and the sweep would touch them`,
    );
  }
  if (held !== undefined) {
    if (held.days === asked) return { days: held, declared: null, warnings: [] };
    throw invalid(`holdout must be ${held.days}, was ${asked}: ${heldOutText(held)} are held out already`);
  }
  if (start(wanted) <= startMs) {
    throw invalid(`holdout must leave bars to search: ${heldOutText(wanted)} are all of its bars`);
  }
  const seen = touched(known, start(wanted), endOf(wanted)).at(-1);
  if (seen === undefined) {
    return { days: wanted, declared: wanted, warnings: [heldOutNotice(wanted)] };
  }
  if (seen.days !== asked) {
    throw invalid(`holdout must not reach into days that were opened: ${heldOutText(seen)} were`);
  }
  const warning = `${heldOutText(seen)} were opened on ${seen.opening?.opened_at.slice(0, 10)}: the sweep ends before them, but they test nothing any more`;
  return { days: seen, declared: null, warnings: [warning] };
}
