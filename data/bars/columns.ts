import { EngineError, quote } from '../../engine/errors.js';
import {
  type BarSeries,
  EXTRA_COLUMNS_MAX,
  inColumnOrder,
  isColumnName,
  onchainColumns,
  priceColumns,
} from '../../engine/series/index.js';
import { clip } from '../../engine/text.js';
import type { TableColumn } from '../tables/table.js';
import { writeParquet } from '../tables/write-parquet.js';

/**
 * Names that files use for our columns, in any case. Where a file has several time columns, the
 * first name in this list wins: the open of a bar before any other time of it.
 */
const synonyms: Readonly<Record<BarColumn, readonly string[]>> = {
  timestamp: [
    ...['open_time', 'open time', 'timeopen', 'timestamp_start', 'window_start'],
    ...['timestamp', 'time', 'ts', 't', 'unix', 'datetime', 'gmt time', 'date'],
  ],
  open: ['open', 'o', 'open price', 'open_price'],
  high: ['high', 'h', 'high price', 'high_price'],
  low: ['low', 'l', 'low price', 'low_price'],
  close: ['close', 'c', 'close price', 'close_price'],
  volume: ['volume', 'vol', 'v', 'base_volume', 'vol.'],
};

/** Volumes that a file may have in place of one by its usual name: traded units before ticks. */
const realVolumes: readonly string[] = ['real_volume'];
const tickVolumes: readonly string[] = ['tickvol', 'tick_volume', 'tickvolume', 'tick volume'];

/** The columns that every file of bars has. */
export const barColumns = ['timestamp', ...priceColumns] as const;
type BarColumn = (typeof barColumns)[number];

/** What a user says about the columns of a file. */
export interface ColumnChoice {
  /**
   * Names in the file of columns that have no usual name. A number that is no name of a column is
   * a position, from 1 on; files without a header have positions only.
   */
  readonly names?: Readonly<Partial<Record<BarColumn, string>>> | undefined;
  /** The bars have no volume: 0 in every bar. */
  readonly withoutVolume?: boolean | undefined;
}

/** Stands for a column that the file lacks. */
export const NO_COLUMN = -1;

/** Where a file keeps the columns of a series: indices into its own columns. */
export interface BarLayout {
  readonly time: number;
  /** The time of day, where `time` has the date only. */
  readonly clock?: number | undefined;
  /** In the order of `priceColumns`; the volume may be `NO_COLUMN`. */
  readonly prices: readonly number[];
  /** The column of the volume, where a usual name chose it. */
  readonly volumeName?: string | undefined;
  /** Ticks of each bar, which stand in for a volume that is 0 or empty in every row. */
  readonly ticks?: number | undefined;
  /** Further columns, in the order of `inColumnOrder`. */
  readonly columns: readonly { readonly name: string; readonly index: number }[];
  /** Columns that are not read: of text, of further times, and with names that none may have. */
  readonly ignored: readonly string[];
}

/** Names of columns that are times or prices, in lower case. */
const namesOfBars: ReadonlySet<string> = new Set([...Object.values(synonyms).flat(), 'close_time', 'timestamp_end']);

export const isChainColumn = (name: string): boolean => (onchainColumns as readonly string[]).includes(name);

/** A name as it is compared: without case, and without the brackets or the number of some programs. */
const fold = (name: string): string =>
  name
    .trim()
    .replace(/^<(.*)>$/, '$1')
    .replace(/^\d[a-z]?\. (?=\S)/, '') // `1. open`
    .toLowerCase();

/** Where a header names open, high, low and close; null when it lacks one of them. */
export function findPrices(names: readonly string[], chosen: ColumnChoice['names'] = {}): number[] | null {
  const folded = names.map(fold);
  const found = priceColumns.slice(0, -1).map((role) => {
    const wanted = chosen[role];
    const named = folded.findIndex((name) =>
      wanted === undefined ? synonyms[role].includes(name) : name === fold(wanted),
    );
    return named === -1 && wanted !== undefined ? (readPosition(wanted, names.length) ?? -1) : named;
  });
  return found.includes(-1) ? null : found;
}

