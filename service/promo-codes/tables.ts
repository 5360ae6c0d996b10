import { type Generated, sql } from 'kysely';
import type { Migrations } from '../../data/state/index.js';

export const promoScopes = ['user', 'org'] as const;
export type PromoScope = (typeof promoScopes)[number];

export interface PromoCodeTable {
  /** In upper case. */
  code: string;
  trial_days: number;
  tier_id: string;
  scope: PromoScope;
  /** Null: no limit. */
  max_redemptions: number | null;
  redemptions: Generated<number>;
  active: Generated<boolean>;
  created_at_ms: number;
  expires_at_ms: number | null;
}

export interface PromoRedemptionTable {
  code: string;
  org_id: string;
  user_id: string;
  tier_id: string;
  /** Tier that the organization has again after the trial. */
  tier_before: string;
  redeemed_at_ms: number;
  ends_at_ms: number;
  is_ended: Generated<boolean>;
}

export interface PromoGuessTable {
  /** Such as `user:UUID`. */
  guesser: string;
  guesses: number;
  ends_at_ms: number;
}

export interface PromoCodeTables {
  promo_codes: PromoCodeTable;
  promo_redemptions: PromoRedemptionTable;
  promo_guesses: PromoGuessTable;
}

export const promoCodeMigrations: Migrations = {
  /**
   * Promo codes, and the trials that organizations got by them. An organization has one trial of a
   * code, and one running trial. Times are epoch ms.
   */
  '0014-promo-codes': {
    async up(db) {
      await sql`
        create table promo_codes (
          code text primary key,
          trial_days integer not null,
          tier_id text not null,
          scope text not null,
          max_redemptions integer,
          redemptions integer not null default 0,
          active boolean not null default true,
          created_at_ms bigint not null,
          expires_at_ms bigint
        )`.execute(db);
      await sql`
        create table promo_redemptions (
          code text not null references promo_codes,
          org_id uuid not null,
          user_id uuid not null,
          tier_id text not null,
          tier_before text not null,
          redeemed_at_ms bigint not null,
          ends_at_ms bigint not null,
          is_ended boolean not null default false,
          primary key (code, org_id)
        )`.execute(db);
      await sql`create unique index promo_trial_running on promo_redemptions (org_id) where not is_ended`.execute(db);
    },
  },
  /** Promo codes that were tried by a user, an organization or an address in a window of time. */
  '0020-promo-guesses': {
    async up(db) {
      await sql`
        create table promo_guesses (
          guesser text primary key,
          guesses integer not null,
          ends_at_ms bigint not null
        )`.execute(db);
    },
  },
};
