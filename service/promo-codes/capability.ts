import { randomBytes } from 'node:crypto';
import { isoTime } from '../../engine/series/index.js';
import { parseTime } from '../../research/index.js';
import { ApiError, notFound, requireFields, wrongValue } from '../api-error.js';
import type { Caller } from '../caller.js';
import type { Capability, Foundation } from '../capability.js';
import type { Identity } from '../identity/capability.js';
import type { CredentialCache, ManagementKey, Tiers } from '../identity/index.js';
import type { WallClock } from '../wall-clock.js';
import { type PromoCodeRow, type PromoGuessRow, type PromoRedemptionRow, SqlPromoCodeStore } from './store.js';
import { type PromoScope, promoScopes } from './tables.js';

export function openPromoCodes({ state, clock }: Foundation, identity: Identity): Capability<'PromoCodes'> {
  const { managementKey, tiers, cache } = identity;
  const codes = new PromoCodes({ store: new SqlPromoCodeStore(state.db), managementKey, tiers, cache, clock });
  return {
    upkeep: () => codes.upkeep(),
    methods: {
      'PromoCodes.Create': (request, { credentials }) => codes.create(credentials.managementKey, request),
      'PromoCodes.List': (_, { credentials }) => codes.list(credentials.managementKey),
      'PromoCodes.Revoke': ({ code }, { credentials }) => codes.setActive(credentials.managementKey, code, false),
      'PromoCodes.Reinstate': ({ code }, { credentials }) => codes.setActive(credentials.managementKey, code, true),
      'PromoCodes.ListRedemptions': ({ code }, { credentials }) =>
        codes.listRedemptions(credentials.managementKey, code),
      'PromoCodes.Validate': (request, { caller, credentials }) => codes.validate(caller, request, credentials.address),
      'PromoCodes.Redeem': (request, { caller, credentials }) => codes.redeem(caller, request, credentials.address),
    },
  };
}

interface PromoCodeParts {
  readonly store: SqlPromoCodeStore;
  readonly managementKey: Pick<ManagementKey, 'require'>;
  readonly tiers: Tiers;
  readonly cache: Pick<CredentialCache, 'revoked'>;
  readonly clock: WallClock;
}

interface NewCode {
  readonly code?: unknown;
  readonly trial_days?: unknown;
  readonly tier_id?: unknown;
  readonly scope?: unknown;
  readonly max_redemptions?: unknown;
  readonly expires_at?: unknown;
}

interface Presented {
  readonly code?: unknown;
  readonly tier_id?: unknown;
  readonly scope?: unknown;
}

/** Why a code cannot be redeemed, as programs and people read it. */
const reasons = {
  unknown: 'There is no such code',
  revoked: 'The code was revoked',
  expired: 'The code has expired',
  used_up: 'The code was redeemed as often as it may be',
  other_tier: 'The code is for another tier',
  other_scope: 'The code is for another scope',
  redeemed: 'This code was redeemed already, or another trial is running',
} as const;

type Reason = keyof typeof reasons;

const GUESS_WINDOW_MS = 3_600_000;
/** Wrong codes in an hour. Many users may share an address. */
const guessesMax = { user: 10, organization: 20, address: 50 } as const;

const CODE = /^[A-Z0-9][A-Z0-9_-]{3,39}$/;
const TRIAL_DAYS_MAX = 3_650;
const REDEMPTIONS_MAX = 1_000_000_000;
const ROWS_MAX = 1_000;

/**
 * Codes that give an organization a tier for some days. Operators make them, with the management
 * key; any user may redeem one. Codes are compared in upper case.
 */
class PromoCodes {
  constructor(private readonly parts: PromoCodeParts) {}

  /** @throws ApiError PERMISSION_DENIED, MISSING_FIELD, VALIDATION_ERROR, CONFLICT */
  async create(key: string | undefined, request: NewCode) {
    const { store, managementKey, clock } = this.parts;
    managementKey.require(key);
    requireFields(request, ['trial_days', 'tier_id', 'scope']);
    const nowMs = clock();
    const code = isGiven(request.code) ? readCode(request.code) : randomCode();
    const expiresAtMs = isGiven(request.expires_at) ? readExpiry(request.expires_at, nowMs) : null;
    const max = request.max_redemptions;
    const row = await store.add({
      code,
      trial_days: readWhole('trial_days', request.trial_days, TRIAL_DAYS_MAX),
      tier_id: this.#readTier(request.tier_id),
      scope: readScope(request.scope),
      max_redemptions: isGiven(max) ? readWhole('max_redemptions', max, REDEMPTIONS_MAX) : null,
      created_at_ms: nowMs,
      expires_at_ms: expiresAtMs,
    });
    if (row === null) throw new ApiError('CONFLICT', `The code ${code} exists already`, { field: 'code' });
    return { promo_code: toCode(row) };
  }

