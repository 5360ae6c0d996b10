import type { Generated } from 'kysely';

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
