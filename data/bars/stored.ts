import { join } from 'node:path';
import { EngineError } from '../../engine/errors.js';
import {
  type BarSeries,
  FUNDING_COLUMN,
  formatInterval,
  type Gap,
  inColumnOrder,
  isColumnName,
  type OnchainColumn,
  parseInterval,
} from '../../engine/series/index.js';
import { GENERATED, type StoredColumn } from '../columns/store.js';
import { isPerpetual, nearestNames, normaliseAsset, PERPETUAL, quotedBase } from './assets.js';
import { byName, type CatalogueEntry, isSameName, readCatalogue } from './catalogue.js';

export interface BarsQuery {
  readonly asset: string;
  readonly intervalMs: number;
  /** Bars that open at or after this time; by default from the first bar. */
  readonly fromMs?: number | undefined;
  /** Bars that open before this time; by default to the last bar. */
  readonly toMs?: number | undefined;
  /** Added columns to join to the bars, by name; by default none. */
  readonly columns?: readonly string[] | undefined;
}

interface LoadedBars {
  readonly bars: BarSeries;
  /** The holes between the loaded bars. */
  readonly gaps: readonly Gap[];
  /** The entry they come from. Its content hash covers the whole file. */
  readonly entry: StoredBars;
}

export interface BarsSource {
  /** The entry to load. */
  readonly entry: StoredBars;
  /** The interval to aggregate the loaded bars to, or null when they have the wanted one. */
  readonly aggregateToMs: number | null;
}

/** A question to the stored bars. */
export interface BarReads {
  list(): Promise<readonly StoredBars[]>;
  /**
   * Stored bars as shared columns, with those added columns that the query names.
   * @throws NOT_FOUND when there are no such bars; EMPTY_WINDOW when the window has no bars
   */
  load(query: BarsQuery): Promise<LoadedBars>;
  /**
   * What to load for bars of any interval: the bars themselves, or the coarsest finer ones whose
   * interval divides it. The user's series win over bundled ones of any interval. Where the bars
   * are wanted from a time on and the finer ones begin earlier, these are taken.
   */
  resolveSource(asset: string, intervalMs: number, fromMs?: number): Promise<BarsSource>;
}

/** The column of the funding rates of an asset's perpetual. */
const RATES: OnchainColumn = 'PerpFundingRate';

/** Bars drawn within held coarser ones, which are part of a series. */
interface DrawnPart {
  /** Opens of the bars that are held or made of held finer ones: from, and before. Empty without any. */
  readonly heldFromMs: number;
  readonly heldToMs: number;
  /** Intervals of the held bars within which the others are drawn. */
  readonly within: readonly string[];
}

/** An entry of one of the catalogues, with the path of its file. */
export interface StoredBars extends CatalogueEntry {
  readonly intervalMs: number;
  readonly firstMs: number;
  readonly lastMs: number;
  readonly path: string;
  readonly isSample: boolean;
  /**
   * Columns of the asset with times of their own, which loading joins to the bars on demand. One
   * whose name a column of the file has is not among them.
   */
  readonly added: readonly StoredColumn[];
  /** Names of all columns beside the bars, from the file or added. */
  readonly beside: readonly string[];
  /** Only where bars of the series are drawn within coarser ones. */
  readonly drawn?: DrawnPart;
}

/**
 * The entries of both catalogues, by asset and from the finest interval to the coarsest. The user's
 * entries hide entries of the sample.
 * @param columns to be joined to the bars of their assets
 */
export async function listStored(
  userDir: string,
  sampleDir: string | undefined,
  columns: readonly StoredColumn[] = [],
): Promise<StoredBars[]> {
  const own = await readEntries(userDir, false, columns);
  const sample = sampleDir === undefined ? [] : await readEntries(sampleDir, true, columns);
  return [...own, ...sample.filter((entry) => !own.some((other) => isSameName(entry, other)))].sort(byName);
}

async function readEntries(folder: string, isSample: boolean, columns: readonly StoredColumn[]): Promise<StoredBars[]> {
  return (await readCatalogue(folder)).map((entry) => {
    const inFile = entry.columns.filter(isColumnName);
    const taken = new Set(inFile.map((name) => name.toLowerCase())); // as in Parquet files
    const added = [...columns.filter(({ asset }) => asset === entry.asset), ...funding(entry.asset, columns)].filter(
      ({ column }) => !taken.has(column.toLowerCase()),
    );
    return {
      ...entry,
      intervalMs: parseInterval(entry.interval),
      firstMs: Date.parse(entry.firstTime),
      lastMs: Date.parse(entry.lastTime),
      path: join(folder, entry.file),
      isSample,
      added,
      beside: inColumnOrder([...inFile, ...added.map(({ column }) => column)]),
    };
  });
}

