import { generatedColumns, normaliseAsset } from '../../data/bars/index.js';
import { EngineError } from '../../engine/errors.js';
import {
  type BarSeries,
  bucketStart,
  closeOfLast,
  DAY_MS,
  firstBarFrom,
  formatInterval,
  isoTime,
  parseInterval,
  type sharedColumns,
  sliceBars,
} from '../../engine/series/index.js';
import {
  type AssetRead,
  assetsRead,
  columnsRead,
  generatedColumn,
  type OtherBars,
  type StrategyDefinition,
  silentAfterMs,
} from '../../engine/strategy/index.js';
import { drawnNotes, loadSeries, type RunBars, withHistory } from '../window-bars.js';
import { dataRead } from './data-read.js';

/** A whole series in memory; the bars before the window are history. */
export interface HeldBars {
  readonly bars: BarSeries;
  readonly contentHash: string;
  /** What the record of a run calls it. */
  readonly source: string;
  /** When the bars were stored, epoch ms, if that is known. */
  readonly heldAtMs?: number | undefined;
}

/** A series that a run reads beside its own bars. */
export interface SeriesRead {
  readonly asset: string;
  readonly interval: string;
  /** Interval of the stored bars if these were aggregated from them, else null. */
  readonly aggregated_from: string | null;
  readonly content_hash: string;
  /** Whether rules read it, or the order of events inside bars. */
  readonly use: 'rules' | 'detail';
}

/** Series at hand, which are used instead of stored ones. */
export interface FurtherBars {
  /** Bars of the assets that rules name. */
  readonly otherBars?: Readonly<Record<string, HeldBars>> | undefined;
  /** Bars of the interval that `detail_interval` names. */
  readonly detailBars?: HeldBars | undefined;
}

/** The bars of one further series, or where to find them. */
type Source =
  | { readonly kind: 'own' }
  | { readonly kind: 'held'; readonly held: HeldBars }
  | ({ readonly kind: 'stored'; readonly columns: readonly string[] } & Awaited<ReturnType<RunBars['resolveSource']>>);

/** Where a run finds its further series, before any bar is read. */
export interface FurtherSources {
  /** The run's interval. */
  readonly asset: string;
  /** By the name that the rules use. */
  readonly others: ReadonlyMap<string, Source>;
  readonly detail: Source | null;
  /** Names of the columns of each asset that rules name. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
  /** One line for each column that rules read and a generator drew. */
  readonly warnings: readonly string[];
}

interface Place {
  readonly asset: string;
  readonly intervalMs: number;
  /** Columns of the run's own bars. */
  readonly columns: readonly string[];
}

/** An asset that rules name, with the columns beside its bars that they read. */
interface AssetColumns extends AssetRead {
  readonly columns: readonly string[];
}

/** The assets that the rules of a definition name. */
export const assetColumns = (strategy: StrategyDefinition, intervalMs: number): AssetColumns[] =>
  assetsRead(strategy, intervalMs).map((read) => ({ ...read, columns: columnsRead(strategy, read.asset) }));

/**
 * Finds the series of the assets that rules name, and the finer bars of `detail_interval`.
 * @throws EngineError naming the field and the import that brings a series which is missing
 */
export async function findFurther(
  store: Pick<RunBars, 'resolveSource'>,
  reads: readonly AssetColumns[],
  detailInterval: string | null,
  { asset, intervalMs, columns }: Place,
  { otherBars = {}, detailBars }: FurtherBars = {},
): Promise<FurtherSources> {
  const others = new Map<string, Source>();
  const isOwn = (name: string) => name === asset || normaliseAsset(name) === normaliseAsset(asset);
  for (const read of reads) {
    const name = read.asset;
    const held = otherBars[name];
    if (isOwn(name)) others.set(name, { kind: 'own' });
    else if (held !== undefined) others.set(name, { kind: 'held', held: serving(read, held) });
    else {
      const found = await storedFor(store, read, intervalMs);
      others.set(name, { kind: 'stored', columns: read.columns, ...found });
    }
  }
  const sourceColumns = (source: Source): readonly string[] => {
    if (source.kind === 'own') return columns;
    return source.kind === 'held' ? Object.keys(source.held.bars.columns) : (source.entry.beside ?? []);
  };
  return {
    asset,
    others,
    detail: detailInterval === null ? null : await findDetail(store, detailInterval, asset, detailBars),
    columns: Object.fromEntries([...others].map(([name, source]) => [name, sourceColumns(source)])),
    warnings: [...others].flatMap(([name, source]) => {
      if (source.kind !== 'stored') return [];
      const generated = generatedColumns({ added: source.entry.added ?? [] });
      return source.columns
        .filter((column) => generated.includes(column))
        .map((column) => generatedColumn(column, name));
    }),
  };
}

