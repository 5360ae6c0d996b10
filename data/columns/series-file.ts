import { EngineError } from '../../engine/errors.js';
import { duckDbReason, parquetSource, vectorItems, withDuckDb } from '../duckdb.js';
import { writeParquet } from '../tables/write-parquet.js';
import type { PublishedSeries } from './series.js';

/** Writes a series as a Parquet file: period, published, value, revised. */
export const writeSeriesFile = (path: string, { period, published, value, revised }: PublishedSeries): Promise<void> =>
  writeParquet(path, [
    { name: 'period', type: 'time', values: period },
    { name: 'published', type: 'time', values: published },
    { name: 'value', type: 'double', values: value },
    { name: 'revised', type: 'boolean', values: Array.from(revised, (flag) => flag === 1) },
  ]);

/** @throws INVALID_DATA when the file is missing or damaged */
export async function readSeriesFile(path: string): Promise<PublishedSeries> {
  const columns = ['epoch_ms(period)', 'epoch_ms(published)', 'value', 'revised'];
  const sql = `SELECT ${columns.map((column) => `CAST(${column} AS DOUBLE)`).join(', ')} FROM ${parquetSource(path)}`;
  try {
    return await withDuckDb(async (connection) => {
      const chunks = await (await connection.run(sql)).fetchAllChunks();
      const read = (index: number) =>
        Float64Array.from(
          chunks.flatMap((chunk) => Array.from(vectorItems<Float64Array>(chunk.getColumnVector(index)))),
        );
      return { period: read(0), published: read(1), value: read(2), revised: Uint8Array.from(read(3)) };
    });
  } catch (error) {
    throw new EngineError('INVALID_DATA', `${path} cannot be read, add the column again: ${duckDbReason(error)}`, {
      path,
    });
  }
}
