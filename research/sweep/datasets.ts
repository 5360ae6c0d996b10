import { type BarsSource, barsFor, generatedColumns, type StoredBars } from '../../data/bars/index.js';
import type { MarketData } from '../../data/providers/index.js';
import { cutWindow } from '../../engine/backtest/index.js';
import { EngineError, isRecord, quote, wrongField } from '../../engine/errors.js';
import { barFindings, finerFindings, type QualityFinding } from '../../engine/quality/index.js';
import {
  type BarSeries,
  closeOfLast,
  formatInterval,
  isoTime,
  parseInterval,
  type SharedBars,
  shareBars,
  sharedColumns,
} from '../../engine/series/index.js';
import { type SweepDataset, writtenConfig } from '../../engine/sweep/index.js';
import { resolveWindow, type WindowRequest } from '../window.js';
import { cutNotes, drawnNotes, loadSeries, requireOverlap } from '../window-bars.js';
import { readDatasetWindow } from './dataset-window.js';

/**
 * Source of bars for sweeps: the catalogue, or a port that caches series and the coarser ones
 * aggregated from them.
 */
export type SweepBars = Pick<MarketData, 'resolveSource' | 'load'> &
  Partial<Pick<MarketData, 'coarse'>> & {
    readonly drawn?: SweepBars | undefined;
  };

/** The bars that the runs of a sweep read. */
export const barsOfSweep = (sweep: unknown, store: SweepBars): SweepBars =>
  barsFor(store, writtenConfig(isRecord(sweep) ? sweep.execution_config : null).base);

/** The further series of a dataset, as they are loaded. */
export interface LoadedFurther {
  /** The names by which rules call the asset of the dataset itself. */
  readonly own: readonly string[];
  readonly others: Readonly<Record<string, BarSeries>>;
  /** By interval. */
  readonly details: Readonly<Record<string, BarSeries>>;
}

/** A dataset of a sweep, with its bars in a shared buffer. */
export interface LoadedDataset {
  readonly dataset: SweepDataset;
  /** The bars of its window, and all stored bars before. */
  readonly bars: BarSeries;
  readonly shared: SharedBars;
  /** Start of its window, epoch ms; -Infinity where all bars are tradable. */
  readonly startMs: number;
  /** Index of the first tradable bar. */
  readonly first: number;
  /** What of its window lies outside the data. */
  readonly notes: readonly string[];
  /** When the bars were stored, epoch ms; null where that is not known. */
  readonly heldAtMs: number | null;
  /** The further series that runs may read; absent where they read none. */
  readonly further?: LoadedFurther;
  /** What to know about the finer bars that these were made of. */
  readonly finerFindings: readonly QualityFinding[];
}

type Json = Readonly<Record<string, unknown>>;

/**
 * Loads the series that the datasets of a sweep name by asset and timeframe, each series once, and
 * cuts each to its window. `file`, `hash` and `rows` of an entry must match the series. An entry that
 * does not exist or match gives an error in its place, so that all errors can be listed.
 * @param sweep entries of its `datasets` that are not objects are skipped; the reader of the sweep
 *   reports them
 * @throws the reason of the signal
 */
export async function loadDatasets(
  sweep: unknown,
  store: SweepBars,
  signal?: AbortSignal,
): Promise<(LoadedDataset | EngineError)[]> {
  const held = new Map<string, LoadedDataset>();
  const loaded: (LoadedDataset | EngineError)[] = [];
  for (const entry of datasetEntries(sweep)) {
    signal?.throwIfAborted();
    try {
      const one = await loadDataset(entry, sweep, store, held);
      requireOneWindow(one, loaded);
      loaded.push(one);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      loaded.push(error);
    }
  }
  return loaded;
}

/** Tables and verdicts have one leader for each series, so a sweep has one window of it. */
function requireOneWindow(one: LoadedDataset, others: readonly (LoadedDataset | EngineError)[]): void {
  const { asset, timeframe } = one.dataset;
  const same = others.find(
    (other): other is LoadedDataset =>
      !(other instanceof EngineError) && other.dataset.asset === asset && other.dataset.timeframe === timeframe,
  );
  if (same === undefined || (same.first === one.first && same.bars.barCount === one.bars.barCount)) return;
  const [first, second] = [same, one].map(
    ({ bars, first: from, dataset }) => `${isoTime(bars.time[from] ?? NaN)} to ${dataset.end_date}`,
  );
  const message = `window of ${asset} ${timeframe} must be one in a sweep, ${first}, was also ${second}: sweep each by itself`;
  throw new EngineError('CONFLICT', message, { field: 'window' });
}