/**
 * What the holders of a perpetual pay, as a column: its own funding rates, or those held beside its
 * base asset.
 */
function funding(asset: string, columns: readonly StoredColumn[]): StoredColumn[] {
  const hasOwn = columns.some((one) => one.asset === asset && one.column === FUNDING_COLUMN);
  if (hasOwn || !isPerpetual(asset)) return [];
  const rates = columns.filter(({ column }) => column === RATES);
  const found = rates.find((one) => one.asset === asset) ?? rates.find((one) => `${one.asset}${PERPETUAL}` === asset);
  return found === undefined ? [] : [{ ...found, column: FUNDING_COLUMN }];
}

/** The added columns of an entry that are among these names. */
export const joinedColumns = (
  { added }: Pick<StoredBars, 'added'>,
  names: readonly string[],
): readonly StoredColumn[] => added.filter(({ column }) => names.includes(column));

/** Names of the added columns of an entry that a generator drew. */
export const generatedColumns = ({ added }: Pick<StoredBars, 'added'>): string[] =>
  added.filter(({ origin }) => origin.source === GENERATED).map(({ column }) => column);

/**
 * The entries of one asset, finest interval first.
 *
 * @throws NOT_FOUND naming the stored assets and the nearest names
 */
export function entriesFor(all: readonly StoredBars[], asset: string): StoredBars[] {
  const name = normaliseAsset(asset);
  const entries = all.filter((entry) => entry.asset === name);
  if (entries.length > 0) return entries;
  const assets = [...new Set(all.map((entry) => entry.asset))];
  const nearest = nearestNames(name, assets);
  const base = quotedBase(name);
  const hint =
    base !== null && assets.includes(base)
      ? `: ${base} is another market; bars imported as ${name} before it had a name of its own are in ${base}, import them again`
      : nearest.length > 0
        ? `, did you mean ${nearest.join(' or ')}?`
        : '';
  const held = assets.length > 0 ? `held: ${listSome(assets)}` : 'no bars are held';
  throw new EngineError('NOT_FOUND', `no bars of ${name}${hint} (${held})${FETCH_HINT}`, { asset: name, nearest });
}

/** Ends a message about bars that are missing. */
export const FETCH_HINT = '; barline data fetch downloads bars';

/** The same for bars that could be drawn within held ones. */
export const drawnHint = (heldInterval: string): string =>
  `, and a run with allow_generated_bars draws them within the held ${heldInterval} bars`;

/**
 * The entry that serves an interval: of the user's before the bundled ones, the coarsest that
 * divides it, or a finer one that covers more of the time from `fromMs` on.
 *
 * @param entries of one asset, finest interval first
 */
export function sourceAmong(
  entries: readonly StoredBars[],
  intervalMs: number,
  fromMs = Infinity,
): StoredBars | undefined {
  const dividing = entries.filter((entry) => intervalMs % entry.intervalMs === 0).reverse();
  const own = dividing.filter(({ isSample }) => !isSample);
  const [coarsest, ...finer] = own.length > 0 ? own : dividing;
  if (coarsest === undefined || fromMs >= coarsest.firstMs) return coarsest;
  const holdsMore = ({ firstMs, lastMs }: StoredBars, than: StoredBars) =>
    Math.max(firstMs, fromMs) + intervalMs <= than.firstMs && lastMs + intervalMs >= than.lastMs;
  return finer.reduce((best, entry) => (holdsMore(entry, best) ? entry : best), coarsest);
}

/** The error for an interval that is not stored; `rule` says what else would have served. */
export function noSuchInterval(entries: readonly StoredBars[], intervalMs: number, rule: string): EngineError {
  // biome-ignore lint/style/noNonNullAssertion: a group has at least one entry
  const { asset } = entries[0]!;
  const interval = formatInterval(intervalMs);
  const held = entries.map((entry) => entry.interval);
  const coarser = entries.find((entry) => entry.intervalMs > intervalMs && entry.intervalMs % intervalMs === 0);
  const hint = coarser === undefined ? FETCH_HINT : `${FETCH_HINT}${drawnHint(coarser.interval)}`;
  return new EngineError('NOT_FOUND', `no ${interval} bars of ${asset}${rule} (held: ${listSome(held)})${hint}`, {
    asset,
    interval,
    held,
  });
}

const listSome = (names: readonly string[]): string =>
  names.length > 20 ? `${names.slice(0, 20).join(', ')} and ${names.length - 20} more` : names.join(', ');
