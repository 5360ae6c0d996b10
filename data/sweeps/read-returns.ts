import { literalPath, sqlText, withDuckDb } from '../duckdb.js';
import { openSweepFolder } from './sweep-folder.js';

/**
 * Column of the part files with the returns of each run by period, as single-precision numbers. It
 * is null for runs that did not trade, and left out of the table that queries see.
 */
export const RETURNS_COLUMN = 'period_returns';

/** Returns of runs, one row each, over the same periods. */
interface StoredReturns {
  /** Ascending. */
  readonly runs: Float64Array;
  readonly periodCount: number;
  /** Row after row. */
  readonly values: Float32Array;
}

/**
 * Reads the returns of the runs that a condition selects. Every row takes four bytes a period, and
 * DuckDB hands them over a few thousand rows at a time.
 *
 * @param where condition over the columns of a result row
 * @returns null where no such run has returns: none traded, or the rows are of an older version
 */
export async function readReturns(folder: string, where: string): Promise<StoredReturns | null> {
  const parts = await openSweepFolder(folder).parts();
  if (parts.length === 0) return null;
  const files = `[${parts.map(({ file }) => sqlText(literalPath(file))).join(', ')}]`;
  const source = `read_parquet(${files}, hive_partitioning = false, union_by_name = true)`;
  return withDuckDb(async (connection) => {
    const described = await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${source}`);
    if (!described.getRows().some(([name]) => name === RETURNS_COLUMN)) return null;
    const chosen = `FROM ${source} WHERE ${RETURNS_COLUMN} IS NOT NULL AND (${where})`;
    const listed = await connection.runAndReadAll(
      `SELECT run_index::DOUBLE, octet_length(${RETURNS_COLUMN})::DOUBLE ${chosen} ORDER BY 1`,
    );
    const [runs = [], lengths = []] = listed.getColumns() as number[][];
    if (runs.length === 0) return null;
    const bytesEach = lengths[0] as number;
    if (lengths.some((bytes) => bytes !== bytesEach)) throw new Error('runs of one dataset have the same periods');
    const places = new Map(runs.map((run, place) => [run, place]));
    // Shared, so that threads can judge them without a copy.
    const values = new Uint8Array(new SharedArrayBuffer(runs.length * bytesEach));
    const found = await connection.stream(`SELECT run_index::DOUBLE, ${RETURNS_COLUMN} ${chosen}`);
    for await (const chunk of found) {
      const [index, blobs] = [chunk.getColumnVector(0), chunk.getColumnVector(1)];
      for (let i = 0; i < chunk.rowCount; i++) {
        const { bytes } = blobs.getItem(i) as { readonly bytes: Uint8Array };
        values.set(bytes, (places.get(index.getItem(i) as number) as number) * bytesEach);
      }
    }
    return { runs: Float64Array.from(runs), periodCount: bytesEach / 4, values: new Float32Array(values.buffer) };
  });
}
