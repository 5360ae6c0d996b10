import type { CorpusColumn, Page } from '../../data/corpus/index.js';
import { arrowBytes, type TableColumn } from '../../data/tables/index.js';
import { shownCell } from './values.js';

/** Rows as JSON objects with a key for each selected column. */
export function toRows(select: readonly CorpusColumn[], { rowCount, columns }: Page): Record<string, unknown>[] {
  return Array.from({ length: rowCount }, (_, row) =>
    Object.fromEntries(select.map((column, k) => [column.name, shownCell(column, columns[k]?.[row] ?? null)])),
  );
}

export interface QueryPiece {
  readonly arrow: Uint8Array;
}

/**
 * Bytes of one message; far below what a call may carry, so that a reader gets its first rows
 * early.
 */
const PIECE_BYTES = 256 * 1024;

const arrowTypes = {
  text: 'text',
  integer: 'integer',
  number: 'double',
  boolean: 'boolean',
  date: 'text',
  time: 'time',
} satisfies Record<CorpusColumn['type'], TableColumn['type']>;

/** The same as an Arrow IPC stream in pieces, at least one. Dates are texts such as 2024-01-31. */
export async function* arrowPieces(select: readonly CorpusColumn[], { columns }: Page): AsyncGenerator<QueryPiece> {
  const table = select.map(({ name, type }, k) => {
    const values = (columns[k] ?? []).map((cell) => (typeof cell === 'number' && !Number.isFinite(cell) ? null : cell));
    return { name, type: arrowTypes[type], values } as TableColumn;
  });
  const bytes = await arrowBytes(table, 'stream');
  for (let from = 0; from < bytes.length; from += PIECE_BYTES)
    yield { arrow: bytes.subarray(from, from + PIECE_BYTES) };
}
