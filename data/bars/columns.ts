import { EngineError, quote } from '../../engine/errors.js';
import {
  type BarSeries,
  EXTRA_COLUMNS_MAX,
  inColumnOrder,
  isColumnName,
  onchainColumns,
  type PriceColumn,
  priceColumns,
} from '../../engine/series/index.js';

/**
 * Names that files use for our columns, in any case. Where a file has several time columns, the
 * first name in this list wins.
 */
const synonyms: Readonly<Record<'timestamp' | PriceColumn, readonly string[]>> = {
  timestamp: ['timestamp', 'open_time', 'open time', 'time', 'ts', 'unix', 'datetime', 'date'],
  open: ['open', 'o'],
  high: ['high', 'h'],
  low: ['low', 'l'],
  close: ['close', 'c'],
  volume: ['volume', 'vol', 'v', 'base_volume'],
};

/** Where a file keeps the columns of a series: indices into its own columns. */
export interface BarLayout {
  readonly time: number;
  /** In the order of `priceColumns`. */
  readonly prices: readonly number[];
  /** Further columns, in the order of `inColumnOrder`. */
  readonly columns: readonly { readonly name: string; readonly index: number }[];
  /** Columns that are not read: of text, of further times, and with names that none may have. */
  readonly ignored: readonly string[];
}

/** Names of columns that are times or prices, in lower case. */
const namesOfBars: ReadonlySet<string> = new Set([...Object.values(synonyms).flat(), 'close_time']);

export const isChainColumn = (name: string): boolean => (onchainColumns as readonly string[]).includes(name);

/** The column of times among the names of a file, or undefined. */
export function timeColumnOf(names: readonly string[]): number | undefined {
  const folded = names.map((name) => name.trim().toLowerCase());
  return synonyms.timestamp.flatMap((name) => indicesOf(folded, name))[0];
}

/** Whether a file keeps a column of this name beside its bars. */
export const canBeColumn = (name: string): boolean => isColumnName(name) && !namesOfBars.has(name.toLowerCase());

/**
 * The order of a dump without a header: time, open, high, low, close, volume. Further columns are
 * ignored.
 */
export const headerlessLayout: BarLayout = { time: 0, prices: [1, 2, 3, 4, 5], columns: [], ignored: [] };

/**
 * Finds the columns of a series among the column names of a file: prices by any usual name in any
 * case, chain columns by their exact names, and every other column of numbers.
 *
 * @param isNumeric whether the column at an index holds numbers; chain columns may hold anything
 * @throws INVALID_DATA for a missing or a duplicate column, and for too many
 */
export function locateColumns(
  names: readonly string[],
  where: string,
  isNumeric: (index: number) => boolean,
): BarLayout {
  const exact = names.map((name) => name.trim());
  const folded = exact.map((name) => name.toLowerCase());
  const refuse = (rule: string): never => {
    throw new EngineError('INVALID_DATA', `${where}: ${rule}`, { columns: exact.slice(0, 100) });
  };
  const indexOf = (role: keyof typeof synonyms): number => {
    const found = synonyms[role].flatMap((name) => indicesOf(folded, name).map((index) => ({ name, index })));
    const [first, second] = found;
    if (first === undefined) return refuse(`no ${role} column, found ${listNames(exact)}`);
    // A file may have two time columns (unix and date), but no other column twice.
    if (second !== undefined && (role !== 'timestamp' || second.name === first.name)) {
      refuse(`duplicate column ${quote(exact[second.index])}, the ${role} is already in ${quote(exact[first.index])}`);
    }
    return first.index;
  };

  const time = indexOf('timestamp');
  const prices = priceColumns.map(indexOf);
  const columns = inColumnOrder(new Set(exact.filter(canBeColumn))).flatMap((name) => {
    const [index, second] = indicesOf(exact, name);
    if (index === undefined || !(isChainColumn(name) || isNumeric(index))) return [];
    if (second !== undefined) refuse(`duplicate column ${quote(name)}`);
    return [{ name, index }];
  });
  // Names in Parquet files are equal if they differ in case only.
  const distinct = new Map(columns.toReversed().map((column) => [column.name.toLowerCase(), column]));
  const kept = columns.filter((column) => distinct.get(column.name.toLowerCase()) === column);
  if (kept.length > EXTRA_COLUMNS_MAX) {
    refuse(`must have at most ${EXTRA_COLUMNS_MAX} columns beside the bars, has ${kept.length}`);
  }
  const used = new Set([time, ...prices, ...kept.map(({ index }) => index)]);
  return { time, prices, columns: kept, ignored: exact.filter((_, index) => !used.has(index)) };
}

const indicesOf = (names: readonly string[], wanted: string): number[] =>
  names.flatMap((name, index) => (name === wanted ? [index] : []));

function listNames(names: readonly string[]): string {
  const shown = names.slice(0, 20).map((name) => quote(name).slice(0, 40));
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
export const columnsOf = (bars: BarSeries): NamedColumn[] => [
  { name: 'timestamp', values: bars.time },
  ...priceColumns.map((name) => ({ name, values: bars[name] })),
  // biome-ignore lint/style/noNonNullAssertion: a key of these columns
  ...inColumnOrder(Object.keys(bars.columns)).map((name) => ({ name, values: bars.columns[name]! })),
];

/** How many columns of `columnsOf` every series has. */
export const BAR_COLUMNS = 1 + priceColumns.length;
