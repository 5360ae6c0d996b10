import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { ExecutionConfig } from '../../engine/index.js';
import type { AssistantTables } from '../assistant/tables.js';
import type { BacktestContent, BacktestOutcome, BacktestStatus } from '../backtests/stored.js';
import type { CryptoAssetTables } from '../crypto-assets/tables.js';
import type { DeployedTables } from '../deployed/tables.js';
import type { ExecutionTables } from '../execution/tables.js';
import type { ExperimentTables } from '../experiments/tables.js';
import type { Role } from '../identity/records.js';
import type { PaymentTables } from '../payments/tables.js';
import type { PromoCodeTables } from '../promo-codes/tables.js';
import type { SimulationTables } from '../simulations/tables.js';
import type { WebhookTables } from '../webhooks/tables.js';

/** Written as JSON text, read as the value. */
type Json<T> = ColumnType<T, string, string>;
type NullableJson<T> = ColumnType<T | null, string | null, string | null>;

export interface StrategyTable {
  id: string;
  user_id: string;
  org_id: string;
  name: string;
  asset: string;
  status: string;
  rules: Json<object>;
  execution_config: Json<object>;
  execution_state: Json<object>;
  content_hash: string;
  session_id: string | null;
  parent_strategy_id: string | null;
  strategy_type: string | null;
  description: string | null;
  archived_at: Date | null;
  created_at: Date;
  updated_at: Date;
  last_evaluated_at: Date | null;
  evaluation_count: Generated<number>;
}

interface OrganizationTable {
  id: string;
  name: string;
  tier: string;
  created_at_ms: number;
}

interface UserTable {
  id: string;
  issuer: string;
  subject: string;
  email: string;
  name: string;
  home_org_id: string;
  created_at_ms: number;
}

interface MembershipTable {
  id: string;
  org_id: string;
  user_id: string;
  role: Role;
  joined_at_ms: number;
  invited_by: string | null;
}

export interface SessionTable {
  id: string;
  user_id: string;
  org_id: string;
  refresh_hash: string;
  created_at_ms: number;
  expires_at_ms: number;
  revoked_at_ms: number | null;
}

export interface ApiKeyTable {
  id: string;
  user_id: string;
  org_id: string;
  hash: string;
  name: string;
  key_prefix: string;
  scopes: Json<readonly string[]>;
  minted_as: Role;
  created_at_ms: number;
  expires_at_ms: number | null;
  last_used_at_ms: number | null;
  revoked_at_ms: number | null;
}

interface LoginAttemptTable {
  state: string;
  nonce: string;
  code_verifier: string;
  expires_at_ms: number;
}

interface UsageCountTable {
  org_id: string;
  resource: string;
  month: string;
  used: number;
}

export interface IdempotencyKeyTable {
  org_id: string;
  user_id: string;
  method: string;
  key: string;
  body_hash: string;
  lease_id: string;
  /** Name of the process that holds the key; null where an earlier version took it. */
  lease_holder: string | null;
  /** Null where an earlier version took the key, whose lease ends with the row. */
  lease_until_ms: number | null;
  /** Values of the steps of the call that were committed before its end, by name. */
  steps: JSONColumnType<Record<string, unknown>, string | undefined, string>;
  answer: Uint8Array | null;
  ends_at_ms: number;
}

/** The stored part of an outcome other than its metrics and trades. */
type BacktestEvidence = Omit<BacktestOutcome<BacktestContent>, 'metrics' | 'trades'>;

export interface BacktestTable {
  id: string;
  user_id: string;
  org_id: string;
  strategy_id: string | null;
  strategy_name: string;
  session_id: string | null;
  asset: string;
  interval: string;
  base_asset: string;
  start_ms: number;
  end_ms: number;
  config: Json<ExecutionConfig>;
  request: Json<unknown>;
  warnings: Json<readonly string[]>;
  created_at_ms: number;
  status: BacktestStatus;
  completed_at_ms: number | null;
  execution_seconds: number | null;
  metrics: NullableJson<object>;
  evidence: NullableJson<BacktestEvidence>;
  error: string | null;
  archived_at_ms: number | null;
  attempts: Generated<number>;
  lease_runner: string | null;
  lease_until_ms: number | null;
  /** The turn of its last claim. */
  turn: number | null;
  is_shared: Generated<boolean>;
  is_awaited: Generated<boolean>;
  is_portfolio: Generated<boolean>;
}

interface BacktestTradeTable {
  backtest_id: string;
  /** From 0, in the order of closing. */
  index: number;
  trade: Json<object>;
}

/** Tables of the state, as the migrations leave them. */
export interface StateSchema
  extends ExecutionTables,
    ExperimentTables,
    SimulationTables,
    WebhookTables,
    DeployedTables,
    CryptoAssetTables,
    PaymentTables,
    PromoCodeTables,
    AssistantTables {
  strategies: StrategyTable;
  organizations: OrganizationTable;
  users: UserTable;
  memberships: MembershipTable;
  sessions: SessionTable;
  api_keys: ApiKeyTable;
  allowed_emails: { email: string; added_at_ms: number };
  login_attempts: LoginAttemptTable;
  usage_counts: UsageCountTable;
  idempotency_keys: IdempotencyKeyTable;
  backtests: BacktestTable;
  backtest_trades: BacktestTradeTable;
  server_secrets: { name: string; value: string };
}
