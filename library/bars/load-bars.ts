import { contentHash, type ReadBarsOptions, readBarsFile } from '../../data/bars/index.js';
import { EngineError } from '../../engine/errors.js';
import { formatInterval, parseInterval, sharedColumns } from '../../engine/series/index.js';
import { aggregateBars } from '../../engine/timeframes/index.js';
import { resolveWindow, storedBarLoader, within } from '../../research/index.js';
import { type HomeOptions, homeServices } from '../home.js';
import { type BarColumnsInput, type BarRow, type Bars, barsFromColumns, columnsOfRows } from './columns-in.js';

interface Choice {
  /** First day or time (UTC). Default: the first bar. */
  readonly start?: string;
  /** Last day, included, or time. Default: the last bar. */
  readonly end?: string;
}

/** Bars that this machine holds: imported, fetched, or bundled with the package. */
export interface HeldBarsSource extends Choice, HomeOptions {
  readonly asset: string;
  /** Such as `5m`, `1h`, `1d`. Coarser bars than stored are aggregated. */
  readonly interval: string;
  /** Columns beside the bars to join, by name. */
  readonly beside?: readonly string[];
}

/** A CSV, JSON, Parquet or Arrow file; its options are the flags of `barline data import`. */
export interface FileBarsSource extends Choice, Omit<ReadBarsOptions, 'intervalMs'> {
  readonly file: string;
  /** Default: `unnamed`. */
  readonly asset?: string;
  /** Default: the most frequent spacing of the bars. A coarser one aggregates them. */
  readonly interval?: string;
}

/** Columns or rows at hand. They are checked and copied. */
export type MemoryBarsSource = Choice & {
  /** Default: `unnamed`. */
  readonly asset?: string;
  /** Default: the most frequent spacing of the bars. */
  readonly interval?: string;
} & ({ readonly columns: BarColumnsInput } | { readonly rows: readonly BarRow[] });

export type BarsSource = HeldBarsSource | FileBarsSource | MemoryBarsSource;

/**
 * Loads bars from the catalogue of held bars, from a file, or from columns or rows.
 * Bars are checked and never repaired.
 *
 * @throws EngineError NOT_FOUND for an asset, interval or file that does not exist; INVALID_DATA
 *   for bars that break a rule, with the row; EMPTY_WINDOW if no bar lies between start and end
 */
export async function loadBars(source: BarsSource): Promise<Bars> {
  if ('file' in source) return fromFile(source);
  if ('rows' in source) return fromMemory(source, columnsOfRows(source.rows));
  if ('columns' in source) return fromMemory(source, source.columns);
  return fromCatalogue(source);
}

async function fromCatalogue(source: HeldBarsSource): Promise<Bars> {
  const { asset, interval, beside = [] } = source;
  if (typeof asset !== 'string') {
    throw new EngineError('MISSING_FIELD', 'bars are loaded by asset and interval, from a file, columns or rows', {
      field: 'asset',
    });
  }
  const { store } = homeServices(source);
  const intervalMs = parseInterval(interval);
  const { entry } = await store.resolveSource(asset, intervalMs);
  const window = resolveWindow(source, entry.lastMs + entry.intervalMs);
  const bars = await storedBarLoader(store)(asset, intervalMs, window, beside);
  return {
    ...bars,
    asset: entry.asset,
    contentHash: contentHash(bars),
    source: entry.isSample ? 'sample' : 'catalogue',
  };
}

async function fromFile(source: FileBarsSource): Promise<Bars> {
  const { file, asset = 'unnamed', interval, start, end, ...options } = source;
  const read = await readBarsFile(file, options);
  return windowed({ ...read.bars, asset, contentHash: read.contentHash, source: file }, { start, end, interval });
}

function fromMemory(source: MemoryBarsSource, columns: BarColumnsInput): Bars {
  const { asset = 'unnamed', interval, start, end } = source;
  const read = barsFromColumns(columns, undefined);
  return windowed({ ...read.bars, asset, contentHash: read.contentHash, source: 'memory' }, { start, end, interval });
}

interface Asked {
  readonly start: string | undefined;
  readonly end: string | undefined;
  readonly interval: string | undefined;
}

function windowed(bars: Bars, { start, end, interval }: Asked): Bars {
  const intervalMs = interval === undefined ? bars.intervalMs : parseInterval(interval);
  if (intervalMs % bars.intervalMs !== 0) {
    const held = formatInterval(bars.intervalMs);
    const message = `interval must be a multiple of the bars' ${held}, was ${formatInterval(intervalMs)}`;
    throw new EngineError('INVALID_FIELD', message, { field: 'interval' });
  }
  const isWhole = intervalMs === bars.intervalMs && start === undefined && end === undefined;
  if (isWhole) return bars;
  const { asset, source } = bars;
  const coarse = intervalMs === bars.intervalMs ? bars : aggregateBars(bars, intervalMs, sharedColumns).bars;
  const window = resolveWindow({ start, end }, Number.POSITIVE_INFINITY);
  const series = within(coarse, window, asset);
  return { ...series, asset, contentHash: contentHash(series), source };
}
