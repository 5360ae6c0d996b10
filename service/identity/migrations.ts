import { sql } from 'kysely';
import type { Migrations } from '../../data/state/index.js';

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
