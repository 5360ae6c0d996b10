import type { Kysely } from 'kysely';
import {
  type Migrations,
  type OpenState,
  openTables,
  restoreTables,
  type StateOptions,
} from '../../data/state/index.js';
import { type AccessTables, accessMigrations } from '../access/tables.js';
import { type AssistantTables, assistantMigrations } from '../assistant/tables.js';
import { type BacktestTables, backtestMigrations } from '../backtests/tables.js';
import { type CryptoAssetTables, cryptoAssetMigrations } from '../crypto-assets/tables.js';
import { type DeployedTables, deployedMigrations } from '../deployed/tables.js';
import { type ExecutionTables, executionMigrations } from '../execution/tables.js';
import { type ExperimentTables, experimentMigrations } from '../experiments/tables.js';
import { type IdentityTables, identityMigrations } from '../identity/tables.js';
import { type ObjectTables, objectMigrations } from '../objects/tables.js';
import { type PaymentTables, paymentMigrations } from '../payments/records.js';
import { type PromoCodeTables, promoCodeMigrations } from '../promo-codes/tables.js';
import { type RunTables, runMigrations } from '../runs/tables.js';
import { type SimulationTables, simulationMigrations } from '../simulations/tables.js';
import { type StrategyTables, strategyMigrations } from '../strategies/tables.js';
import { type WebhookTables, webhookMigrations } from '../webhooks/tables.js';

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
    ObjectTables,
    PaymentTables,
    PromoCodeTables,
    RunTables,
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
    ...objectMigrations,
    ...paymentMigrations,
    ...promoCodeMigrations,
    ...runMigrations,
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
