import { EngineError } from '../../engine/errors.js';
import { duckDbReason, parquetSource, sqlName, vectorItems, withDuckDb } from '../duckdb.js';

/** A recorded table: when each row happened, and its values. */
export interface RecordedColumns<Name extends string> {
  /** Epoch ms, ascending; rows of the same time keep their recorded order. */
  readonly time: Float64Array;
  /** By name, each as long as `time`; true is 1 and false is 0. */
  readonly values: Readonly<Record<Name, Float64Array>>;
}

/**
 * Reads columns of a recorded Parquet file whose time is its column `timestamp`.
 * @param window SQL condition on the rows; default all
 * @throws INVALID_DATA when the file is missing or damaged
 */
export async function readColumns<Name extends string>(
  path: string,
  names: readonly Name[],
  window = 'true',
): Promise<RecordedColumns<Name>> {
  const selected = ['epoch_ms("timestamp")', ...names.map(sqlName)].map((column) => `CAST(${column} AS DOUBLE)`);
  try {
    return await withDuckDb(async (connection) => {
      const result = await connection.run(`SELECT ${selected} FROM ${parquetSource(path)} WHERE ${window}`);
      const chunks = await result.fetchAllChunks();
      const rowCount = chunks.reduce((sum, chunk) => sum + chunk.rowCount, 0);
      const column = (index: number): Float64Array => {
        const values = new Float64Array(rowCount);
        let from = 0;
        for (const chunk of chunks) {
          values.set(vectorItems<Float64Array>(chunk.getColumnVector(index)), from);
          from += chunk.rowCount;
        }
        return values;
      };
      const values = Object.fromEntries(names.map((name, k) => [name, column(k + 1)])) as Record<Name, Float64Array>;
      return { time: column(0), values };
    });
  } catch (error) {
    throw new EngineError('INVALID_DATA', `${path} cannot be read: ${duckDbReason(error)}`, { path });
  }
}
