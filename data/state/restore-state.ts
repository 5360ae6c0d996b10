import { sql } from 'kysely';
import { EngineError } from '../../engine/errors.js';
import { type DumpHead, loadDump } from './dump.js';
import { unknownMigrations } from './migrations/index.js';
import { openState, type StateOptions } from './open-state.js';

/**
 * Fills an empty store from a dump: makes the tables of the version that wrote it, loads the rows,
 * and brings the tables up to date.
 * @param replaces whether a database with users may be emptied first
 * @throws CONFLICT for a dump of a later version, or a database in use
 */
export async function restoreState(
  target: Pick<StateOptions, 'home' | 'databaseUrl'>,
  lines: AsyncGenerator<string>,
  replaces: boolean,
): Promise<void> {
  const first = await lines.next();
  const head = JSON.parse(first.done === true ? 'null' : first.value) as DumpHead | null;
  if (head === null) throw new EngineError('INVALID_DATA', 'the backup has no state');
  const unknown = unknownMigrations(head.migrations);
  if (unknown.length > 0) {
    const message = `a later version of Barline made this backup: this version does not know ${unknown.join(', ')}`;
    throw new EngineError('CONFLICT', message, { migrations: unknown });
  }
  if (target.databaseUrl !== undefined) await emptyDatabase(target, replaces);
  const state = await openState({ ...target, upTo: head.migrations.at(-1) });
  try {
    await loadDump(state.db, head, lines);
  } finally {
    await state.close();
  }
  await (await openState(target)).close(); // applies what is newer than the backup
}

/** Drops the tables of a server's database, if it has no users or the caller allows it. */
async function emptyDatabase(target: Pick<StateOptions, 'home' | 'databaseUrl'>, replaces: boolean): Promise<void> {
  const state = await openState(target);
  try {
    const user = await state.db.selectFrom('users').select('id').limit(1).executeTakeFirst();
    if (user !== undefined && !replaces) {
      throw new EngineError('CONFLICT', 'the database of DATABASE_URL has users; --force replaces its content');
    }
    const { rows } = await sql<{ name: string }>`
      select table_name::text as name from information_schema.tables
      where table_schema = current_schema() and table_type = 'BASE TABLE'`.execute(state.db);
    const names = rows.map(({ name }) => `"${name}"`).join(', ');
    await sql`drop table ${sql.raw(names)} cascade`.execute(state.db);
    const { rows: left } = await sql<{ name: string }>`
      select sequencename::text as name from pg_sequences where schemaname = current_schema()`.execute(state.db);
    for (const { name } of left) await sql`drop sequence ${sql.table(name)}`.execute(state.db);
  } finally {
    await state.close();
  }
}
