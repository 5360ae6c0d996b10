import { EventEmitter } from 'node:events';
import {
  Kysely,
  type PostgresCursor,
  PostgresDialect,
  type PostgresPoolClient,
  type PostgresQueryResult,
  sql,
} from 'kysely';
import type { Backend } from './backend.js';
import { type EmbeddedStore, openEmbeddedStore, type PooledClient } from './embedded/index.js';
import { guardedPool, type Migrations, migrate } from './guarded-pool.js';
import { afterCommit, changesNothing, joiningUnits } from './unit-of-work.js';

/** The open state with the tables of the capabilities. */
export interface OpenState<Tables>
  extends Pick<Backend, 'kind' | 'listen' | 'openQueuePool' | 'connectionUse' | 'changes'> {
  readonly db: Kysely<Tables>;
  /**
   * Sends `text`, at most 8,000 bytes, to all listeners on this state, in any process; within a
   * unit of work, when that is committed.
   */
  notify(channel: string, text: string): Promise<void>;
  /** Resolves once the store answers. */
  ping(): Promise<void>;
  /** Resolves once the store has taken a write, for which it needed room on its disk. */
  probeWrite(): Promise<void>;
  close(): Promise<void>;
}

export interface StateOptions {
  /** Folder of the embedded store and its lock. */
  readonly home: string;
  /** A PostgreSQL server to use instead: `postgres://…`. */
  readonly databaseUrl?: string | undefined;
  /** The embedded store of the home, if the caller has begun to open it. */
  readonly opening?: Promise<EmbeddedStore> | undefined;
  /** The last migration of a new store that a restore fills; default all. */
  readonly upTo?: string | undefined;
  /** Schema of a server's database that `databaseUrl` leads to, if it is not the usual one. */
  readonly schema?: string | undefined;
}

/**
 * Opens the state and brings its tables up to date.
 * @param migrations of all capabilities
 * @throws CONFLICT at once when another process has the embedded store open
 */
export async function openTables<Tables>(
  { home, databaseUrl, opening, upTo, schema }: StateOptions,
  migrations: Migrations,
): Promise<OpenState<Tables>> {
  const { pool, tell, release, ...rest } =
    databaseUrl === undefined
      ? embedded(await (opening ?? openEmbeddedStore(home)))
      : (await import('./server.js')).openServer(databaseUrl);
  const dialect = new PostgresDialect({ pool: joiningUnits(guardedPool(pool)) });
  const db = new Kysely<Tables>({ dialect });
  const close = async (): Promise<void> => {
    try {
      await db.destroy();
    } finally {
      await release();
    }
  };
  try {
    await migrate(db, migrations, upTo, schema);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    ...rest,
    db,
    async notify(channel, text) {
      if (tell === null) await sql`select pg_notify(${channel}, ${text})`.execute(db);
      else afterCommit(() => tell(channel, text));
    },
    async ping() {
      await sql`select 1`.execute(db);
    },
    probeWrite: () => probeWrite(db),
    close,
  };
}

/** Kept by no session: each probe asks the disk for new pages, and commits a record to the log. */
const probeWrite = <Tables>(db: Kysely<Tables>): Promise<void> =>
  db.transaction().execute(async (probe) => {
    await sql`create temp table if not exists write_probe (filler text) on commit delete rows`.execute(probe);
    await sql`insert into write_probe select repeat('x', 4000) from generate_series(1, 16)`.execute(probe);
    await sql`select pg_logical_emit_message(true, 'barline', 'probe')`.execute(probe);
  });

function embedded({ pool, release }: EmbeddedStore): Backend {
  const notices = new EventEmitter(); // all listeners are in this process
  let changes = 0;
  // The store has one session, which takes statements in the order of their sending. So a reader that
  // begins after a change was sent sees it, and one that began before finds the number moved.
  const onStatement = (statement: string): void => {
    if (!changesNothing(statement)) changes++;
  };
  return {
    kind: 'embedded',
    pool: { connect: async () => dialectClient(await pool.connect(), onStatement), end: () => pool.end() },
    changes: () => changes,
    tell: (channel, text) => void notices.emit(channel, text),
    async listen(channel, ears) {
      notices.on(channel, (text) => ears.onNotice(text));
      ears.onHearing();
    },
    async openQueuePool(schema) {
      const { SessionPool } = await import('./embedded/session-pool.js');
      const sessions = new SessionPool(pool);
      await sessions.query(`set search_path to public, ${schema}`);
      return sessions;
    },
    connectionUse: () => pool.use(),
    release,
  };
}

/** A client as the dialect calls it. */
function dialectClient(client: PooledClient, onStatement: (statement: string) => void): PostgresPoolClient {
  function query<R>(statement: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  function query<R>(statement: string | PostgresCursor<R>, parameters: readonly unknown[] = []): unknown {
    if (typeof statement !== 'string') throw new Error('the embedded store has no cursors');
    onStatement(statement);
    return client.query<R>(statement, parameters) as Promise<PostgresQueryResult<R>>;
  }
  return { query, release: () => client.release() };
}
