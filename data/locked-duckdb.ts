import { resolve } from 'node:path';
import type { DuckDBInstance } from '@duckdb/node-api';
import { literalPath, loadDuckDb, sqlText } from './duckdb.js';

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
