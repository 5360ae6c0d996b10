import { type Kysely, type Migration, Migrator, sql } from 'kysely';
import { EngineError } from '../../../engine/errors.js';
import { strategies } from './0001-strategies.js';
import { identity } from './0002-identity.js';
import { execution } from './0003-execution.js';
import { backtests } from './0004-backtests.js';
import { experiments } from './0005-experiments.js';
import { simulations } from './0006-simulations.js';
import { deployed } from './0007-deployed.js';
import { webhooks } from './0008-webhooks.js';
import { awaitedBacktests } from './0009-awaited-backtests.js';
import { blockDeaths } from './0010-block-deaths.js';
import { webhookBacklog } from './0011-webhook-backlog.js';
import { cryptoAssets } from './0012-crypto-assets.js';
import { payments } from './0013-payments.js';
import { promoCodes } from './0014-promo-codes.js';
import { tries } from './0015-tries.js';
import { conversations } from './0016-conversations.js';
import { updateRunners } from './0017-update-runners.js';
import { passageVectors } from './0018-passage-vectors.js';
import { callSteps } from './0019-call-steps.js';
import { promoGuesses } from './0020-promo-guesses.js';
import { triedSweeps } from './0021-tried-sweeps.js';
import { heldOutDays } from './0022-held-out-days.js';
import { sides } from './0023-sides.js';
import { portfolioRuns } from './0024-portfolio-runs.js';

/**
 * In the order of their names. Names never change: a store records the names of its applied
 * migrations.
 */
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
  '0010-block-deaths': blockDeaths,
  '0011-webhook-backlog': webhookBacklog,
  '0012-crypto-assets': cryptoAssets,
  '0013-payments': payments,
  '0014-promo-codes': promoCodes,
  '0015-tries': tries,
  '0016-conversations': conversations,
  '0017-update-runners': updateRunners,
  '0018-passage-vectors': passageVectors,
  '0019-call-steps': callSteps,
  '0020-promo-guesses': promoGuesses,
  '0021-tried-sweeps': triedSweeps,
  '0022-held-out-days': heldOutDays,
  '0023-sides': sides,
  '0024-portfolio-runs': portfolioRuns,
};

/**
 * Brings the tables up to date, or to those of an earlier version. Processes that start together
 * take turns.
 * @param upTo the last migration to apply to a new store; default all
 * @param schema of the tables, where the database has others of these names beside them
 * @throws CONFLICT for a store from a later version
 */
export async function migrate<T>(db: Kysely<T>, upTo?: string, schema?: string): Promise<void> {
  const had = await namesHad(db);
  const later = unknownMigrations(had);
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

/** Whether these are the applied migrations of this version or an earlier one, in their order. */
export const areMigrations = (names: readonly string[]): boolean =>
  names.length > 0 && names.every((name, i) => name === Object.keys(migrations)[i]);

/** Those that a later version applied. */
export const unknownMigrations = (names: readonly string[]): string[] =>
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