/** The index of the column at a position such as `5`, counted from 1; undefined for any other text. */
export function readPosition(text: string, columnCount: number): number | undefined {
  const index = /^[1-9]\d{0,3}$/.test(text.trim()) ? Number(text) - 1 : columnCount;
  return index < columnCount ? index : undefined;
}

/** The column of times among the names of a file, or undefined. */
export function findTimeColumn(names: readonly string[]): number | undefined {
  const folded = names.map(fold);
  return synonyms.timestamp.flatMap((name) => indices(folded, name))[0];
}

/** Columns that a file may have, read or not. */
const COLUMNS_MAX = 1_000;
const NAME_LENGTH_MAX = 200;

/** @throws INVALID_DATA for more columns than a file may have, and for a name that is too long */
export function checkColumns(names: readonly string[], where: string): void {
  if (names.length > COLUMNS_MAX) {
    throw new EngineError('INVALID_DATA', `${where}: must have at most ${COLUMNS_MAX} columns, has ${names.length}`);
  }
  const long = names.find((name) => name.length > NAME_LENGTH_MAX);
  if (long === undefined) return;
  const rule = `must have at most ${NAME_LENGTH_MAX} characters, has ${long.length}`;
  throw new EngineError('INVALID_DATA', `${where}: a name of a column ${rule}: ${quote(long)}`);
}

/** Whether a file keeps a column of this name beside its bars. */
export const canBeColumn = (name: string): boolean => isColumnName(name) && !namesOfBars.has(name.toLowerCase());

/**
 * Finds the columns of a series among the column names of a file: prices by any usual name in any
 * case, chain columns by their exact names, and every other column of numbers. Of further columns
 * with one name, as charts export their plots, none is read.
 *
 * @param isNumeric whether the column at an index holds numbers; chain columns may hold anything
 * @throws INVALID_DATA for a column of bars or of the chain that is missing or there twice, and for
 *   too many columns
 */
export function locateColumns(
  names: readonly string[],
  where: string,
  isNumeric: (index: number) => boolean,
  { names: chosen = {}, withoutVolume = false }: ColumnChoice = {},
): BarLayout {
  checkColumns(names, where);
  const exact = names.map((name) => name.trim());
  const folded = exact.map(fold);
  const refuse = (rule: string): never => {
    throw new EngineError('INVALID_DATA', `${where}: ${rule}`, { columns: exact.slice(0, 100) });
  };
  const indexOf = (role: BarColumn): number => {
    if (role === 'volume' && withoutVolume) return NO_COLUMN;
    const wanted = chosen[role];
    const same = wanted === undefined ? [] : indices(exact, wanted.trim());
    const found =
      same.length > 0
        ? same.map((index) => ({ name: wanted, index }))
        : (wanted === undefined ? synonyms[role] : [fold(wanted)]).flatMap((name) =>
            indices(folded, name).map((index) => ({ name, index })),
          );
    const [first, second] = found;
    if (first === undefined) {
      const position = wanted === undefined ? undefined : readPosition(wanted, exact.length);
      if (position !== undefined) return position;
      const standIn = role === 'volume' && wanted === undefined ? volumeStandIn(folded) : NO_COLUMN;
      if (standIn !== NO_COLUMN) return standIn;
      if (wanted !== undefined) return refuse(`no column ${quote(wanted)} for ${role}, found ${listNames(exact)}`);
      const without = role === 'volume' ? ', --no-volume reads bars without one' : '';
      return refuse(
        `no ${role} column, found ${listNames(exact)}; data import --column ${role}=NAME names it${without}`,
      );
    }
    // A file may have two time columns (unix and date), but no other column twice.
    if (second !== undefined && (role !== 'timestamp' || second.name === first.name)) {
      const [one, other] = [exact[first.index], exact[second.index]];
      const isNamed = one !== other;
      const places = `the ${role} is already in ${isNamed ? '' : `column ${first.index + 1}, `}${quote(one)}`;
      const choice = isNamed ? 'NAME' : second.index + 1;
      const hint = `data import --column ${role}=${choice} takes ${isNamed ? 'one' : 'that at this position, from 1 on'}`;
      refuse(`duplicate column ${quote(other)}, ${places}; ${hint}`);
    }
    return first.index;
  };

  const time = indexOf('timestamp');
  const prices = priceColumns.map(indexOf);
  const taken = new Set([time, ...prices]);
  const columns = inColumnOrder(new Set(exact.filter(canBeColumn))).flatMap((name) => {
    const [index, second] = indices(exact, name);
    if (index === undefined || taken.has(index) || !(isChainColumn(name) || isNumeric(index))) return [];
    if (second === undefined) return [{ name, index }];
    return isChainColumn(name) ? refuse(`duplicate column ${quote(name)}`) : [];
  });
  // Names in Parquet files are equal if they differ in case only.
  const distinct = new Map(columns.toReversed().map((column) => [column.name.toLowerCase(), column]));
  const kept = columns.filter((column) => distinct.get(column.name.toLowerCase()) === column);
  if (kept.length > EXTRA_COLUMNS_MAX) {
    refuse(`must have at most ${EXTRA_COLUMNS_MAX} columns beside the bars, has ${kept.length}`);
  }
  const used = new Set([...taken, ...kept.map(({ index }) => index)]);
  const ignored = exact.filter((_, index) => !used.has(index));
  const ticks = chosen.volume === undefined && !withoutVolume ? folded.findIndex(isTickVolume) : NO_COLUMN;
  const hasStandIn = ticks !== NO_COLUMN && !taken.has(ticks);
  const volumeName = chosen.volume === undefined ? exact[prices.at(-1) ?? NO_COLUMN] : undefined;
  return { time, prices, columns: kept, ignored, volumeName, ...(hasStandIn ? { ticks } : {}) };
}