function datasetEntries(sweep: unknown): readonly Json[] {
  const entries = isRecord(sweep) ? sweep.datasets : undefined;
  return Array.isArray(entries) ? entries.filter(isRecord) : [];
}

/**
 * The datasets as the catalogue describes them, without their bars: enough to check all that a
 * configuration says.
 */
export async function describeDatasets(sweep: unknown, store: SweepBars): Promise<(SweepDataset | EngineError)[]> {
  const found: (SweepDataset | EngineError)[] = [];
  for (const entry of datasetEntries(sweep)) {
    try {
      found.push(await describeDataset(entry, sweep, store));
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      found.push(error);
    }
  }
  return found;
}

async function describeDataset(entry: Json, sweep: unknown, store: SweepBars): Promise<SweepDataset> {
  const { source, intervalMs } = await findSource(entry, sweep, store);
  const { firstMs, lastMs, intervalMs: storedMs } = source.entry;
  const dataset = toDataset(source.entry, { ...source.entry, intervalMs });
  // An aggregated series has another count of bars, and may begin or end elsewhere.
  requireSaid(entry, dataset, source.aggregateToMs === null ? SAID : ['file', 'hash']);
  const asked = readDatasetWindow(entry, sweep, dataset);
  const held = { fromMs: firstMs, toMs: lastMs + storedMs };
  await requireOverlap(asked, { asset: dataset.asset, intervalMs, interval: dataset.timeframe, held }, store);
  return dataset;
}

async function findSource(entry: Json, sweep: unknown, store: SweepBars) {
  const { asset, timeframe } = entry;
  if (typeof asset !== 'string') throw wrongField('asset', 'a text', asset);
  const intervalMs = parseInterval(timeframe, 'timeframe');
  // A dataset that names its file or hash means that series.
  const whole = await store.resolveSource(asset, intervalMs);
  if (entry.file !== undefined || entry.hash !== undefined) return { source: whole, intervalMs };
  // As for a single run: finer bars that begin earlier are taken where the window starts before the
  // coarse ones.
  const { lastMs, intervalMs: storedMs } = whole.entry;
  const { startMs } = resolveWindow(readDatasetWindow(entry, sweep, null), lastMs + storedMs);
  const source = Number.isFinite(startMs) ? await store.resolveSource(asset, intervalMs, startMs) : whole;
  return { source, intervalMs };
}

/**
 * @param held series loaded for earlier entries
 */
async function loadDataset(
  entry: Json,
  sweep: unknown,
  store: SweepBars,
  held: Map<string, LoadedDataset>,
): Promise<LoadedDataset> {
  const { source, intervalMs } = await findSource(entry, sweep, store);
  const key = `${source.entry.asset} ${intervalMs} ${source.entry.intervalMs}`;
  const whole = held.get(key) ?? (await loadWhole(source, intervalMs, store));
  held.set(key, whole);
  requireSaid(entry, whole.dataset, SAID);
  const one = inWindow(whole, readDatasetWindow(entry, sweep, whole.dataset));
  const notes = drawnNotes(source.entry, one.bars);
  return notes.length === 0 ? one : { ...one, dataset: { ...one.dataset, notes } };
}

/** A dataset with the bars of its window and their history. */
function inWindow(whole: LoadedDataset, asked: WindowRequest): LoadedDataset {
  const { bars, dataset } = whole;
  const range = { fromMs: bars.time[0] ?? Number.NaN, toMs: closeOfLast(bars) };
  const window = resolveWindow(asked, range.toMs);
  if (!Number.isFinite(window.startMs) && !Number.isFinite(window.endMs)) return whole;
  const cut = cutWindow(bars, window, dataset.asset);
  const isWhole = cut.first === 0 && cut.bars.barCount === bars.barCount;
  const notes = cutNotes(asked, range, bars.intervalMs).map((note) => note.replace('the run', 'its runs'));
  const { startMs } = window;
  const { start_date: start, end_date: end } = dataset;
  const windowed = { ...whole, dataset: { ...dataset, window: { start, end } }, startMs, first: cut.first, notes };
  return isWhole ? windowed : endingWith(windowed, cut.bars);
}

