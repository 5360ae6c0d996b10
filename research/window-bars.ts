import { type BarsQuery, drawnHint, drawnNote, type StoredBars } from '../data/bars/index.js';
import { cutWindow, emptyWindow, type Window, type WindowBars as WindowOfBars } from '../engine/backtest/index.js';
import { EngineError } from '../engine/errors.js';
import {
  type BarSeries,
  hasHistory,
  historyStart,
  isoTime,
  type sharedColumns,
  sliceBars,
} from '../engine/series/index.js';
import { aggregateBars } from '../engine/timeframes/index.js';
import { resolveWindow, type WindowRequest } from './window.js';

/** What a run must know about a series before it reads the bars. */
export type RunSeries = Pick<
  StoredBars,
  'asset' | 'interval' | 'intervalMs' | 'firstMs' | 'lastMs' | 'contentHash' | 'isSample'
> &
  Partial<Pick<StoredBars, 'added' | 'beside' | 'origin' | 'drawn'>>;

interface RunSource {
  readonly entry: RunSeries;
  /** Interval of the bars to be made of the stored ones; null for those as they are. */
  readonly aggregateToMs: number | null;
}

/** Aggregated bars, and the ones that they were made of. */
interface Coarsened {
  readonly bars: BarSeries;
  readonly finer?: BarSeries | undefined;
}

/** Source of bars for runs: the catalogue, the market-data port, or a single series. */
export interface RunBars {
  /** @param fromMs the start of the window, if one is given */
  resolveSource(asset: string, intervalMs: number, fromMs?: number): Promise<RunSource>;
  load(query: BarsQuery): Promise<{ readonly bars: BarSeries }>;
  /** The bars of `load` aggregated to `coarseMs`, if the source caches them. */
  coarse?(query: BarsQuery, coarseMs: number): Promise<Coarsened>;
  /** Current time for bars of the interval. Default: the close of the last stored bar. */
  nowMs?(asset: string, intervalMs: number): Promise<number>;
  /** The same with bars drawn where only coarser ones are held, for runs that allow them. */
  readonly drawn?: RunBars | undefined;
}

/** Bars of a window, and where they are from. */
export interface WindowBars extends WindowOfBars {
  /** The stored bars that these were made of, where they were aggregated. */
  readonly finer?: BarSeries | undefined;
  /** What to know where bars are drawn, or could be. */
  readonly notes?: readonly string[];
}

/**
 * Loads the bars of a window and as many bars before it as `historyMs` holds intervals, if the store
 * has them. The load begins at a day boundary, so that daily and coarser buckets are complete.
 * @param columns added columns to join to the bars, by name
 * @throws EngineError EMPTY_WINDOW if no complete bar lies in the window
 */
export async function loadWindow(
  store: Pick<RunBars, 'load' | 'coarse' | 'drawn'>,
  { entry, aggregateToMs }: RunSource,
  window: Window,
  historyMs: number,
  columns: readonly string[],
): Promise<WindowBars> {
  const { asset, interval, intervalMs, firstMs, lastMs } = entry;
  const held = { fromMs: firstMs, toMs: lastMs + intervalMs };
  const wanted = { asset, intervalMs: aggregateToMs ?? intervalMs, interval, held };
  const beyond = await requireInside(window, wanted, store);
  const { bars, finer } = await withHistory({ beginsMs: firstMs, startMs: window.startMs, historyMs }, (fromMs) => {
    const query: BarsQuery = {
      asset,
      intervalMs,
      ...(Number.isFinite(fromMs) ? { fromMs } : {}),
      ...(Number.isFinite(window.endMs) ? { toMs: window.endMs } : {}),
      columns,
    };
    return loadSeries(store, query, aggregateToMs);
  });
  const cut = cutWindow(bars, window, asset);
  return { ...cut, finer, notes: [...beyond, ...drawnNotes(entry, cut.bars)] };
}

interface History {
  /** Open of the first bar that is held; the search for more bars ends there. */
  readonly beginsMs: number;
  readonly startMs: number;
  /** As many bars as this has intervals are needed before `startMs`. */
  readonly historyMs: number;
}

/**
 * Loads a series with its history, counted in bars that exist: markets that close at night or at
 * weekends have fewer bars than their calendar has intervals, so the load reaches back further.
 * @param load loads the bars from a time on, a day boundary
 */
export async function withHistory<Found extends { readonly bars: BarSeries }>(
  { beginsMs, startMs, historyMs }: History,
  load: (fromMs: number) => Promise<Found>,
): Promise<Found> {
  for (let reachMs = historyMs; ; reachMs *= 2) {
    const fromMs = historyStart(startMs, reachMs);
    const found = await load(fromMs);
    // The search also ends where the window has no start.
    if (hasHistory(found.bars, startMs, historyMs) || !(fromMs > beginsMs)) return found;
  }
}

/**
 * Loads what a query asks for, aggregated to `coarseMs` unless that is null.
 * @param allocate columns of bars that are aggregated here
 */
