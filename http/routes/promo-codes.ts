import type { Route } from '../route.js';
import { id, integerOf, orNull, textInBody, time, z } from '../zod.js';

const tag = 'Promo codes';
const success = z.literal(true);

const promoCode = z
  .object({
    code: z.string(),
    trial_days: z.int(),
    tier_id: z.string(),
    scope: z.enum(['user', 'org']),
    max_redemptions: z.int().nullable().openapi({ description: 'null: no limit' }),
    redemptions: z.int(),
    active: z.boolean(),
    created_at: time(),
    expires_at: orNull(time()),
  })
  .openapi('PromoCode');

const redemption = z
  .object({
    code: z.string(),
    org_id: id(),
    user_id: id(),
    tier_id: z.string(),
    redeemed_at: time(),
    trial_ends_at: time(),
  })
  .openapi('PromoRedemption');

const presented = {
  body: z
    .object({ code: z.string(), tier_id: z.string(), scope: textInBody('whom it is for', { enum: ['user', 'org'] }) })
    .partial(),
  required: ['code', 'tier_id', 'scope'],
};
const reply = z.object({ success, promo_code: promoCode });

export const promoCodeRoutes: readonly Route[] = [
  {
    method: 'post',
    path: '/promo-codes',
    rpc: 'PromoCodes.Create',
    summary: 'Make a code that gives a tier for some days; needs the management key',
    tag,
    body: z
      .object({
        code: z.string(),
        trial_days: integerOf('days of the tier', { minimum: 1 }),
        tier_id: z.string(),
        scope: textInBody('whom it is for', { enum: ['user', 'org'] }),
        max_redemptions: integerOf('how often it may be redeemed', { minimum: 1 }),
        expires_at: z.string(),
      })
      .partial(),
    required: ['trial_days', 'tier_id', 'scope'],
    status: 201,
    response: reply,
  },
  {
    method: 'get',
    path: '/promo-codes',
    rpc: 'PromoCodes.List',
    summary: 'List the newest 1,000 codes; needs the management key',
    tag,
    response: z.object({ success, promo_codes: z.array(promoCode) }),
  },
  {
    method: 'patch',
    path: '/promo-codes/{code}/revoke',
    rpc: 'PromoCodes.Revoke',
    summary: 'End the redemption of a code; needs the management key',
    tag,
    response: reply,
  },
  {
    method: 'patch',
    path: '/promo-codes/{code}/reinstate',
    rpc: 'PromoCodes.Reinstate',
    summary: 'Allow the redemption of a revoked code again; needs the management key',
    tag,
    response: reply,
  },
  {
    method: 'get',
    path: '/promo-codes/{code}/redemptions',
    rpc: 'PromoCodes.ListRedemptions',
    summary: 'List the newest 1,000 redemptions of a code; needs the management key',
    tag,
    response: z.object({ success, code: z.string(), total: z.int(), redemptions: z.array(redemption) }),
  },
  {
    method: 'post',
    path: '/promo-codes/validate',
    rpc: 'PromoCodes.Validate',
    summary: 'Tell whether the caller could redeem a code now',
    tag,
    ...presented,
    response: z.object({
      success,
      valid: z.boolean(),
      trial_days: z.int().nullable(),
      reason: z.string().nullable(),
      message: z.string(),
    }),
  },
  {
    method: 'post',
    path: '/promo-codes/redeem',
    rpc: 'PromoCodes.Redeem',
    summary: "Redeem a code for one's own organization, or for the one that the caller acts for",
    tag,
    ...presented,
    response: z.object({ success, ...redemption.shape }),
  },
];