  /** The newest 1,000. */
  async list(key: string | undefined) {
    this.parts.managementKey.require(key);
    return { promo_codes: (await this.parts.store.list(ROWS_MAX)).map(toCode) };
  }

  /** Revokes or reinstates a code. Running trials go on. @throws ApiError RESOURCE_NOT_FOUND */
  async setActive(key: string | undefined, code: string, isActive: boolean) {
    this.parts.managementKey.require(key);
    const row = await this.parts.store.setActive(code.toUpperCase(), isActive);
    if (row === null) throw notFound('promo code', code);
    return { promo_code: toCode(row) };
  }

  /** The newest 1,000 redemptions of a code. @throws ApiError RESOURCE_NOT_FOUND */
  async listRedemptions(key: string | undefined, code: string) {
    const { store, managementKey } = this.parts;
    managementKey.require(key);
    const row = await store.find(code.toUpperCase());
    if (row === null) throw notFound('promo code', code);
    const redemptions = await store.listRedemptions(row.code, ROWS_MAX);
    return { code: row.code, total: row.redemptions, redemptions: redemptions.map(toRedemption) };
  }

  /**
   * Says whether the caller could redeem a code now.
   * @param address from which the caller calls
   * @throws ApiError MISSING_FIELD; RATE_LIMITED after too many wrong codes
   */
  async validate(caller: Caller, request: Presented, address: string) {
    const { code, tierId, scope } = this.#readPresented(request);
    const row = await this.#findGuessed(code, caller, address);
    const reason = await this.#problemOf(row, { tierId, scope, orgId: await this.#targetOf(caller, scope) });
    if (reason !== null) return { valid: false, trial_days: null, reason, message: reasons[reason] };
    const days = row?.trial_days ?? 0;
    return { valid: true, trial_days: days, reason: null, message: `${days} days of the tier ${tierId}` };
  }

  /**
   * Redeems a code: for the scope `user` in the user's own organization, for `org` in the one that
   * the caller acts for.
   * @param address from which the caller calls
   * @throws ApiError MISSING_FIELD; INVALID_STATE with `reason`; INSUFFICIENT_PERMISSIONS for the
   *   scope `org` without the role owner or admin; RATE_LIMITED after too many wrong codes
   */
  async redeem(caller: Caller, request: Presented, address: string) {
    const { store, cache, clock } = this.parts;
    const { code, tierId, scope } = this.#readPresented(request);
    if (scope === 'org' && caller.role !== 'owner' && caller.role !== 'admin') {
      const message = `Redeeming for an organization needs the role owner or admin, was ${caller.role}`;
      throw new ApiError('INSUFFICIENT_PERMISSIONS', message);
    }
    await this.#findGuessed(code, caller, address);
    const orgId = await this.#targetOf(caller, scope);
    const { userId } = caller;
    const redeemed = await store.redeem({ code, userId, orgId, tierId, scope, nowMs: clock() });
    if (redeemed.outcome !== 'redeemed') {
      const found = await this.#problemOf(await store.find(code), { tierId, scope, orgId });
      const reason = redeemed.outcome === 'had' ? 'redeemed' : (found ?? 'used_up');
      throw new ApiError('INVALID_STATE', reasons[reason], { reason });
    }
    // So that the next call of each member has the new tier.
    await cache.revoked({ kind: 'organization', id: orgId });
    return toRedemption(redeemed.redemption);
  }

  /** Ends the trials whose time is over. */
  async upkeep(): Promise<void> {
    const { store, cache, clock } = this.parts;
    await store.dropGuesses(clock());
    for (const id of await store.endTrials(clock())) await cache.revoked({ kind: 'organization', id });
  }

