import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import type { DuckDBConnection, DuckDBInstance, DuckDBPreparedStatement, DuckDBVector } from '@duckdb/node-api';
import { errorMessage } from '../engine/errors.js';
import { oneLine } from './one-line.js';
import { missingPackage } from './package/index.js';

const require = createRequire(import.meta.url);

/**
 * The library, loaded on first use, since commands that read no bars must start fast. It is
 * CommonJS in 180 files; `import()` would parse each of them a second time for its exported names
 * and so take twice as long.
 * @throws EngineError NOT_FOUND with the install command where the package is missing
 */
export function loadDuckDb(): typeof import('@duckdb/node-api') {
  try {
    return require('@duckdb/node-api') as typeof import('@duckdb/node-api');
  } catch (error) {
    throw missingPackage(error) ?? error;
  }
}

/** Whether the package, which is optional, is installed. */
export function hasDuckDb(): boolean {
  try {
    require.resolve('@duckdb/node-api');
    return true;
  } catch {
    return false;
  }
}

/**
 * The shared DuckDB instance of the process: in memory, over files that we name. This reference
 * keeps it alive, since an unreferenced instance is collected while its queries run. It fetches and
 * loads no extensions, so a path can never become a network request.
 */
let instance: Promise<DuckDBInstance> | null = null;

async function openInstance(options: Readonly<Record<string, string>> = {}): Promise<DuckDBInstance> {
  return loadDuckDb().DuckDBInstance.create(':memory:', {
    ...options,
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    // Files are read once, and the cache would take up to most of the memory.
    enable_external_file_cache: 'false',
  });
}

/** Runs `use` on a new connection, with its own temporary tables, and closes it afterwards. */
export async function withDuckDb<T>(use: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
  instance ??= openInstance().catch((error: unknown) => {
    instance = null; // the next caller tries again
    throw error;
  });
  const current = instance;
  try {
    return await onConnection(await current, use);
  } catch (error) {
    // An internal error of DuckDB, which a broken file can cause, invalidates the whole instance.
    // The next caller gets a new one.
    if (instance === current && /FATAL|INTERNAL|invalidated/.test(String(error))) instance = null;
    throw error;
  }
}

/**
 * Like `withDuckDb`, on a separate instance that computes on one thread and frees its memory at the
 * end. It is for long work in the background: the shared instance uses every processor and keeps
 * most of the memory of a large sort.
 */
export async function aloneInDuckDb<T>(
  use: (connection: DuckDBConnection) => Promise<T>,
  options: Readonly<Record<string, string>> = { threads: '1' },
): Promise<T> {
  const own = await openInstance(options);
  try {
    return await onConnection(own, use);
  } finally {
    own.closeSync();
  }
}

async function onConnection<T>(of: DuckDBInstance, use: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
  const connection = await of.connect();
  try {
    return await use(connection);
  } finally {
    connection.closeSync();
  }
}

/** A string as an SQL literal. */
export const sqlText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** A column name as an SQL identifier. */
export const sqlName = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Escapes the wildcards of a path, so that it matches only itself. */
export const literalPath = (path: string): string => path.replace(/[*?[]/g, '[$&]');

/** One Parquet file as a FROM item. Its path has no wildcards, and folder names add no columns. */
export const parquetSource = (path: string): string => `read_parquet(${parquetPath(path)}, hive_partitioning = false)`;

/** Its path as an SQL literal that matches only itself. */
export const parquetPath = (path: string): string => sqlText(literalPath(resolve(path)));

/**
 * Prepares one statement that reads. Any other could write files or attach a database.
 * @throws Error for another kind of statement, or for several; DuckDB's error for an invalid one
 */
export async function prepareSelect(connection: DuckDBConnection, sql: string): Promise<DuckDBPreparedStatement> {
  const prepared = await connection.prepare(sql);
  if (prepared.statementType === loadDuckDb().StatementType.SELECT) return prepared;
  prepared.destroySync();
  throw new Error('only statements that read are allowed');
}

/** DuckDB's reason for a failure, on one line. */
export const duckDbReason = (error: unknown): string => oneLine(errorMessage(error));

/**
 * The values of a fixed-width vector as one typed array. The library declares them private, but its
 * `getItem` is a hundred times slower.
 */
export const vectorItems = <T extends Float64Array | BigInt64Array>(vector: DuckDBVector): T =>
  (vector as DuckDBVector & { readonly items: T }).items;

export interface LockedOptions {
  /** The only folders it can read. It reads nothing else on the machine and has no network. */
  readonly folders: readonly string[];
  readonly memoryMb: number;
  readonly threads: number;
}

/**
 * A DuckDB instance of its own for statements that others compose: it sees the named folders, keeps
 * nothing on disk, loads no extension, and its settings cannot be changed.
 */
export async function openLockedDuckDb({ folders, memoryMb, threads }: LockedOptions): Promise<DuckDBInstance> {
  const instance = await loadDuckDb().DuckDBInstance.create(':memory:', {
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
    memory_limit: `${memoryMb}MB`,
    threads: String(threads),
  });
  const connection = await instance.connect();
  // DuckDB checks a path as written, with its wildcards escaped, and again as found on disk.
  const allowed = folders.flatMap((folder) => [`${resolve(folder)}/`, literalPath(`${resolve(folder)}/`)]);
  for (const setting of [
    'parquet_metadata_cache = true', // parts never change
    "temp_directory = ''",
    `allowed_directories = [${allowed.map(sqlText).join(', ')}]`,
    'enable_external_access = false',
    'lock_configuration = true',
  ]) {
    await connection.run(`SET GLOBAL ${setting}`);
  }
  connection.closeSync();
  return instance;
}
