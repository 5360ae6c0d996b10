import { readdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import type { DuckDBConnection } from '@duckdb/node-api';
import { EngineError, quote } from '../../engine/errors.js';
import { duckDbReason, literalPath, loadDuckDb, openLockedDuckDb, prepareSelect, sqlText } from '../duckdb.js';
import { RETURNS_COLUMN } from './read-runs.js';
import { openSweepFolder } from './sweep-folder.js';
import { axesIn, sweptColumns, windowsIn } from './swept-columns.js';

export interface ResultTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

const MEMORY_MB = 4_096;
const ROWS_MAX = 1_000_000;

/** Functions in the place of a table that a query may call: they read and write no file. */
const tableFunctions = new Set(['range', 'generate_series', 'unnest']);

/** Rows can be queried where the record of their sweep is damaged, without the swept parameters. */
const readRecords = (folders: readonly string[]): Promise<unknown[]> =>
  Promise.all(
    folders.map((folder) =>
      openSweepFolder(folder)
        .readRecord()
        .catch(() => null),
    ),
  );

/** What varies in sweeps, by the names of its columns, in the order of the configuration. */
export interface Varied {
  /** Parameters of rules. */
  readonly parameters: readonly string[];
  /** Windows and settings, which no rule shows. */
  readonly beside: readonly string[];
}

export async function variedColumns(folders: readonly string[]): Promise<Varied> {
  const records = await readRecords(folders);
  return {
    parameters: [...sweptColumns(records, new Set()).keys()],
    beside: [...new Set([...windowsIn(records), ...records.flatMap(axesIn)])],
  };
}

/**
 * Runs SQL over the rows of sweeps, which are the table `results`, with the swept parameters of
 * their rules as columns. Integers are returned as
 * numbers, times and dates as strings. The SQL may come from a stranger: it reads that table and
 * nothing else.
 *
 * @param folders of the sweeps to read
 * @throws NOT_FOUND when they have no rows; INVALID_FIELD with DuckDB's reason when the query is
 *   invalid, or reads anything else
 */
export async function queryResults(folders: readonly string[], sql: string): Promise<ResultTable> {
  const parts = (await Promise.all(folders.map((folder) => openSweepFolder(folder).parts()))).flat();
  if (parts.length === 0) throw new EngineError('NOT_FOUND', `no rows in ${folders.join(', ') || 'any sweep'}`);
  const records = await readRecords(folders);
  const { DuckDBTypeId } = loadDuckDb();
  const threads = availableParallelism();
  const instance = await openLockedDuckDb({ folders, memoryMb: MEMORY_MB, threads });
  const connection = await instance.connect();
  try {
    const files = `[${parts.map(({ file }) => sqlText(literalPath(resolve(file)))).join(', ')}]`;
    try {
      const rows = `read_parquet(${files}, hive_partitioning = false, union_by_name = true)`;
      const described = (await connection.runAndReadAll(`DESCRIBE SELECT * FROM ${rows}`)).getRows();
      const names = new Set(described.map(([name]) => String(name)));
      const swept = names.has('entry_json') ? sweptColumns(records, names).values() : [];
      const columns = [`COLUMNS(name -> name <> '${RETURNS_COLUMN}')`, ...swept];
      await connection.run(`CREATE TEMP VIEW results AS SELECT ${columns.join(', ')} FROM ${rows}`);
      const query = sql.trim().replace(/;$/, '');
      await checkQuery(connection, query);
      // A subquery can only read. One that closes its brackets makes several statements, which
      // `prepareSelect` refuses.
      const prepared = await prepareSelect(connection, `SELECT * FROM (${query}) LIMIT ${ROWS_MAX + 1}`);
      const reader = await prepared.runAndReadAll();
      if (reader.currentRowCount > ROWS_MAX) throw new Error(`must return at most ${ROWS_MAX} rows, returns more`);
      const isDate = reader.columnTypes().map(({ typeId }) => typeId === DuckDBTypeId.DATE);
      // biome-ignore lint/style/noNonNullAssertion: one flag for each column of the result
      const values = reader.getRowsJS().map((row) => row.map((value, i) => plain(value, isDate[i]!)));
      return { columns: reader.deduplicatedColumnNames(), rows: values };
    } catch (error) {
      throw new EngineError('INVALID_FIELD', `query: ${duckDbReason(error)}`, { field: 'query' });
    }
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/**
 * Refuses a query that calls a function in the place of a table, by its parsed form. Most of them
 * read files, which the instance denies as well; but it lets a log be written into the folders that
 * it may read, and an address of memory be read.
 */
async function checkQuery(connection: DuckDBConnection, query: string): Promise<void> {
  const [[text] = []] = (await connection.runAndReadAll(`SELECT json_serialize_sql(${sqlText(query)})`)).getRows();
  const tree = JSON.parse(String(text)) as { readonly error: boolean; readonly error_message?: string };
  if (tree.error) throw new Error(tree.error_message ?? 'only statements that read are allowed');
  const open: unknown[] = [tree];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    if ('type' in node && node.type === 'TABLE_FUNCTION' && 'function' in node) {
      const { function_name: name } = node.function as { readonly function_name?: unknown };
      if (!tableFunctions.has(String(name))) {
        throw new Error(`FROM must name results, a subquery or ${[...tableFunctions].join(', ')}, was ${quote(name)}`);
      }
    }
    for (const value of Object.values(node)) open.push(value);
  }
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
