import { type BarsSource, generatedOf, type StoredBars } from '../../data/bars/index.js';
import type { MarketData } from '../../data/providers/index.js';
import {
  type BarSeries,
  barFindings,
  EngineError,
  finerFindings,
  formatInterval,
  isoTime,
  parseInterval,
  parseIsoTime,
  type QualityFinding,
  quote,
  type SharedBars,
  type SweepDataset,
  shareBars,
  sharedColumns,
  wrongField,
} from '../../engine/index.js';
import { loadSeries } from '../window-bars.js';

/**
 * Source of bars for sweeps: the catalogue, or a port that caches series and the coarser ones
 * aggregated from them.
 */
export type SweepBars = Pick<MarketData, 'resolveSource' | 'load'> & Partial<Pick<MarketData, 'coarse'>>;

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
  readonly bars: BarSeries;
  readonly shared: SharedBars;
  /** When the bars were stored, epoch ms; null where that is not known. */
  readonly heldAtMs: number | null;
  /** The further series that runs may read; absent where they read none. */
  readonly further?: LoadedFurther;
  /** What to know about the finer bars that these were made of. */
  readonly finerFindings: readonly QualityFinding[];
}

type Json = Readonly<Record<string, unknown>>;

/**
 * Loads the series that the entries of `datasets` name by asset and timeframe, each series once.
 * The other fields of an entry must match the series. An entry that does not exist or match gives
 * an error in its place, so that all errors can be listed.
 * @param json entries that are not objects are skipped; the reader of the sweep reports them
 * @throws the reason of the signal
 */
export async function loadDatasets(
  json: unknown,
  store: SweepBars,
  signal?: AbortSignal,
): Promise<(LoadedDataset | EngineError)[]> {
  const held = new Map<string, LoadedDataset>();
  const loaded: (LoadedDataset | EngineError)[] = [];
  for (const entry of Array.isArray(json) ? json.filter(isObject) : []) {
    signal?.throwIfAborted();
    try {
      loaded.push(await loadDataset(entry as Json, store, held));
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      loaded.push(error);
    }
  }
  return loaded;
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The datasets as the catalogue describes them, without their bars: enough to check all that a
 * configuration says.
 */
export async function describeDatasets(json: unknown, store: SweepBars): Promise<(SweepDataset | EngineError)[]> {
  const found: (SweepDataset | EngineError)[] = [];
  for (const entry of Array.isArray(json) ? json.filter(isObject) : []) {
    try {
      found.push(await describeDataset(entry as Json, store));
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      found.push(error);
    }
  }
  return found;
}

async function describeDataset(entry: Json, store: SweepBars): Promise<SweepDataset> {
  const { source, intervalMs } = await findSource(entry, store);
  const dataset = datasetOf(source.entry, { ...source.entry, intervalMs });
  // What is aggregated has another count of bars, and may begin or end elsewhere.
  requireSaid(entry, dataset, source.aggregateToMs === null ? SAID : ['file', 'hash']);
  return dataset;
}

async function findSource(entry: Json, store: SweepBars) {
  const { asset, timeframe } = entry;
  if (typeof asset !== 'string') throw wrongField('asset', 'a text', asset);
  const intervalMs = parseInterval(timeframe, 'timeframe');
  // As for a single run: finer bars that begin earlier are taken where the dataset starts before
  // the coarse ones. A dataset that names its file or hash means that series.
  const isListed = entry.file !== undefined || entry.hash !== undefined;
  const fromMs = typeof entry.start_date === 'string' && !isListed ? parseIsoTime(entry.start_date) : Number.NaN;
  return {
    source: await store.resolveSource(asset, intervalMs, Number.isNaN(fromMs) ? undefined : fromMs),
    intervalMs,
  };
}

/**
 * @param held series loaded for earlier entries
 */
async function loadDataset(entry: Json, store: SweepBars, held: Map<string, LoadedDataset>): Promise<LoadedDataset> {
  const { source, intervalMs } = await findSource(entry, store);
  const key = `${source.entry.asset} ${intervalMs} ${source.entry.intervalMs}`;
  const one = held.get(key) ?? (await loadWhole(source, intervalMs, store));
  held.set(key, one);
  requireSaid(entry, one.dataset, SAID);
  return one;
}

/** What an entry may say of its series beside asset and timeframe. */
const SAID = ['file', 'hash', 'rows', 'start_date', 'end_date'] as const;

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
  const dataset = datasetOf(entry, {
    intervalMs,
    bars: bars.barCount,
    // biome-ignore lint/style/noNonNullAssertion: loading refuses a dataset without bars
    firstMs: bars.time[0]!,
    // biome-ignore lint/style/noNonNullAssertion: loading refuses a dataset without bars
    lastMs: bars.time[bars.barCount - 1]!,
  });
  const heldAtMs = entry.origin === undefined ? null : Date.parse(entry.origin.importedAt);
  const ofFiner = finer === undefined ? [] : finerFindings(finer, intervalMs);
  return { dataset, bars, shared: shareBars(bars), heldAtMs, finerFindings: ofFiner };
}

/** An entry of `datasets` for a stored series. */
export const heldDataset = (stored: StoredBars): SweepDataset => datasetOf(stored, stored);

/** A dataset as records of sweeps keep it: columns that were added since do not change it. */
export function recordedDataset({ added, generated: _, columns, ...dataset }: SweepDataset): object {
  return { ...dataset, columns: columns.filter((name) => !Object.hasOwn(added, name)) };
}

/** The dataset made from stored bars, from first to last bar. */
function datasetOf(
  { asset, file, contentHash, added, beside }: StoredBars,
  { intervalMs, bars, firstMs, lastMs }: Pick<StoredBars, 'intervalMs' | 'bars' | 'firstMs' | 'lastMs'>,
): SweepDataset {
  return {
    asset,
    timeframe: formatInterval(intervalMs),
    file,
    hash: `sha256:${contentHash}`,
    rows: bars,
    start_date: dateOf(firstMs),
    end_date: dateOf(lastMs + intervalMs - 1),
    columns: beside,
    added: Object.fromEntries(added.map((one) => [one.column, one.contentHash])),
    generated: generatedOf({ added }),
  };
}

const dateOf = (ms: number): string => isoTime(ms).slice(0, 10);

/** What to know about the bars of each dataset before believing any run. */
export function dataWarnings(loaded: readonly LoadedDataset[]): string[] {
  const named = loaded.flatMap(({ dataset: { asset, timeframe }, bars, heldAtMs, finerFindings: ofFiner }) =>
    [...ofFiner, ...barFindings(bars, heldAtMs)].map(({ message }) => `${asset} ${timeframe}: ${message}`),
  );
  return [...new Set(named)]; // a dataset may be listed twice
}
