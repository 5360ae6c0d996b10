import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { EngineError } from '../../engine/errors.js';
import { confinedToFolders, duckDbReason, literalPath, loadDuckDb, prepareSelect, sqlText } from '../duckdb.js';
import { RETURNS_COLUMN } from './read-returns.js';
import { openSweepFolder } from './sweep-folder.js';

export interface ResultTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/**
 * Runs SQL over the rows of sweeps, which are the table `results`. It reads files of these sweeps
 * and no others. Integers are returned as numbers, times and dates as strings.
 *
 * @param folders of the sweeps to read
 * @throws NOT_FOUND when they have no rows; INVALID_FIELD with DuckDB's reason when the query is
 *   invalid
 */
export async function queryResults(folders: readonly string[], sql: string): Promise<ResultTable> {
  const parts = (await Promise.all(folders.map((folder) => openSweepFolder(folder).parts()))).flat();
  if (parts.length === 0) throw new EngineError('NOT_FOUND', `no rows in ${folders.join(', ') || 'any sweep'}`);
  const { DuckDBTypeId } = loadDuckDb();
  return confinedToFolders(folders, async (connection) => {
    const files = `[${parts.map(({ file }) => sqlText(literalPath(resolve(file)))).join(', ')}]`;
    await connection.run(
      `CREATE TEMP VIEW results AS SELECT COLUMNS(name -> name <> '${RETURNS_COLUMN}') FROM read_parquet(${files}, hive_partitioning = false, union_by_name = true)`,
    );
    try {
      // A subquery can only read. One that closes its brackets makes several statements, which
      // `prepareSelect` refuses.
      const prepared = await prepareSelect(connection, `SELECT * FROM (${sql.trim().replace(/;$/, '')})`);
      const reader = await prepared.runAndReadAll();
      const isDate = reader.columnTypes().map(({ typeId }) => typeId === DuckDBTypeId.DATE);
      // biome-ignore lint/style/noNonNullAssertion: one flag for each column of the result
      const rows = reader.getRowsJS().map((row) => row.map((value, i) => plain(value, isDate[i]!)));
      return { columns: reader.deduplicatedColumnNames(), rows };
    } catch (error) {
      throw new EngineError('INVALID_FIELD', `query: ${duckDbReason(error)}`, { field: 'query' });
    }
  });
}

const DATE_LENGTH = '2024-01-31'.length;

function plain(value: unknown, isDate: boolean): unknown {
  if (typeof value === 'bigint') return Number(value);
  return value instanceof Date ? value.toISOString().slice(0, isDate ? DATE_LENGTH : undefined) : value;
}

/** The folders of the sweeps below `home`, by name. */
export async function listSweeps(home: string): Promise<string[]> {
  const folder = join(home, 'sweeps');
  const names = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return names
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name))
    .sort();
}
