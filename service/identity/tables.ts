import type { Json } from '../state/json-columns.js';
import type { Role } from './records.js';

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

export interface IdentityTables {
  organizations: OrganizationTable;
  users: UserTable;
  memberships: MembershipTable;
  sessions: SessionTable;
  api_keys: ApiKeyTable;
  allowed_emails: { email: string; added_at_ms: number };
  login_attempts: LoginAttemptTable;
}
