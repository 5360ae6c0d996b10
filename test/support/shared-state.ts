import { after } from 'node:test';
import { sql } from 'kysely';
import type { Database, State } from '../../service/state/index.js';
import { openTestState } from './state.js';

let opened: Promise<State> | null = null;
after(async () => {
  await (await opened)?.close();
});

/**
 * The embedded store that all tests of a process share: to open one takes longer than most tests
 * do.
 */
export function sharedState(): Promise<State> {
  opened ??= openTestState();
  return opened;
}

/** The shared store without rows: for one test, until the next one asks for it. */
export async function emptyState(): Promise<State> {
  const state = await sharedState();
  await deleteRows(state.db);
  return state;
}

/**
 * Deletes the rows of all tables, as a migration leaves them. One statement, since references are
 * checked at its end. Where there are few rows, `truncate` takes fifty times as long: it writes new
 * files for each table and index.
 */
export async function deleteRows(db: Database): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables
    where schemaname = 'public' and tablename not like 'kysely_%' and tablename <> 'deployed_counters'`.execute(db);
  const deletions = rows.map(({ name }) => sql`${sql.ref(`${name}_gone`)} as (delete from ${sql.table(name)})`);
  await sql`with ${sql.join(deletions)} update deployed_counters set value = 0`.execute(db);
}
