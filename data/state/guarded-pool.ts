import {
  type Kysely,
  type Migration,
  Migrator,
  type PostgresCursor,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
  sql,
} from 'kysely';
import { EngineError } from '../../engine/errors.js';
import { DependencyFault, errorCode, kindOfFileError, type OutageKind } from '../outage.js';

/** Classes and codes of SQLSTATE for a server that cannot do now what it could do later. */
const kinds: readonly (readonly [RegExp, OutageKind])[] = [
  [/^08/, 'away'], // connection exceptions
  [/^57P0[1-5]$/, 'away'], // shutdown, crash, start, a dropped database, an idle session ended
  [/^53100$/, 'full'], // disk full
  [/^53/, 'busy'], // too many connections, out of memory, other resources
  [/^25006$/, 'read_only'], // a standby, or a server set to read only
  [/^(40001|40P01|55P03|57014)$/, 'busy'], // serialization, deadlock, lock and statement timeouts
];

/** Codes of sockets and names on the way to the server. */
const networkCodes: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
  ...['EHOSTDOWN', 'ENETDOWN', 'ENOTFOUND', 'EAI_AGAIN', 'ENOENT'], // ENOENT: the path of a socket
]);

/** What `pg` says of a lost connection or a full pool, without a code. */
const lostText =
  /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Client has encountered a connection error|Client was closed|Cannot use a pool after|Query read timeout|the database does not answer|the thread of the embedded store has ended)/;

/**
 * Marks a failure of the store that is an outage; returns any other failure, such as a violated
 * constraint or a wrong statement, as it is.
 */
export function asStoreFailure(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof DependencyFault) return error;
  const kind = outageKind(error);
  return kind === null ? error : new DependencyFault('database', kind, { cause: error });
}

function outageKind(error: Error): OutageKind | null {
  const code = errorCode(error) ?? '';
  for (const [pattern, kind] of kinds) if (pattern.test(code)) return kind;
  // Node tries all addresses of a name, and then has one error for each.
  const tried = error instanceof AggregateError ? error.errors : [];
  if (networkCodes.has(code) || tried.some((each) => networkCodes.has(errorCode(each) ?? ''))) return 'away';
  return lostText.test(error.message) ? 'away' : kindOfFileError(error);
}

/** Awaits an answer of the store and marks an outage as such. */
async function fromStore<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw asStoreFailure(error);
  }
}

/** A pool whose failures are marked where they are outages. */
export const guardedPool = (pool: PostgresPool): PostgresPool => ({
  connect: async () => guardedClient(await fromStore(pool.connect())),
  end: () => pool.end(),
});

function guardedClient(client: PostgresPoolClient): PostgresPoolClient {
  function query<R>(statement: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  function query<R>(statement: string | PostgresCursor<R>, parameters: readonly unknown[] = []): unknown {
    if (typeof statement !== 'string') return client.query<R>(statement);
    return fromStore(client.query<R>(statement, parameters));
  }
  return { query, release: () => client.release() };
}

/**
 * Steps that make and change tables, in the order of their names. Names never change: a store
 * records its applied migrations.
 */
export type Migrations = Readonly<Record<string, Migration>>;

/**
 * Brings the tables up to date, or back to an earlier version. Processes that start together
 * take turns.
 * @param upTo the last migration to apply to a new store; default all
 * @param schema of the tables, where the database has others of these names beside them
 * @throws CONFLICT for a store from a later version
 */
export async function migrate<T>(db: Kysely<T>, migrations: Migrations, upTo?: string, schema?: string): Promise<void> {
  const had = await namesHad(db);
  const later = unknownMigrations(migrations, had);
  if (later.length > 0) {
    const message = `a later version of Barline made this store: this version does not know ${later.join(', ')}; start the later one`;
    throw new EngineError('CONFLICT', message, { migrations: later });
  }
  if (had.length === Object.keys(migrations).length) return;
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    ...(schema === undefined ? {} : { migrationTableSchema: schema }),
  });
  const { error } = await (upTo === undefined ? migrator.migrateToLatest() : migrator.migrateTo(upTo));
  if (error !== undefined) throw error;
}

/** Whether these are the first migrations, in their order. */
export const areFirst = (migrations: Migrations, names: readonly string[]): boolean =>
  names.length > 0 && names.every((name, i) => name === Object.keys(migrations)[i]);

/** Migrations that a later version applied. */
export const unknownMigrations = (migrations: Migrations, names: readonly string[]): string[] =>
  names.filter((name) => !Object.hasOwn(migrations, name));

/**
 * The applied migrations, in one short query; the migrator would begin with long queries over all
 * tables.
 */
async function namesHad<T>(db: Kysely<T>): Promise<string[]> {
  try {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
    return rows.map(({ name }) => name);
  } catch {
    return []; // a new store has no such table; the migrator reports any other error
  }
}
