import { Kysely, PostgresDialect, sql } from 'kysely';
import { EngineError } from '../../engine/errors.js';
import { type DumpHead, dumpHeadShape, loadDump } from './dump.js';
import { areFirst, type Migrations, unknownMigrations } from './guarded-pool.js';
import { openTables, type StateOptions } from './open-state.js';

type Target = Pick<StateOptions, 'home' | 'databaseUrl' | 'schema'>;
/** The table whose rows say that a database is in use. */
type Users = { users: { id: string } };

/**
 * Fills an empty store from a dump: makes the tables of the version that wrote it, loads the rows,
 * and brings the tables up to date. In a server's database that happens in a schema beside the
 * present one, which it replaces in one transaction at the end.
 * @param migrations of all capabilities
 * @param replaces whether a database with users may be replaced
 * @throws INVALID_DATA for a dump that is wrong; CONFLICT for one of a later version, or a database
 *   in use
 */
export async function restoreTables(
  target: Target,
  migrations: Migrations,
  lines: AsyncGenerator<string>,
  replaces: boolean,
): Promise<void> {
  const first = await lines.next();
  const head = readHead(first.done === true ? '' : first.value, migrations);
  const { databaseUrl } = target;
  if (databaseUrl === undefined) return fill(target, migrations, head, lines);
  await withServer(databaseUrl, async (db) => {
    if (!replaces && (await hasUsers(db))) {
      throw new EngineError('CONFLICT', 'the database of DATABASE_URL has users; --force replaces its content');
    }
    // A restore that was killed leaves one.
    await sql`drop schema if exists ${sql.id(SCHEMA)} cascade`.execute(db);
    await sql`create schema ${sql.id(SCHEMA)}`.execute(db);
    try {
      await fill({ ...target, databaseUrl: within(databaseUrl, SCHEMA), schema: SCHEMA }, migrations, head, lines);
      await takePlace(db);
    } finally {
      await sql`drop schema if exists ${sql.id(SCHEMA)} cascade`.execute(db);
    }
  });
}

/** Where a server's database is restored until all of it is there. */
const SCHEMA = 'barline_restore';

function readHead(line: string, migrations: Migrations): DumpHead {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    json = null;
  }
  if (json === null) throw new EngineError('INVALID_DATA', 'the backup has no state');
  const { data: head, error } = dumpHeadShape.safeParse(json);
  if (head === undefined) {
    const [issue] = error.issues;
    throw new EngineError('INVALID_DATA', `line 1 of the state: ${issue?.path.join('.')} ${issue?.message}`);
  }
  const unknown = unknownMigrations(migrations, head.migrations);
  if (unknown.length > 0) {
    const message = `a later version of Barline made this backup: this version does not know ${unknown.join(', ').slice(0, 200)}`;
    throw new EngineError('CONFLICT', message, { migrations: unknown });
  }
  if (areFirst(migrations, head.migrations)) return head;
  throw new EngineError('INVALID_DATA', 'line 1 of the state: migrations must be the first ones of Barline, in order');
}

async function fill(
  target: Target,
  migrations: Migrations,
  head: DumpHead,
  lines: AsyncGenerator<string>,
): Promise<void> {
  const state = await openTables({ ...target, upTo: head.migrations.at(-1) }, migrations);
  try {
    await loadDump(state.db, head, lines);
  } catch (error) {
    // The class of an error of PostgreSQL for values that a table does not take.
    const { code, message } = error as Error & { readonly code?: unknown };
    if (typeof code !== 'string' || !/^2[123]...$/.test(code)) throw error;
    throw new EngineError('INVALID_DATA', `the state has a row that its table does not take: ${message}`);
  } finally {
    await state.close();
  }
  await (await openTables(target, migrations)).close(); // applies migrations newer than the backup
}

async function withServer(databaseUrl: string, work: (db: Kysely<Users>) => Promise<void>): Promise<void> {
  const { pool, release } = (await import('./server.js')).openServer(databaseUrl);
  const db = new Kysely<Users>({ dialect: new PostgresDialect({ pool }) });
  try {
    await work(db);
  } finally {
    await db.destroy();
    await release();
  }
}

/** The same database, where names mean what lies in `schema`. */
function within(databaseUrl: string, schema: string): string {
  const url = new URL(databaseUrl);
  const options = url.searchParams.get('options');
  url.searchParams.set('options', `${options === null ? '' : `${options} `}-c search_path=${schema}`);
  return url.href;
}

async function hasUsers(db: Kysely<Users>): Promise<boolean> {
  const { rows } = await sql<{ present: boolean }>`select to_regclass('users') is not null as present`.execute(db);
  if (rows[0]?.present !== true) return false;
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined;
}

/** Replaces the tables of the present schema by the restored ones, all or nothing. */
async function takePlace<T>(db: Kysely<T>): Promise<void> {
  await db.transaction().execute(async (session) => {
    const { rows } = await sql<{ name: string }>`select current_schema()::text as name`.execute(session);
    const schema = rows[0]?.name;
    if (schema === undefined) throw new EngineError('CONFLICT', 'the database of DATABASE_URL has no schema to fill');
    for (const { name, kind } of await relations(session, schema)) {
      await sql`drop ${kinds[kind]} if exists ${sql.id(schema, name)} cascade`.execute(session);
    }
    for (const { name, kind } of await relations(session, SCHEMA)) {
      // Sequences of columns move with their tables.
      await sql`alter ${kinds[kind]} if exists ${sql.id(SCHEMA, name)} set schema ${sql.id(schema)}`.execute(session);
    }
  });
}

/** By the letters of PostgreSQL. */
const kinds = { r: sql`table`, S: sql`sequence` } as const;

/** The tables of a schema, then its sequences. */
async function relations<T>(db: Kysely<T>, schema: string) {
  const { rows } = await sql<{ name: string; kind: keyof typeof kinds }>`
    select relname::text as name, relkind::text as kind from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = ${schema} and relkind in ('r', 'S')
    order by relkind = 'S', relname`.execute(db);
  return rows;
}
