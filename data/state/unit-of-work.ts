import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Kysely,
  type PostgresCursor,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
  sql,
} from 'kysely';

/** Steps of a unit that were committed before its end, also by an earlier attempt at the unit. */
interface Steps {
  readonly done: Record<string, unknown>;
  /** Keeps the value of a step, in the transaction of the step. */
  record(name: string, value: unknown): Promise<void>;
}

/** `BEGIN`, `COMMIT` and `ROLLBACK`, as Kysely writes them. */
const begins = /^\s*begin\b/i;
const commits = /^\s*commit\b/i;
const rollsBack = /^\s*rollback$/i;
const reads = /^\s*select\b(?!.*\b(?:pg_notify|nextval|for (?:no key )?update|for (?:key )?share)\b)/is;

/** Whether a statement changes and locks nothing. */
export const changesNothing = (statement: string): boolean => reads.test(statement);

const current = new AsyncLocalStorage<UnitOfWork | undefined>();

/**
 * What a call does to the state as one transaction, whatever stores and use cases take part. Its
 * statements find it by their asynchronous context. The transaction begins at the first statement
 * that changes something, so computing before it holds no connection; from then on every statement
 * of the unit runs in it. Transactions of stores become savepoints, which take turns.
 */
class UnitOfWork {
  #pool: PostgresPool | null = null;
  #client: PostgresPoolClient | null = null;
  #last: Promise<void> = Promise.resolve();
  #isOver = false;
  readonly #hooks: (() => void)[] = [];

  constructor(readonly steps: Steps | null) {}

  get isOver(): boolean {
    return this.#isOver;
  }

  get hasBegun(): boolean {
    return this.#client !== null;
  }

  /** A unit stays with the first store that it changes. */
  mayJoin(pool: PostgresPool): boolean {
    return !this.#isOver && (this.#pool === null || this.#pool === pool);
  }

  /** Waits for the turn of the caller, who calls the result to end it. */
  async #takeTurn(): Promise<() => void> {
    const before = this.#last;
    let leave = (): void => {};
    this.#last = new Promise((resolve) => {
      leave = resolve;
    });
    await before;
    return leave;
  }

  /** Takes the connection of the transaction, which begins if it has not. */
  async enter(pool: PostgresPool): Promise<{ readonly client: PostgresPoolClient; leave(): void }> {
    const leave = await this.#takeTurn();
    try {
      if (!this.mayJoin(pool)) throw new Error('the unit of work of this statement is over');
      this.#client ??= await this.#begin(pool);
      return { client: this.#client, leave };
    } catch (error) {
      leave();
      throw error;
    }
  }

  async #begin(pool: PostgresPool): Promise<PostgresPoolClient> {
    this.#pool = pool;
    const client = await pool.connect();
    try {
      await client.query('begin', []);
      return client;
    } catch (error) {
      client.release();
      throw error;
    }
  }

  afterCommit(hook: () => void): void {
    this.#hooks.push(hook);
  }

  async commit(): Promise<void> {
    const answer = await this.#end('commit');
    // The database answers so where a statement has failed and its error was ignored.
    if ((answer?.command as string | undefined) === 'ROLLBACK') throw new Error('the unit of work was rolled back');
    for (const hook of this.#hooks) hook();
  }

  async rollBack(): Promise<void> {
    // The cause matters more, and a lost connection rolls back.
    await this.#end('rollback').catch(() => {});
  }

  async #end(statement: string): Promise<PostgresQueryResult<unknown> | null> {
    const leave = await this.#takeTurn();
    const client = this.#client;
    this.#client = null;
    this.#isOver = true;
    try {
      return client === null ? null : await client.query(statement, []);
    } finally {
      client?.release();
      leave();
    }
  }
}

/** Runs `act` as a unit of work: all that it changes takes effect when it resolves, or nothing. */
export async function inUnitOfWork<T>(act: () => Promise<T>, steps: Steps | null = null): Promise<T> {
  const unit = new UnitOfWork(steps);
  let value: T;
  try {
    value = await current.run(unit, act);
  } catch (error) {
    await unit.rollBack();
    throw error;
  }
  await current.run(undefined, () => unit.commit());
  return value;
}

