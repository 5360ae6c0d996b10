import type { ColumnType, Generated } from 'kysely';
import type { ExecutionTables } from './execution-tables.js';
import type { Role } from './identity-store.js';

/** Written as JSON text, read as the value. */
export type Json<T> = ColumnType<T, string, string>;

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

export interface OrganizationTable {
  id: string;
  name: string;
  tier: string;
  created_at_ms: number;
}

export interface UserTable {
  id: string;
  issuer: string;
  subject: string;
  email: string;
  name: string;
  home_org_id: string;
  created_at_ms: number;
}

export interface MembershipTable {
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

export interface LoginAttemptTable {
  state: string;
  nonce: string;
  code_verifier: string;
  expires_at_ms: number;
}

export interface UsageCountTable {
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
  answer: Uint8Array | null;
  ends_at_ms: number;
}

/** Tables of the state, as the migrations leave them. */
export interface StateSchema extends ExecutionTables {
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
  server_secrets: { name: string; value: string };
}
