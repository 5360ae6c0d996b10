import type { CorpusColumn } from '../../data/corpus/index.js';
import { ApiError } from '../api-error.js';
import type { ReadQuery } from './request.js';

const MIB = 1_048_576;
const BILLED_MIN = 10 * MIB;
const USD_PER_TIB = 6.25;
const FIXED_BYTES = 8;
const BOOLEAN_BYTES = 1;
const TEXT_OVERHEAD_BYTES = 2;

/**
 * Columns that a query names in its select, filters or order. Columns added to complete the order
 * are free.
 */
export const columnsNamed = ({ select, filters, orderBy }: ReadQuery): CorpusColumn[] => [
  ...new Set([...select, ...[...filters, ...orderBy].map(({ column }) => column)]),
];

/**
 * Bytes of the columns read, over all rows of the files searched: 1 for a boolean, 2 plus the
 * average UTF-8 length for a text, 8 for anything else. Rounded up to whole MiB, at least 10 MiB.
 */
export function bytesBilled(
  columns: readonly CorpusColumn[],
  rows: number,
  textWidths: ReadonlyMap<string, number>,
): number {
  const width = ({ type, name }: CorpusColumn): number => {
    if (type === 'text') return TEXT_OVERHEAD_BYTES + (textWidths.get(name) ?? 0);
    return type === 'boolean' ? BOOLEAN_BYTES : FIXED_BYTES;
  };
  const bytes = columns.reduce((sum, column) => sum + width(column) * rows, 0);
  return Math.max(BILLED_MIN, Math.ceil(bytes / MIB) * MIB);
}

export const costUsd = (bytes: number): number => (bytes / 2 ** 40) * USD_PER_TIB;

/** @throws BYTES_LIMIT_EXCEEDED with the estimate and the cap */
export function refuseAbove(bytesMax: number, bytes: number): void {
  if (bytes <= bytesMax) return;
  throw new ApiError(
    'BYTES_LIMIT_EXCEEDED',
    `the query would read ${bytes} bytes, the limit is ${bytesMax}: read fewer columns, or filter by experiment_id (results) or asset and timeframe (ohlcv)`,
    { total_bytes_billed: bytes, limit: bytesMax },
  );
}
