import type { Kysely } from 'kysely';
import {
  type Migrations,
  type OpenState,
  openTables,
  restoreTables,
  type StateOptions,
} from '../../data/state/index.js';
import { accessMigrations } from '../access/migrations.js';
import type { AccessTables } from '../access/tables.js';
import { assistantMigrations } from '../assistant/migrations.js';
import type { AssistantTables } from '../assistant/tables.js';
import { backtestMigrations } from '../backtests/migrations.js';
import type { BacktestTables } from '../backtests/tables.js';
import { cryptoAssetMigrations } from '../crypto-assets/migrations.js';
import type { CryptoAssetTables } from '../crypto-assets/tables.js';
import { deployedMigrations } from '../deployed/migrations.js';
import type { DeployedTables } from '../deployed/tables.js';
import { executionMigrations } from '../execution/migrations.js';
import type { ExecutionTables } from '../execution/tables.js';
import { experimentMigrations } from '../experiments/migrations.js';
import type { ExperimentTables } from '../experiments/tables.js';
import { identityMigrations } from '../identity/migrations.js';
import type { IdentityTables } from '../identity/tables.js';
import { paymentMigrations } from '../payments/migrations.js';
import type { PaymentTables } from '../payments/tables.js';
import { promoCodeMigrations } from '../promo-codes/migrations.js';
import type { PromoCodeTables } from '../promo-codes/tables.js';
import { simulationMigrations } from '../simulations/migrations.js';
import type { SimulationTables } from '../simulations/tables.js';
import { strategyMigrations } from '../strategies/migrations.js';
import type { StrategyTables } from '../strategies/tables.js';
import { webhookMigrations } from '../webhooks/migrations.js';
import type { WebhookTables } from '../webhooks/tables.js';

/** Tables of all capabilities, as the migrations leave them. */
export interface StateSchema
  extends AccessTables,
    AssistantTables,
    BacktestTables,
    CryptoAssetTables,
    DeployedTables,
    ExecutionTables,
    ExperimentTables,
    IdentityTables,
    PaymentTables,
    PromoCodeTables,
    SimulationTables,
    StrategyTables,
    WebhookTables {
  server_secrets: { name: string; value: string };
}

/** By their names, which give their order and say in which version each came. */
const migrations: Migrations = Object.fromEntries(
  Object.entries({
    ...accessMigrations,
    ...assistantMigrations,
    ...backtestMigrations,
    ...cryptoAssetMigrations,
    ...deployedMigrations,
    ...executionMigrations,
    ...experimentMigrations,
    ...identityMigrations,
    ...paymentMigrations,
    ...promoCodeMigrations,
    ...simulationMigrations,
    ...strategyMigrations,
    ...webhookMigrations,
  }).sort(([one], [other]) => (one < other ? -1 : 1)),
);

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