async function findDetail(
  store: Pick<RunBars, 'resolveSource'>,
  interval: string,
  asset: string,
  held: HeldBars | undefined,
): Promise<Source> {
  const detailMs = parseInterval(interval);
  if (held === undefined) {
    return { kind: 'stored', columns: [], ...(await stored(store, asset, detailMs, 'detail_interval')) };
  }
  if (held.bars.intervalMs === detailMs) return { kind: 'held', held };
  const given = formatInterval(held.bars.intervalMs);
  throw new EngineError('INVALID_FIELD', `detailBars must have the interval ${interval}, was ${given}`, {
    field: 'detailBars',
  });
}

/** Bars at hand, if the bars that the rules read can be made of them. */
function serving({ asset, timeframesMs }: AssetRead, held: HeldBars): HeldBars {
  const { intervalMs } = held.bars;
  const missing = timeframesMs.find((ms) => ms % intervalMs !== 0);
  if (missing === undefined) return held;
  const field = `otherBars.${asset}`;
  const bound = `an interval that divides ${formatInterval(missing)}`;
  throw new EngineError('INVALID_FIELD', `${field} must have ${bound}, was ${formatInterval(intervalMs)}`, { field });
}

/**
 * Stored bars on the interval of the run, or on the shortest timeframe of the rules where only
 * coarser bars are held.
 */
async function storedFor(store: Pick<RunBars, 'resolveSource'>, read: AssetRead, intervalMs: number) {
  const { asset, place, timeframesMs } = read;
  const shortest = Math.min(...timeframesMs);
  const isServed = timeframesMs.length > 0 && timeframesMs.every((ms) => ms % shortest === 0);
  if (!isServed || shortest === intervalMs) return stored(store, asset, intervalMs, place);
  try {
    return await store.resolveSource(asset, intervalMs);
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'NOT_FOUND') throw error;
    return stored(store, asset, shortest, place);
  }
}

async function stored(store: Pick<RunBars, 'resolveSource'>, asset: string, intervalMs: number, field: string) {
  try {
    return await store.resolveSource(asset, intervalMs);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    const remedy = `import them with: barline data import FILE --asset ${asset} --interval ${formatInterval(intervalMs)}`;
    throw new EngineError(error.code, `${field}: ${error.message}; ${remedy}`, { ...error.details, field });
  }
}

/** The further series of a run. */
interface FurtherSeries {
  readonly others: OtherBars;
  readonly detail: BarSeries | undefined;
  readonly read: readonly SeriesRead[];
  /** One line for each series that lacks bars. */
  readonly warnings: readonly string[];
}

/**
 * Loads the further series of a run, with bars that close by its end only. A run without bars
 * before its first tradable one, which begins where its data does, reads all bars of other assets
 * that are held, so it is the run that a sweep makes.
 *
 * @param historyMs history that the rules need before the window; Infinity for all that is held
 * @param allocate makes the columns of bars that are aggregated
 */
export async function loadFurther(
  store: Pick<RunBars, 'load'> & Partial<Pick<RunBars, 'coarse'>>,
  sources: FurtherSources,
  { bars, first }: { readonly bars: BarSeries; readonly first: number },
  historyMs: number,
  allocate?: typeof sharedColumns,
): Promise<FurtherSeries> {
  // biome-ignore lint/style/noNonNullAssertion: first is a bar of the run
  const startMs = bars.time[first]!;
  const endMs = closeOfLast(bars);
  const others: Record<string, BarSeries> = {};
  const read: SeriesRead[] = [];
  const warnings = [...sources.warnings];
  for (const [name, source] of sources.others) {
    const load = (fromMs?: number) => loadSource(store, source, { fromMs, endMs, own: bars, allocate });
    const beginsMs = source.kind === 'stored' ? source.entry.firstMs : Infinity;
    const isWhole = first === 0 || historyMs === Infinity;
    const found = isWhole ? await load() : await withHistory({ beginsMs, startMs, historyMs }, load);
    if (found.bars.barCount === 0) throw nothingHeld(name, startMs, endMs);
    others[name] = found.bars;
    if (found.read !== null) read.push({ asset: normaliseAsset(name), ...found.read, use: 'rules' });
    if (source.kind !== 'own') warnings.push(...findHoles(name, found.bars, bars, first));
    if (source.kind === 'stored') warnings.push(...drawnNotes(source.entry, found.bars));
  }
  if (sources.detail === null) return { others, detail: undefined, read, warnings };
  const { bars: detail, read: about } = await loadSource(store, sources.detail, {
    ...{ fromMs: startMs, endMs, own: bars, allocate },
  });
  if (about !== null) read.push({ asset: sources.asset, ...about, use: 'detail' });
  warnings.push(...holesOfDetail(detail, bars, first));
  if (sources.detail.kind === 'stored') {
    warnings.push(...drawnNotes(sources.detail.entry, detail));
  }
  return { others, detail, read, warnings };
}