  /**
   * Looks up a code that a caller presents. Each counts as a guess before it is looked up, so that
   * calls at once cannot guess more, and is given back if there is such a code.
   */
  async #findGuessed(code: string, { userId, orgId }: Caller, address: string): Promise<PromoCodeRow | null> {
    const { store, clock } = this.parts;
    const names = { user: userId, organization: orgId, address };
    const guessers = Object.entries(names).map(([kind, id]) => `${kind}:${id}`);
    const nowMs = clock();
    const counted = await store.countGuess(guessers, nowMs, GUESS_WINDOW_MS);
    const refusal = counted.map((row) => guessRefusal(row, nowMs)).find((each) => each !== null);
    if (refusal !== undefined) {
      await store.uncountGuess(guessers); // a refused call is no guess
      throw refusal;
    }
    const row = await store.find(code);
    if (row !== null) await store.uncountGuess(guessers);
    return row;
  }

  async #problemOf(
    row: PromoCodeRow | null,
    { tierId, scope, orgId }: { readonly tierId: string; readonly scope: PromoScope; readonly orgId: string },
  ): Promise<Reason | null> {
    if (row === null) return 'unknown';
    if (!row.active) return 'revoked';
    if (row.expires_at_ms !== null && row.expires_at_ms <= this.parts.clock()) return 'expired';
    if (row.tier_id !== tierId) return 'other_tier';
    if (row.scope !== scope) return 'other_scope';
    if (await this.parts.store.hasTrial(orgId, row.code)) return 'redeemed';
    return row.max_redemptions !== null && row.redemptions >= row.max_redemptions ? 'used_up' : null;
  }

  #readPresented(request: Presented) {
    requireFields(request, ['code', 'tier_id', 'scope']);
    return { code: readCode(request.code), tierId: this.#readTier(request.tier_id), scope: readScope(request.scope) };
  }

  async #targetOf(caller: Caller, scope: PromoScope): Promise<string> {
    return scope === 'org' ? caller.orgId : ((await this.parts.store.homeOrganization(caller.userId)) ?? caller.orgId);
  }

  #readTier(value: unknown): string {
    const ids = this.parts.tiers.all.map(({ id }) => id);
    const tier = ids.find((id) => id === value);
    if (tier === undefined) throw wrongValue('tier_id', `one of ${ids.join(', ')}`, value);
    return tier;
  }
}

function guessRefusal({ guesser, guesses, ends_at_ms }: PromoGuessRow, nowMs: number): ApiError | null {
  const kind = guesser.slice(0, guesser.indexOf(':')) as keyof typeof guessesMax;
  const max = guessesMax[kind];
  if (guesses <= max) return null;
  const retryAfter = Math.max(1, Math.ceil((ends_at_ms - nowMs) / 1000));
  const message = `Too many wrong codes: at most ${max} an hour from one ${kind}, try again in ${retryAfter} s`;
  return new ApiError('RATE_LIMITED', message, { retry_after: retryAfter });
}

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

function readCode(value: unknown): string {
  const code = typeof value === 'string' ? value.trim().toUpperCase() : '';
  if (!CODE.test(code))
    throw wrongValue('code', '4..40 letters, digits, - or _, beginning with a letter or digit', value);
  return code;
}

const randomCode = (): string => randomBytes(8).toString('hex').toUpperCase();

function readWhole(field: string, value: unknown, max: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw wrongValue(field, `a whole number 1..${max}`, value);
}

function readScope(value: unknown): PromoScope {
  const scope = promoScopes.find((each) => each === value);
  if (scope === undefined) throw wrongValue('scope', `one of ${promoScopes.join(', ')}`, value);
  return scope;
}

function readExpiry(value: unknown, nowMs: number): number {
  const ms = typeof value === 'string' ? parseTime(value, 'expires_at', true) : Number.NaN;
  if (!(ms > nowMs)) throw wrongValue('expires_at', 'a time in the future', value);
  return ms;
}

const toCode = ({ created_at_ms, expires_at_ms, ...row }: PromoCodeRow) => ({
  ...row,
  created_at: isoTime(created_at_ms),
  expires_at: expires_at_ms === null ? null : isoTime(expires_at_ms),
});

const toRedemption = (row: PromoRedemptionRow) => ({
  code: row.code,
  org_id: row.org_id,
  user_id: row.user_id,
  tier_id: row.tier_id,
  redeemed_at: isoTime(row.redeemed_at_ms),
  trial_ends_at: isoTime(row.ends_at_ms),
});
