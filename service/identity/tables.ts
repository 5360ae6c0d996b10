import { sql } from 'kysely';
import type { Migrations } from '../../data/state/index.js';
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

export const identityMigrations: Migrations = {
  /** Times are epoch ms, since the rules on expiry compute with them. */
  '0002-identity': {
    // Long because it is one list of statements, in the order in which they refer to each other.
    async up(db) {
      await sql`
        create table organizations (
          id uuid primary key,
          name text not null,
          tier text not null,
          created_at_ms bigint not null
        )`.execute(db);
      await sql`
        create table users (
          id uuid primary key,
          issuer text not null,
          subject text not null,
          email text not null,
          name text not null,
          home_org_id uuid not null references organizations,
          created_at_ms bigint not null,
          unique (issuer, subject)
        )`.execute(db);
      await sql`
        create table memberships (
          id uuid primary key,
          org_id uuid not null references organizations,
          user_id uuid not null references users,
          role text not null,
          joined_at_ms bigint not null,
          invited_by uuid,
          unique (org_id, user_id)
        )`.execute(db);
      await sql`
        create table sessions (
          id uuid primary key,
          user_id uuid not null references users,
          org_id uuid not null references organizations,
          refresh_hash text not null unique,
          created_at_ms bigint not null,
          expires_at_ms bigint not null,
          revoked_at_ms bigint
        )`.execute(db);
      await sql`
        create table api_keys (
          id uuid primary key,
          user_id uuid not null references users,
          org_id uuid not null references organizations,
          hash text not null unique,
          name text not null,
          key_prefix text not null,
          scopes jsonb not null,
          minted_as text not null,
          created_at_ms bigint not null,
          expires_at_ms bigint,
          last_used_at_ms bigint,
          revoked_at_ms bigint
        )`.execute(db);
      await sql`create index api_keys_of_user on api_keys (user_id, org_id)`.execute(db);
      await sql`create table allowed_emails (email text primary key, added_at_ms bigint not null)`.execute(db);
      await sql`
        create table login_attempts (
          state text primary key,
          nonce text not null,
          code_verifier text not null,
          expires_at_ms bigint not null
        )`.execute(db);
      await sql`
        create table usage_counts (
          org_id uuid not null,
          resource text not null,
          month text not null,
          used bigint not null,
          primary key (org_id, resource, month)
        )`.execute(db);
      await sql`
        create table idempotency_keys (
          org_id uuid not null,
          user_id uuid not null,
          method text not null,
          key text not null,
          body_hash text not null,
          lease_id uuid not null,
          answer bytea,
          ends_at_ms bigint not null,
          primary key (org_id, user_id, method, key)
        )`.execute(db);
      await sql`create index idempotency_keys_by_end on idempotency_keys (ends_at_ms)`.execute(db);
      await sql`create table server_secrets (name text primary key, value text not null)`.execute(db);
    },
  },
};