export async function loadSeries<Found extends { readonly bars: BarSeries }>(
  store: {
    load(query: BarsQuery): Promise<Found>;
    coarse?(query: BarsQuery, coarseMs: number): Promise<Found & Coarsened>;
  },
  query: BarsQuery,
  coarseMs: number | null,
  allocate?: typeof sharedColumns,
): Promise<Found & Coarsened> {
  if (coarseMs !== null && store.coarse !== undefined) return store.coarse(query, coarseMs);
  const found = await store.load(query);
  if (coarseMs === null) return found;
  return { ...found, bars: aggregateBars(found.bars, coarseMs, allocate).bars, finer: found.bars };
}

/** What a store or file holds: the open of its first bar, the close of its last, epoch ms. */
export interface HeldRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * What of a window lies outside the data, in words, as the user gave it. A part shorter than a bar
 * is not worth a word.
 */
export function cutNotes(request: WindowRequest, { fromMs, toMs }: HeldRange, intervalMs: number): string[] {
  const { startMs, endMs } = resolveWindow(request, toMs);
  const notes: string[] = [];
  if (request.start !== undefined && startMs <= fromMs - intervalMs) {
    notes.push(
      `start ${request.start.trim()} is before the data, which begin at ${isoTime(fromMs)}: the run begins there`,
    );
  }
  if (request.lookbackMonths !== undefined && startMs <= fromMs - intervalMs) {
    notes.push(
      `${request.lookbackMonths} months back are before the data, which begin at ${isoTime(fromMs)}: the run begins there`,
    );
  }
  if (request.end !== undefined && endMs >= toMs + intervalMs) {
    notes.push(
      `end ${request.end.trim()} is after the data, whose last bar closes at ${isoTime(toMs)}: the run ends there and sells what it holds at that close (END)`,
    );
  }
  return notes;
}

/** What of the bars that a run reads is drawn, in words; empty where nothing is. */
export function drawnNotes(entry: Parameters<typeof drawnNote>[0], bars: BarSeries): string[] {
  const note = drawnNote(entry, bars.time);
  return note === null ? [] : [note];
}

/** A series in whose range a window must lie at least in part. */
interface Wanted {
  readonly asset: string;
  readonly intervalMs: number;
  /** Of its bars. */
  readonly interval: string;
  readonly held: HeldRange;
}

/**
 * @returns one line where bars beyond the held ones could be drawn for a part of the window
 * @throws EngineError EMPTY_WINDOW for a window wholly outside of the stored bars
 */
async function requireInside(
  window: Window,
  { asset, intervalMs, interval, held }: Wanted,
  { drawn }: Pick<RunBars, 'drawn'>,
): Promise<string[]> {
  const isInside = ({ fromMs, toMs }: HeldRange) => window.endMs > fromMs && window.startMs < toMs;
  const before = { fromMs: -Infinity, toMs: held.fromMs - intervalMs };
  const after = { fromMs: held.toMs + intervalMs, toMs: Infinity };
  const beyond = [before, after].filter(
    (side) => isInside(side) && Number.isFinite(side === before ? window.startMs : window.endMs),
  );
  if (isInside(held) && beyond.length === 0) return [];
  const entry = (await drawn?.resolveSource(asset, intervalMs))?.entry;
  const [within] = entry?.drawn?.within ?? [];
  const hint = within === undefined ? '' : drawnHint(within);
  const range = entry && { fromMs: entry.firstMs, toMs: entry.lastMs + entry.intervalMs };
  const isDrawable = range !== undefined && hint !== '' && isInside(range);
  if (isInside(held)) {
    const reaches = ({ fromMs, toMs }: HeldRange) => isDrawable && range.toMs > fromMs && range.fromMs < toMs;
    return beyond.some(reaches) ? [`the window goes beyond the held ${interval} bars of ${asset}${hint}`] : [];
  }
  const error = emptyWindow(`${interval} bar of ${asset}`, window, held.fromMs, held.toMs);
  throw isDrawable ? new EngineError(error.code, `${error.message}${hint}`, error.details) : error;
}

/** The same for a window as it was asked for. */
export const requireOverlap = (asked: WindowRequest, wanted: Wanted, store: Pick<RunBars, 'drawn'>) =>
  requireInside(resolveWindow(asked, wanted.held.toMs), wanted, store);

/**
 * Loads bars of any interval that open at or after the start of the window and close by its end,
 * clipped to the stored bars, with the added columns of these names.
 * @throws EngineError NOT_FOUND for an asset or interval without bars, EMPTY_WINDOW for a window
 *   without bars
 */
export type LoadBars = (
  asset: string,
  intervalMs: number,
  window: Window,
  columns?: readonly string[],
) => Promise<BarSeries>;

/** Loads bars from a store, aggregated if it holds only finer ones. */
export const storedBarLoader =
  (store: Pick<RunBars, 'resolveSource' | 'load' | 'coarse' | 'drawn'>): LoadBars =>
  async (asset, intervalMs, window, columns = []) =>
    withoutHistory(await loadWindow(store, await store.resolveSource(asset, intervalMs), window, 0, columns));

/** The bars of a series inside a window. @throws EngineError EMPTY_WINDOW if it has no bars */
export const within = (bars: BarSeries, window: Window, asset: string): BarSeries =>
  withoutHistory(cutWindow(bars, window, asset));

const withoutHistory = ({ bars, first }: WindowBars): BarSeries => sliceBars(bars, first, bars.barCount);
