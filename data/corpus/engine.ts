import type { DuckDBConnection, DuckDBInstance, DuckDBType, DuckDBValue } from '@duckdb/node-api';
import { duckDbReason, type LockedOptions, loadDuckDb, openLockedDuckDb, prepareSelect } from '../duckdb.js';

/**
 * A value for `$1`, `$2`, ... in a statement: a list of strings as `texts`, a day as text, a time
 * in epoch ms.
 */
export type Parameter =
  | { readonly type: 'text' | 'date'; readonly value: string }
  | { readonly type: 'integer' | 'number' | 'time'; readonly value: number }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'texts'; readonly value: readonly string[] };

/** Every result column must be DOUBLE, VARCHAR or BOOLEAN. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly Parameter[];
}

interface QueryEngineOptions extends LockedOptions {
  /** Limit of a whole turn, including the wait for a connection. */
  readonly timeoutMs: number;
}

/** A caller's exclusive use of a connection; its statements run one after another. */
export interface Turn {
  /** @returns the columns of the result */
  select(statement: Statement): Promise<unknown[][]>;
}

/** A turn ended early: it ran out of time or memory, or too many queries were waiting. */
export class QueryGivenUp extends Error {
  override readonly name = 'QueryGivenUp';
}

/** A running query occupies one of the process's four threads for file work. */
const CONNECTIONS = 2;
const WAITING_MAX = 256;
/** Per caller, so that a few busy callers leave room for the others. */
const WAITING_OF_ONE_MAX = 32;
const INTERRUPT_MS = 20;

interface Opened {
  readonly instance: DuckDBInstance;
  readonly idle: DuckDBConnection[];
}

/**
 * Runs only statements that read, on a locked-down DuckDB instance of its own: it sees the named
 * folders, keeps nothing on disk, and its settings cannot be changed. The first turn opens it.
 */
export class QueryEngine {
  readonly #options: QueryEngineOptions;
  #opening: Promise<Opened> | null = null;
  /** Waiting turns by caller, in the order in which the callers are served. No list is empty. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #running = 0;

  constructor(options: QueryEngineOptions) {
    this.#options = options;
  }

  /**
   * Runs `work` when a connection is free. Callers take turns, however many queries each has
   * waiting.
   * @param caller the unit of fairness: callers share the engine equally
   * @throws QueryGivenUp; the reason of `signal` when it aborts; any error of `work`, such as
   *   DuckDB's error for an invalid statement
   */
  async turn<T>(caller: string, work: (turn: Turn) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const limit = AbortSignal.timeout(this.#options.timeoutMs);
    const end = signal === undefined ? limit : AbortSignal.any([signal, limit]);
    try {
      await this.#enter(caller, end);
      try {
        return await this.#connected(work, end);
      } finally {
        this.#leave();
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (limit.aborted) throw new QueryGivenUp(`the query did not finish within ${this.#options.timeoutMs} ms`);
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

  async #enter(caller: string, end: AbortSignal): Promise<void> {
    end.throwIfAborted();
    if (this.#running < CONNECTIONS) {
      this.#running++;
      return;
    }
    const ofAll = [...this.#waiting.values()].reduce((sum, { length }) => sum + length, 0);
    if (ofAll >= WAITING_MAX) throw new QueryGivenUp(`too many queries are waiting, at most ${WAITING_MAX}`);
    const line = this.#waiting.get(caller) ?? [];
    if (line.length >= WAITING_OF_ONE_MAX) {
      throw new QueryGivenUp(
        `the organization already has ${WAITING_OF_ONE_MAX} queries waiting, the most it may have`,
      );
    }
    this.#waiting.set(caller, line);
    await new Promise<void>((enter, refuse) => {
      const giveUp = (): void => {
        line.splice(line.indexOf(go), 1);
        if (line.length === 0) this.#waiting.delete(caller);
        refuse(end.reason);
      };
      const go = (): void => {
        end.removeEventListener('abort', giveUp);
        enter();
      };
      line.push(go);
      end.addEventListener('abort', giveUp, { once: true });
    });
  }

  /**
   * Gives the connection to the first waiting turn of the next caller. That caller then goes to the
   * back of the queue.
   */
  #leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#running--;
      return;
    }
    const [caller, line] = next;
    // biome-ignore lint/style/noNonNullAssertion: an empty line is deleted
    const go = line.shift()!;
    this.#waiting.delete(caller);
    if (line.length > 0) this.#waiting.set(caller, line);
    go();
  }

  async #connected<T>(work: (turn: Turn) => Promise<T>, end: AbortSignal): Promise<T> {
    this.#opening ??= openLocked(this.#options).catch((error: unknown) => {
      this.#opening = null; // the next turn tries again
      throw error;
    });
    const opening = this.#opening;
    const { instance, idle } = await opening;
    const connection = idle.pop() ?? (await instance.connect());
    try {
      return await work({
        select: (statement) =>
          runUntil(connection, statement, end).catch((error: unknown) => {
            // An internal error, which a broken file can cause, invalidates the whole instance. The
            // next caller gets a new one.
            if (this.#opening === opening && /FATAL|INTERNAL|invalidated/.test(String(error))) this.#opening = null;
            throw error;
          }),
      });
    } finally {
      idle.push(connection);
    }
  }
}

/** @throws the reason of `end` when it aborts first */
async function runUntil(
  connection: DuckDBConnection,
  { sql, parameters }: Statement,
  end: AbortSignal,
): Promise<unknown[][]> {
  let interrupting: NodeJS.Timeout | undefined;
  // DuckDB loses an interrupt that arrives between two steps of a statement, so it is repeated
  // until the statement has ended.
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
  } finally {
    end.removeEventListener('abort', interrupt);
    clearInterval(interrupting);
  }
}

async function openLocked({ folders, memoryMb, threads }: QueryEngineOptions): Promise<Opened> {
  const instance = await openLockedDuckDb({ folders, memoryMb, threads });
  return { instance, idle: [await instance.connect()] };
}

async function read(connection: DuckDBConnection, sql: string, parameters: readonly Parameter[]): Promise<unknown[][]> {
  // Any other statement could write to the folders it may read.
  const prepared = await prepareSelect(connection, sql);
  try {
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
