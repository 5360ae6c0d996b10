import { type Kysely, type Migration, Migrator, sql } from 'kysely';
import { EngineError } from '../../engine/errors.js';

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