const isTickVolume = (name: string): boolean => tickVolumes.includes(name);

/** The volume of a file without a column of that name. */
function volumeStandIn(folded: readonly string[]): number {
  const real = folded.findIndex((name) => realVolumes.includes(name));
  return real === NO_COLUMN ? folded.findIndex(isTickVolume) : real;
}

const indices = (names: readonly string[], wanted: string): number[] =>
  names.flatMap((name, index) => (name === wanted ? [index] : []));

function listNames(names: readonly string[]): string {
  const shown = names.slice(0, 20).map((name) => clip(quote(name), 40));
  return names.length > shown.length ? `${shown.join(', ')} and ${names.length - shown.length} more` : shown.join(', ');
}

interface NamedColumn {
  readonly name: string;
  readonly values: Float64Array;
}

/**
 * The columns of a series in their fixed order: timestamp, open, high, low, close, volume, then the
 * further ones.
 */
export const namedColumns = (bars: BarSeries): NamedColumn[] => [
  { name: 'timestamp', values: bars.time },
  ...priceColumns.map((name) => ({ name, values: bars[name] })),
  // biome-ignore lint/style/noNonNullAssertion: a key of these columns
  ...inColumnOrder(Object.keys(bars.columns)).map((name) => ({ name, values: bars.columns[name]! })),
];

/** How many columns of `namedColumns` every series has. */
export const BAR_COLUMNS = 1 + priceColumns.length;

/** A series as a table: timestamp, open, high, low, close, volume, then its further columns. */
const barTable = (bars: BarSeries): TableColumn[] =>
  namedColumns(bars).map(({ name, values }, k) => ({ name, type: k === 0 ? 'time' : 'double', values }));

/** Writes a series as a Parquet file of the catalogue, which `readBarsFile` can read. */
export const writeBars = (path: string, bars: BarSeries): Promise<void> => writeParquet(path, barTable(bars));

/** The same for other programs: its times are marked as UTC. */
export const exportBars = (path: string, bars: BarSeries): Promise<void> => writeParquet(path, barTable(bars), 'utc');
