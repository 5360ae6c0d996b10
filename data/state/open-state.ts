import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { PGlite } from '@electric-sql/pglite';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { lockHome } from './home-lock.js';
import { migrate } from './migrations/index.js';
import { type Ears, ServerListener } from './notices.js';
import { PglitePool } from './pglite-pool.js';
import type { StateSchema } from './schema.js';

export type Database = Kysely<StateSchema>;

/** The open state: users, strategies, accounts, runs. */
export interface State {
  readonly db: Database;
  /** `embedded` has this process as its one owner; a server may be shared by any number. */
  readonly kind: 'embedded' | 'server';
  /** Resolves when the store answers. */
  ping(): Promise<void>;
  /** Tells all who listen on this state, in whatever process; at most 8,000 bytes. */
  notify(channel: string, text: string): Promise<void>;
  /** Hears a channel, which is named in lower-case letters and underscores, until the state is closed. */
  listen(channel: string, ears: Ears): Promise<void>;
  close(): Promise<void>;
}

export interface StateOptions {
  /** Folder of the embedded store and its lock. */
  readonly home: string;
  /** A PostgreSQL server to use instead: `postgres://…`. */
  readonly databaseUrl?: string | undefined;
}

/** Connections to a server, for each process. */
const CONNECTIONS_MAX = 10;
const CONNECT_MS_MAX = 10_000;

/** Type numbers of PostgreSQL whose text is read as something else than the libraries' default. */
const INT8 = 20;

/**
 * Opens the state and brings its tables up to date.
 *
 * @throws CONFLICT at once when another process has the embedded store open
 */
export async function openState({ home, databaseUrl }: StateOptions): Promise<State> {
  return databaseUrl === undefined ? openEmbedded(home) : openServer(databaseUrl);
}

async function openEmbedded(home: string): Promise<State> {
  const lock = await lockHome(home);
  try {
    const folder = join(home, 'state');
    if (!existsSync(folder)) await createStore(home, folder);
    const store = await PGlite.create(folder, { parsers: { [INT8]: Number } });
    const pool = new PglitePool(store);
    const listen = async (channel: string, ears: Ears): Promise<void> => {
      const client = await pool.connect(); // not in the middle of somebody's transaction
      try {
        await store.listen(channel, (text) => ears.onNotice(text));
        ears.onHearing();
      } finally {
        client.release();
      }
    };
    return await ready('embedded', new PostgresDialect({ pool: pool as never }), listen, () => lock.release());
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Made aside and renamed: a process that dies while it creates the store leaves none, rather than half of one. */
async function createStore(home: string, folder: string): Promise<void> {
  const aside = join(home, '.state-new');
  await rm(aside, { recursive: true, force: true });
  await mkdir(aside, { recursive: true });
  const script = import.meta.url.endsWith('.ts') ? './create-store.ts' : './create-store.js';
  const path = fileURLToPath(new URL(script, import.meta.url));
  await promisify(execFile)(process.execPath, [...process.execArgv, path, aside]);
  await rename(aside, folder);
}

async function openServer(url: string): Promise<State> {
  const types = new pg.TypeOverrides();
  types.setTypeParser(INT8, Number);
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: CONNECT_MS_MAX,
    types,
  });
  pool.on('error', () => {}); // of an idle connection: the pool drops it, and the next statement opens another
  const listeners: ServerListener[] = [];
  const listen = async (channel: string, ears: Ears): Promise<void> => {
    listeners.push(await ServerListener.start(url, channel, ears));
  };
  return ready('server', new PostgresDialect({ pool }), listen, async () => {
    for (const listener of listeners) await listener.close();
  });
}

async function ready(
  kind: State['kind'],
  dialect: PostgresDialect,
  listen: State['listen'],
  release: () => Promise<void>,
): Promise<State> {
  const db = new Kysely<StateSchema>({ dialect });
  try {
    await migrate(db);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return {
    db,
    kind,
    async ping() {
      await sql`select 1`.execute(db);
    },
    async notify(channel, text) {
      await sql`select pg_notify(${channel}, ${text})`.execute(db);
    },
    listen,
    async close() {
      await db.destroy();
      await release();
    },
  };
}
