import { EngineError, quote } from '../../engine/errors.js';
import {
  type BarSeries,
  type OnchainColumn,
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
  readonly onchain: readonly { readonly name: OnchainColumn; readonly index: number }[];
  /** Columns of the file that we do not know; a misspelt chain column ends up here. */
  readonly ignored: readonly string[];
}

/**
 * The order of a dump without a header: time, open, high, low, close, volume. Further columns are
 * ignored.
 */
export const headerlessLayout: BarLayout = { time: 0, prices: [1, 2, 3, 4, 5], onchain: [], ignored: [] };

/**
 * Finds the columns of a series among the column names of a file: prices by any usual name in any
 * case, chain columns by their exact names.
 *
 *
 * @throws INVALID_DATA for a missing or a duplicate column
 */
export function locateColumns(names: readonly string[], where: string): BarLayout {
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
  const onchain = onchainColumns.flatMap((name) => {
    const [index, second] = indicesOf(exact, name);
    if (second !== undefined) refuse(`duplicate column ${quote(name)}`);
    return index === undefined ? [] : [{ name, index }];
  });
  const used = new Set([time, ...prices, ...onchain.map(({ index }) => index)]);
  return { time, prices, onchain, ignored: exact.filter((_, index) => !used.has(index)) };
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
 * The columns of a series in their fixed order: timestamp, open, high, low, close, volume, then its
 * chain columns.
 */
export const columnsOf = (bars: BarSeries): NamedColumn[] => [
  { name: 'timestamp', values: bars.time },
  ...priceColumns.map((name) => ({ name, values: bars[name] })),
  ...onchainColumns.flatMap((name) => {
    const values = bars.onchain[name];
    return values === undefined ? [] : [{ name, values }];
  }),
];
