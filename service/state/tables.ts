import type { Kysely } from 'kysely';
import { type OpenState, openTables, restoreTables, type StateOptions } from '../../data/state/index.js';
import { migrations } from './migrations.js';
import type { StateSchema } from './schema.js';

export type Database = Kysely<StateSchema>;
export type State = OpenState<StateSchema>;

/** Opens the state with the tables of all capabilities; see `openTables`. */
export const openState = (options: StateOptions): Promise<State> => openTables(options, migrations);

/** Fills an empty store from a dump; see `restoreTables`. */
export const restoreState = (
  target: Pick<StateOptions, 'home' | 'databaseUrl'>,
  lines: AsyncGenerator<string>,
  replaces: boolean,
): Promise<void> => restoreTables(target, migrations, lines, replaces);
