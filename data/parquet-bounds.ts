import { stat } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { EngineError } from '../engine/errors.js';
import { aloneInDuckDb, parquetPath } from './duckdb.js';

/**
 * A Parquet file says how much it holds, and a few bytes can say and hold a lot. These bounds apply
 * to files that others wrote, before and while one is read.
 */

/** A file may hold this much, however small it is. */
const FREE_BYTES = 64 * 1024 * 1024;
/** Bytes of columns for each byte of the file. Real prices reach 20. */
const RATIO_MAX = 200;
/** What DuckDB may hold while it reads; the columns that it hands over come on top. */
const READ_MEMORY_MB = 768;
const READ_THREADS = 2;
const VALUE_BYTES = 8;

interface ParquetSize {
  readonly rows: number;
  /** Columns that are read. */
  readonly columns: number;
  /** Bytes of all pages, unpacked. */
  readonly pageBytes: number;
  readonly fileBytes: number;
}

/**
 * Compares what a file says of its size with the file.
 * @throws INVALID_DATA naming file, bound and value
 */
export function checkParquetSize(
  { rows, columns, pageBytes, fileBytes }: ParquetSize,
  rowsMax: number,
  name: string,
): void {
  if (rows > rowsMax) throw invalid(`${name} must have at most ${rowsMax} rows, has ${rows}`);
  const bytes = Math.max(pageBytes, rows * columns * VALUE_BYTES);
  const most = Math.max(FREE_BYTES, fileBytes * RATIO_MAX);
  if (bytes <= most) return;
  throw invalid(
    `${name} must hold at most ${most} bytes in its columns, as its ${fileBytes} bytes allow, has ${bytes}`,
  );
}

/**
 * Lets `use` read a Parquet file that others wrote, with little memory. Its rows are to be
 * streamed.
 */
export function withForeignParquet<T>(use: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
  return aloneInDuckDb(use, { threads: String(READ_THREADS), memory_limit: `${READ_MEMORY_MB}MB` });
}

/**
 * The number of rows of a file, by its metadata.
 * @param columns how many columns will be read
 * @throws INVALID_DATA for a file that says more of itself than its length allows
 */
export async function checkedRows(
  connection: DuckDBConnection,
  path: string,
  name: string,
  { columns, rowsMax }: { readonly columns: number; readonly rowsMax: number },
): Promise<number> {
  const { size: fileBytes } = await stat(path);
  const source = parquetPath(path);
  const [[whole] = []] = await readRows(connection, `SELECT num_rows::DOUBLE FROM parquet_file_metadata(${source})`);
  const groups = await readRows(
    connection,
    `SELECT any_value(row_group_num_rows)::DOUBLE, sum(total_uncompressed_size)::DOUBLE
     FROM parquet_metadata(${source}) GROUP BY row_group_id`,
  );
  const sum = (k: number) => groups.reduce((total, group) => total + Math.max(0, group[k] ?? 0), 0);
  const rows = Math.max(whole ?? 0, sum(0));
  checkParquetSize({ rows, columns, pageBytes: sum(1), fileBytes }, rowsMax, name);
  return rows;
}

const readRows = async (connection: DuckDBConnection, sql: string): Promise<number[][]> =>
  (await connection.runAndReadAll(sql)).getRows() as number[][];

const invalid = (message: string): EngineError => new EngineError('INVALID_DATA', message);