/** A dataset whose bars end earlier. */
export function endingWith(one: LoadedDataset, bars: BarSeries): LoadedDataset {
  const { dataset, first } = one;
  const start_date = isoDay(bars.time[first] ?? Number.NaN);
  const end_date = isoDay(closeOfLast(bars) - 1);
  const window = dataset.window && { window: { start: start_date, end: end_date } };
  const shorter = { ...dataset, rows: bars.barCount - first, start_date, end_date, ...window };
  return { ...one, bars, shared: shareBars(bars), dataset: shorter };
}

/** What an entry may say of its series beside asset and timeframe. */
const SAID = ['file', 'hash', 'rows'] as const;

function requireSaid(entry: Json, dataset: SweepDataset, fields: readonly (typeof SAID)[number][]): void {
  for (const field of fields) {
    const said = entry[field];
    if (said !== undefined && said !== dataset[field]) {
      const message = `${field} of ${dataset.asset} ${dataset.timeframe} is ${quote(dataset[field])}, was ${quote(said)}`;
      throw new EngineError('CONFLICT', message, { field });
    }
  }
}

async function loadWhole(source: BarsSource, intervalMs: number, store: SweepBars): Promise<LoadedDataset> {
  // Describe what was loaded, not what was found before: the series may have been replaced since.
  const { asset, added, intervalMs: storedMs } = source.entry;
  const query = { asset, intervalMs: storedMs, columns: added.map(({ column }) => column) };
  const { bars, entry, finer } = await loadSeries(store, query, source.aggregateToMs, sharedColumns);
  const dataset = toDataset(entry, {
    intervalMs,
    bars: bars.barCount,
    // biome-ignore lint/style/noNonNullAssertion: loading refuses a dataset without bars
    firstMs: bars.time[0]!,
    // biome-ignore lint/style/noNonNullAssertion: loading refuses a dataset without bars
    lastMs: bars.time[bars.barCount - 1]!,
  });
  const heldAtMs = entry.origin === undefined ? null : Date.parse(entry.origin.importedAt);
  const ofFiner = finer === undefined ? [] : finerFindings(finer, intervalMs);
  const uncut = { startMs: -Infinity, first: 0, notes: [] };
  return { dataset, bars, shared: shareBars(bars), ...uncut, heldAtMs, finerFindings: ofFiner };
}

/** An entry of `datasets` for a stored series. */
export const heldDataset = (stored: StoredBars): SweepDataset => toDataset(stored, stored);

/** A dataset as records of sweeps keep it: columns that were added since do not change it. */
export function recordedDataset({ added, generated: _, notes: __, columns, ...dataset }: SweepDataset): object {
  return { ...dataset, columns: columns.filter((name) => !Object.hasOwn(added, name)) };
}

/** The dataset made from stored bars, from first to last bar. */
function toDataset(
  { asset, file, contentHash, added, beside }: StoredBars,
  { intervalMs, bars, firstMs, lastMs }: Pick<StoredBars, 'intervalMs' | 'bars' | 'firstMs' | 'lastMs'>,
): SweepDataset {
  return {
    asset,
    timeframe: formatInterval(intervalMs),
    file,
    hash: `sha256:${contentHash}`,
    rows: bars,
    start_date: isoDay(firstMs),
    end_date: isoDay(lastMs + intervalMs - 1),
    columns: beside,
    added: Object.fromEntries(added.map((one) => [one.column, one.contentHash])),
    generated: generatedColumns({ added }),
  };
}

const isoDay = (ms: number): string => isoTime(ms).slice(0, 10);

/** What to know about the bars of each dataset before believing any run. */
export function dataWarnings(loaded: readonly LoadedDataset[]): string[] {
  const named = loaded.flatMap(({ dataset: { asset, timeframe }, bars, heldAtMs, finerFindings: ofFiner, notes }) =>
    [...notes, ...[...ofFiner, ...barFindings(bars, heldAtMs)].map(({ message }) => message)].map(
      (message) => `${asset} ${timeframe}: ${message}`,
    ),
  );
  return [...new Set(named)]; // a dataset may be listed twice
}
