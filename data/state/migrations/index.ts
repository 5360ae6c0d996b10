import { type Kysely, type Migration, Migrator } from 'kysely';
import { strategies } from './0001-strategies.js';
import { identity } from './0002-identity.js';
import { execution } from './0003-execution.js';

/** In the order of their names, which never change: a store remembers by name which ones it has had. */
const migrations: Readonly<Record<string, Migration>> = {
  '0001-strategies': strategies,
  '0002-identity': identity,
  '0003-execution': execution,
};

/** Brings the tables up to date. Processes that start together take turns. */
export async function migrate<T>(db: Kysely<T>): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}
