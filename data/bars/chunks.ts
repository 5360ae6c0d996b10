import type { DuckDBDataChunk, DuckDBVector } from '@duckdb/node-api';
import { type AllocateColumns, allocateBars, type BarSeries, type OnchainColumn } from '../../engine/series/index.js';
import { vectorItems } from '../duckdb.js';
import { columnsOf } from './columns.js';

/** Writes the first `count` times of a result vector to `into`. */
export type ReadTimes = (vector: DuckDBVector, into: Float64Array, count: number) => void;

const copyDoubles: ReadTimes = (vector, into) => into.set(vectorItems<Float64Array>(vector));

/**
 * A series from the chunks of a query whose columns are DOUBLE, never NULL, in the order of
 * `columnsOf`. It copies whole vectors: a million bars take some 20 ms.
 *
 *
 * @param readTimes reads the time column where the query returns another type
 * @param allocate allocates the columns; by default each series gets memory of its own
 */
export function barsFromChunks(
  chunks: readonly DuckDBDataChunk[],
  intervalMs: number,
  onchainNames: readonly OnchainColumn[],
  readTimes: ReadTimes = copyDoubles,
  allocate?: AllocateColumns,
): BarSeries {
  const rowCount = chunks.reduce((sum, chunk) => sum + chunk.rowCount, 0);
  const bars = allocateBars(rowCount, intervalMs, onchainNames, allocate);
  const columns = columnsOf(bars).map(({ values }) => values);
  let from = 0;
  for (const chunk of chunks) {
    const count = chunk.rowCount;
    columns.forEach((column, k) => {
      const read = k === 0 ? readTimes : copyDoubles;
      read(chunk.getColumnVector(k), column.subarray(from, from + count), count);
    });
    from += count;
  }
  return bars;
}
