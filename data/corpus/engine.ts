import { resolve } from 'node:path';
import type { DuckDBConnection, DuckDBInstance, DuckDBType, DuckDBValue } from '@duckdb/node-api';
import { duckDbReason, loadDuckDb, sqlText } from '../duckdb.js';
import { literalPath } from './files.js';

/** A value that takes the place of `$1`, `$2`, ... in a statement; a list of texts as `texts`, a day as text, a time in epoch ms. */
export type Parameter =
  | { readonly type: 'text' | 'date'; readonly value: string }
  | { readonly type: 'integer' | 'number' | 'time'; readonly value: number }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'texts'; readonly value: readonly string[] };

/** Every column must be of DOUBLE, VARCHAR or BOOLEAN. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly Parameter[];
}

export interface QueryEngineOptions {
  /** The only places it can read; nothing else of the machine, and no network. */
  readonly folders: readonly string[];
  readonly memoryMb: number;
  readonly threads: number;
  /** From the moment that a statement is handed in. */
  readonly timeoutMs: number;
}

/** A statement was given up, for want of time, memory or a turn. */
export class QueryGivenUp extends Error {
  override readonly name = 'QueryGivenUp';
}

/** Each holds a thread of the process's pool for file work while it runs, of which there are four. */
const CONNECTIONS = 2;
const WAITING_MAX = 64;
const INTERRUPT_MS = 20;

interface Opened {
  readonly instance: DuckDBInstance;
  readonly idle: DuckDBConnection[];
}

/**
 * Runs statements that read, and no others, on a DuckDB of its own that is locked up: it sees the named folders, keeps
 * nothing on disk, and none of its settings can be changed any more. It is opened with the first statement.
 */
export class QueryEngine {
  readonly #options: QueryEngineOptions;
  #opening: Promise<Opened> | null = null;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(options: QueryEngineOptions) {
    this.#options = options;
  }

  /**
   * @returns the columns of the result
   * @throws QueryGivenUp; the reason of a signal that aborts; whatever DuckDB says of a statement that is wrong
   */
  async select(statement: Statement, signal?: AbortSignal): Promise<unknown[][]> {
    const limit = AbortSignal.timeout(this.#options.timeoutMs);
    const end = signal === undefined ? limit : AbortSignal.any([signal, limit]);
    try {
      await this.#turn(end);
      try {
        return await this.#run(statement, end);
      } finally {
        const next = this.#waiting.shift();
        if (next === undefined) this.#running--;
        else next(); // in our place
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (limit.aborted) throw new QueryGivenUp(`the query was not done within ${this.#options.timeoutMs} ms`);
      if (/^Out of Memory/.test(duckDbReason(error))) {
        throw new QueryGivenUp(`the query needs more than ${this.#options.memoryMb} MB of memory`);
      }
      throw error;
    }
  }

  async close(): Promise<void> {
    const opened = await this.#opening?.catch(() => null);
    this.#opening = null;
    for (const connection of opened?.idle ?? []) connection.closeSync();
    opened?.instance.closeSync();
  }

  async #turn(end: AbortSignal): Promise<void> {
    end.throwIfAborted();
    if (this.#running < CONNECTIONS) {
      this.#running++;
      return;
    }
    if (this.#waiting.length >= WAITING_MAX) throw new QueryGivenUp('too many queries are waiting');
    await new Promise<void>((enter, refuse) => {
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1);
        refuse(end.reason);
      };
      const go = (): void => {
        end.removeEventListener('abort', leave);
        enter();
      };
      this.#waiting.push(go);
      end.addEventListener('abort', leave, { once: true });
    });
  }

  async #run({ sql, parameters }: Statement, end: AbortSignal): Promise<unknown[][]> {
    this.#opening ??= openLocked(this.#options);
    const opening = this.#opening;
    const { instance, idle } = await opening;
    const connection = idle.pop() ?? (await instance.connect());
    let interrupting: NodeJS.Timeout | undefined;
    // Between two steps of a statement an interruption is lost, so it is repeated until the statement has ended.
    const interrupt = (): void => {
      interrupting = setInterval(() => connection.interrupt(), INTERRUPT_MS);
      connection.interrupt();
    };
    try {
      end.throwIfAborted();
      end.addEventListener('abort', interrupt, { once: true });
      const columns = await read(connection, sql, parameters);
      end.throwIfAborted();
      return columns;
    } catch (error) {
      // An internal error, which a broken file can cause, invalidates the whole instance; the next caller gets a new one.
      if (this.#opening === opening && /FATAL|INTERNAL|invalidated/.test(String(error))) this.#opening = null;
      throw error;
    } finally {
      end.removeEventListener('abort', interrupt);
      clearInterval(interrupting);
      idle.push(connection);
    }
  }
}

async function openLocked({ folders, memoryMb, threads }: QueryEngineOptions): Promise<Opened> {
  const instance = await loadDuckDb().DuckDBInstance.create(':memory:', {
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    allow_community_extensions: 'false',
    memory_limit: `${memoryMb}MB`,
    threads: String(threads),
  });
  const connection = await instance.connect();
  // A path is checked as it is written, where characters of patterns are escaped, and again as it is found.
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
  return { instance, idle: [connection] };
}

async function read(connection: DuckDBConnection, sql: string, parameters: readonly Parameter[]): Promise<unknown[][]> {
  const { StatementType } = loadDuckDb();
  const prepared = await connection.prepare(sql);
  try {
    // In the folders that it may read it could also write, or attach a database.
    if (prepared.statementType !== StatementType.SELECT) throw new Error('only statements that read are run');
    const bound = parameters.map(toDuckDb);
    prepared.bind(
      bound.map(({ value }) => value),
      bound.map(({ type }) => type),
    );
    const reader = await prepared.runAndReadAll();
    return reader.getColumns();
  } finally {
    prepared.destroySync();
  }
}

const DAY_MS = 86_400_000;

function toDuckDb(parameter: Parameter): { value: DuckDBValue; type: DuckDBType } {
  const duckdb = loadDuckDb();
  switch (parameter.type) {
    case 'text':
      return { value: parameter.value, type: duckdb.VARCHAR };
    case 'boolean':
      return { value: parameter.value, type: duckdb.BOOLEAN };
    case 'number':
      return { value: parameter.value, type: duckdb.DOUBLE };
    case 'integer':
      return { value: BigInt(parameter.value), type: duckdb.BIGINT };
    case 'date':
      return { value: new duckdb.DuckDBDateValue(Date.parse(parameter.value) / DAY_MS), type: duckdb.DATE };
    case 'time':
      return { value: new duckdb.DuckDBTimestampValue(BigInt(parameter.value) * 1_000n), type: duckdb.TIMESTAMP };
    case 'texts':
      return { value: duckdb.listValue(parameter.value), type: duckdb.LIST(duckdb.VARCHAR) };
  }
}
