import { type Kysely, type Migration, Migrator, sql } from 'kysely';
import { strategies } from './0001-strategies.js';
import { identity } from './0002-identity.js';
import { execution } from './0003-execution.js';
import { backtests } from './0004-backtests.js';
import { experiments } from './0005-experiments.js';
import { simulations } from './0006-simulations.js';
import { deployed } from './0007-deployed.js';
import { webhooks } from './0008-webhooks.js';
import { awaitedBacktests } from './0009-awaited-backtests.js';

/** In the order of their names, which never change: a store remembers by name which ones it has had. */
const migrations: Readonly<Record<string, Migration>> = {
  '0001-strategies': strategies,
  '0002-identity': identity,
  '0003-execution': execution,
  '0004-backtests': backtests,
  '0005-experiments': experiments,
  '0006-simulations': simulations,
  '0007-deployed': deployed,
  '0008-webhooks': webhooks,
  '0009-awaited-backtests': awaitedBacktests,
};

/** Brings the tables up to date. Processes that start together take turns. */
export async function migrate<T>(db: Kysely<T>): Promise<void> {
  if (await isUpToDate(db)) return;
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

/**
 * One short question, where the migrator begins with long ones about all tables there are. A store that has had more than
 * ours was made by a later version: the migrator refuses it.
 */
async function isUpToDate<T>(db: Kysely<T>): Promise<boolean> {
  try {
    const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db);
    const had = new Set(rows.map(({ name }) => name));
    const ours = Object.keys(migrations);
    return had.size === ours.length && ours.every((name) => had.has(name));
  } catch {
    return false; // a new store has no such table; whatever else is wrong, the migrator meets it as well
  }
}
