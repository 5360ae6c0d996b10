import { basename } from 'node:path';
import { EngineError } from '../../engine/errors.js';
import { type Gap, isoTime } from '../../engine/series/index.js';
import { type AddedBars, addBars, inTurn } from './add-bars.js';
import { appendToHeld, type Overlap } from './append.js';
import { normaliseAsset } from './assets.js';
import type { InspectedBars, LeftOut } from './inspect.js';
import { readBarsFiles, readSymbols } from './read-file.js';
import type { ReadBarsOptions } from './read-options.js';

export interface ImportOptions extends ReadBarsOptions {
  readonly asset: string;
  /** Replace different bars of the same asset and interval. */
  readonly replace?: boolean | undefined;
  /** Join the bars with the stored bars of the same asset and interval. */
  readonly append?: boolean | undefined;
  /** Which of two bars of a time stays where `append` meets other values; else they conflict. */
  readonly overlap?: Overlap | undefined;
  /** Free text, stored with the bars. */
  readonly exchange?: string | undefined;
  readonly licence?: string | undefined;
}

export interface ImportedBars extends Omit<AddedBars, 'status'> {
  readonly status: AddedBars['status'] | 'extended';
  /** Holes on the interval grid; they are reported and not filled. */
  readonly gaps: readonly Gap[];
  /** Bars whose open time is not a multiple of the interval. */
  readonly offGridBars: number;
  /** Columns of the file that were not read. */
  readonly ignoredColumns: readonly string[];
  readonly leftOut: LeftOut;
  /** What the reader decided, such as ticks that stand in for a volume. */
  readonly notes: readonly string[];
}

/** Longer lists of sources are shortened. */
const SOURCE_LENGTH_MAX = 200;

/**
 * Reads and checks files of bars and adds them to the catalogue in `folder`: all of them or
 * nothing.
 * @throws INVALID_FIELD when the options contradict each other; else as the parts do
 */
export async function importBars(
  folder: string,
  paths: readonly string[],
  options: ImportOptions,
  nowMs: number,
): Promise<ImportedBars> {
  const name = normaliseAsset(options.asset);
  checkChoices(options);
  const fresh = await readBarsFiles(paths, options);
  return inTurn(folder, name, fresh.bars.intervalMs, () => storeBars(folder, name, paths, fresh, options, nowMs));
}

/**
 * The same for files with the rows of several symbols: each symbol becomes an asset of that name.
 * All are read and checked before the first is stored.
 * @throws INVALID_DATA when two symbols name one asset; else as the parts do
 */
export async function importEachSymbol(
  folder: string,
  paths: readonly string[],
  options: Omit<ImportOptions, 'asset' | 'symbol'>,
  nowMs: number,
): Promise<readonly ImportedBars[]> {
  checkChoices(options);
  const series = new Map<string, { readonly symbol: string; readonly fresh: InspectedBars }>();
  for (const symbol of await readSymbols(paths, options)) {
    const name = normaliseAsset(symbol);
    const other = series.get(name)?.symbol;
    if (other !== undefined) {
      const rule = `the symbols ${other} and ${symbol} both name the asset ${name}`;
      throw new EngineError('INVALID_DATA', `${rule}; data import --symbol takes one`, { asset: name });
    }
    series.set(name, { symbol, fresh: await readBarsFiles(paths, { ...options, symbol }) });
  }
  const imported: ImportedBars[] = [];
  for (const [name, { fresh }] of series) {
    const store = () => storeBars(folder, name, paths, fresh, options, nowMs);
    imported.push(await inTurn(folder, name, fresh.bars.intervalMs, store));
  }
  return imported;
}

/** @throws INVALID_FIELD when the options contradict each other */
function checkChoices({ append = false, replace = false, overlap }: Omit<ImportOptions, 'asset'>): void {
  if (append && replace) {
    throw new EngineError('INVALID_FIELD', 'append must not be combined with replace: give one of the two', {
      field: 'append',
    });
  }
  if (overlap !== undefined && !append) {
    throw new EngineError('INVALID_FIELD', 'overlap must be combined with append', { field: 'overlap' });
  }
}

/** In a turn of the series. */
async function storeBars(
  folder: string,
  name: string,
  paths: readonly string[],
  fresh: InspectedBars,
  { replace = false, append = false, overlap, exchange, licence }: Omit<ImportOptions, 'asset'>,
  nowMs: number,
): Promise<ImportedBars> {
  const { inspected, held } = append
    ? await appendToHeld(folder, name, fresh, { exchange, overlap })
    : { inspected: fresh, held: null };
  const described = {
    origin: { source: source(paths, held?.origin.source), importedAt: isoTime(nowMs) },
    ...optional('exchange', exchange ?? held?.exchange),
    ...optional('licence', licence ?? held?.licence),
  };
  const added = await addBars(folder, name, inspected, described, held === null ? replace : held.contentHash);
  const { gaps, offGridBars, ignoredColumns, leftOut, notes } = inspected;
  const status = held !== null && added.status === 'replaced' ? 'extended' : added.status;
  return { status, entry: added.entry, gaps, offGridBars, ignoredColumns, leftOut, notes };
}

const optional = <Key extends string>(key: Key, value: string | undefined) =>
  (value === undefined ? {} : { [key]: value }) as Partial<Record<Key, string>>;

/** The names of the files, after the sources of the bars that they extend. */
function source(paths: readonly string[], before: string | undefined): string {
  const names = [...(before === undefined ? [] : before.split(', ')), ...paths.map((path) => basename(path))];
  const all = [...new Set(names)];
  const text = all.join(', ');
  return text.length <= SOURCE_LENGTH_MAX ? text : `${all[0]}, ..., ${all.at(-1)}`;
}