const open = (): UnitOfWork | null => {
  const unit = current.getStore();
  return unit === undefined || unit.isOver ? null : unit;
};

/** Whether the caller holds a transaction; who does must not wait for other work. */
export const holdsTransaction = (): boolean => open()?.hasBegun === true;

/** For what may take long: it would keep the transaction of its call open, and others waiting. */
export function refuseInTransaction(what: string): void {
  if (holdsTransaction()) throw new Error(`${what} must come before the changes of its call`);
}

/**
 * Calls `hook` when the changes of the caller are committed: at once, if no unit of work is open;
 * never, if it is rolled back.
 */
export function afterCommit(hook: () => void): void {
  const unit = open();
  if (unit === null) hook();
  else unit.afterCommit(hook);
}

/**
 * Commits what `act` changes before the unit of work of the caller ends. A unit that is attempted
 * again after a crash gets the value of the first time and changes nothing.
 * @param name unique within the unit
 */
export async function committedOnce<T>(name: string, act: () => Promise<T>): Promise<T> {
  const unit = open();
  const steps = unit?.steps ?? null;
  if (steps === null || unit?.hasBegun === true) return act();
  if (Object.hasOwn(steps.done, name)) return steps.done[name] as T;
  const value = await inUnitOfWork(async () => {
    const value = await act();
    await steps.record(name, value);
    return value;
  });
  steps.done[name] = value;
  return value;
}

/**
 * Commits what `act` changes at once, whatever becomes of the unit of work of the caller. Only for
 * changes that may safely happen twice.
 */
export const apart = <T>(act: () => Promise<T>): Promise<T> =>
  holdsTransaction() ? act() : current.run(undefined, act);

/** The pool of a store, whose statements join the unit of work of their caller. */
export const joiningUnits = (pool: PostgresPool): PostgresPool => ({
  async connect() {
    const unit = open();
    return unit?.mayJoin(pool) ? clientIn(unit, pool) : pool.connect();
  },
  end: () => pool.end(),
});

/** A client of a unit of work: with a connection of its own until the transaction begins. */
function clientIn(unit: UnitOfWork, pool: PostgresPool): PostgresPoolClient {
  let own: PostgresPoolClient | null = null;
  /** Set in a transaction of a store. */
  let inner: Awaited<ReturnType<UnitOfWork['enter']>> | null = null;
  const leave = (): void => {
    inner?.leave();
    inner = null;
  };
  const run = async <R>(statement: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>> => {
    if (own !== null) return own.query<R>(statement, parameters);
    if (inner !== null) {
      const { client } = inner;
      if (commits.test(statement)) {
        const answer = await client.query<R>('release savepoint inner_unit', []);
        leave();
        return answer;
      }
      if (!rollsBack.test(statement)) return client.query<R>(statement, parameters);
      try {
        return await client.query<R>('rollback to savepoint inner_unit', []);
      } finally {
        leave();
      }
    }
    if (begins.test(statement)) {
      inner = await unit.enter(pool);
      return inner.client.query<R>('savepoint inner_unit', []);
    }
    if (!unit.mayJoin(pool) || (!unit.hasBegun && changesNothing(statement))) {
      own = await pool.connect();
      return own.query<R>(statement, parameters);
    }
    const entered = await unit.enter(pool);
    try {
      return await entered.client.query<R>(statement, parameters);
    } finally {
      entered.leave();
    }
  };
  function query<R>(statement: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  function query<R>(statement: string | PostgresCursor<R>, parameters: readonly unknown[] = []): unknown {
    if (typeof statement !== 'string') throw new Error('a unit of work has no cursors');
    return run<R>(statement, parameters);
  }
  return {
    query,
    release() {
      leave();
      own?.release();
    },
  };
}

/**
 * The number of the next turn, counted over all claims. The organization whose last turn is longest
 * ago is next.
 */
export const nextTurn = sql<number>`nextval('turns')`;

/**
 * Keeps other transactions from claiming until this one ends, since each claim depends on all
 * others.
 */
export async function oneClaimAtATime<T>(db: Kysely<T>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('barline_claims'))`.execute(db);
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Ids are UUIDs. Another text identifies no row, and PostgreSQL would refuse a statement with it.
 */
export const isUuid = (value: unknown): value is string => typeof value === 'string' && uuid.test(value);