/** The bars to load, and the bars of the run. */
interface Range {
  /** Undefined for all that are held. */
  readonly fromMs: number | undefined;
  readonly endMs: number;
  readonly own: BarSeries;
  readonly allocate: typeof sharedColumns | undefined;
}

async function loadSource(
  store: Pick<RunBars, 'load'> & Partial<Pick<RunBars, 'coarse'>>,
  source: Source,
  { fromMs, endMs, own, allocate }: Range,
): Promise<{ readonly bars: BarSeries; readonly read: Omit<SeriesRead, 'asset' | 'use'> | null }> {
  if (source.kind === 'own') return { bars: own, read: null };
  const closedBy = (bars: BarSeries) => sliceBars(bars, 0, firstBarFrom(bars, endMs - bars.intervalMs + 1));
  if (source.kind === 'held') {
    const { bars, contentHash } = source.held;
    const about = { interval: formatInterval(bars.intervalMs), aggregated_from: null, content_hash: contentHash };
    return { bars: closedBy(bars), read: about };
  }
  const { entry, aggregateToMs, columns } = source;
  const query = { asset: entry.asset, intervalMs: entry.intervalMs, fromMs, toMs: endMs, columns };
  const { bars } = await loadSeries(store, query, aggregateToMs, allocate);
  const about = {
    interval: formatInterval(aggregateToMs ?? entry.intervalMs),
    aggregated_from: aggregateToMs === null ? null : entry.interval,
    content_hash: dataRead(entry, columns).contentHash,
  };
  return { bars: closedBy(bars), read: about };
}

const nothingHeld = (asset: string, startMs: number, endMs: number): EngineError =>
  new EngineError(
    'EMPTY_WINDOW',
    `rules read ${asset} (asset), of which no bar closes by ${isoTime(endMs)}; the run begins at ${isoTime(startMs)}`,
    { field: 'asset' },
  );

/** Closes of the run at which no bar of another asset closes. */
function findHoles(name: string, other: BarSeries, { time, barCount, intervalMs }: BarSeries, first: number): string[] {
  let missing = 0;
  let expected = 0;
  let firstMs = Number.NaN;
  let k = 0;
  for (let i = first; i < barCount; i++) {
    const close = (time[i] ?? 0) + intervalMs;
    if (bucketStart(close, other.intervalMs) !== close) continue; // no bar of the other asset ends here
    expected++;
    while (k < other.barCount && (other.time[k] ?? 0) + other.intervalMs < close) k++;
    if (k < other.barCount && (other.time[k] ?? 0) + other.intervalMs === close) continue;
    if (missing++ === 0) firstMs = close;
  }
  if (missing === 0) return [];
  const fact = `${name}, which rules read, lacks ${missing} of ${expected} ${formatInterval(other.intervalMs)} bars (the first by ${isoTime(firstMs)})`;
  const days = silentAfterMs(other.intervalMs) / DAY_MS;
  return [`${fact}: a filter keeps its last value for ${days} days and has none after them, a trigger is false`];
}

/** Bars of the run without all of their finer bars. */
function holesOfDetail(detail: BarSeries, { time, barCount, intervalMs }: BarSeries, first: number): string[] {
  const parts = intervalMs / detail.intervalMs;
  let missing = 0;
  let firstMs = Number.NaN;
  for (let i = first; i < barCount; i++) {
    const open = time[i] ?? 0;
    if (firstBarFrom(detail, open + intervalMs) - firstBarFrom(detail, open) === parts) continue;
    if (missing++ === 0) firstMs = open;
  }
  if (missing === 0) return [];
  return [
    `detail_interval: ${missing} of ${barCount - first} bars lack finer ${formatInterval(detail.intervalMs)} bars (the first at ${isoTime(firstMs)}); they keep the rule of the whole bar`,
  ];
}
