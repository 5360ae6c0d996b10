import { type Insertable, type Selectable, sql } from 'kysely';
import type { Database } from '../state/tables.js';
import type { PromoCodeTable, PromoGuessTable, PromoRedemptionTable, PromoScope } from './tables.js';

export type PromoCodeRow = Selectable<PromoCodeTable>;
export type PromoRedemptionRow = Selectable<PromoRedemptionTable>;
export type PromoGuessRow = Selectable<PromoGuessTable>;
type NewPromoCode = Insertable<PromoCodeTable>;

interface Redeeming {
  readonly code: string;
  readonly userId: string;
  readonly orgId: string;
  readonly tierId: string;
  readonly scope: PromoScope;
  /** Epoch ms. */
  readonly nowMs: number;
}

type Redeemed =
  | { readonly outcome: 'redeemed'; readonly redemption: PromoRedemptionRow }
  /** The code is unknown, revoked, expired, used up, or for another tier or scope. */
  | { readonly outcome: 'refused' }
  /** The organization had a trial of this code, or has one of another. */
  | { readonly outcome: 'had' };

const DAY_MS = 86_400_000;

/** Promo codes and their redemptions. Each method is one step. */
export class SqlPromoCodeStore {
  constructor(private readonly db: Database) {}

  /** @returns null if the code exists */
  async add(code: NewPromoCode): Promise<PromoCodeRow | null> {
    const row = await this.db
      .insertInto('promo_codes')
      .values(code)
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
    return row ?? null;
  }

  /** Newest first. */
  list(limit: number): Promise<PromoCodeRow[]> {
    const newest = this.db.selectFrom('promo_codes').selectAll().orderBy('created_at_ms', 'desc').orderBy('code');
    return newest.limit(limit).execute();
  }

  async find(code: string): Promise<PromoCodeRow | null> {
    return (await this.db.selectFrom('promo_codes').selectAll().where('code', '=', code).executeTakeFirst()) ?? null;
  }

  async setActive(code: string, active: boolean): Promise<PromoCodeRow | null> {
    const change = this.db.updateTable('promo_codes').set({ active }).where('code', '=', code);
    return (await change.returningAll().executeTakeFirst()) ?? null;
  }

  /** Newest first. */
  listRedemptions(code: string, limit: number): Promise<PromoRedemptionRow[]> {
    const rows = this.db.selectFrom('promo_redemptions').selectAll().where('code', '=', code);
    return rows.orderBy('redeemed_at_ms', 'desc').orderBy('org_id').limit(limit).execute();
  }

  /** Whether an organization had a trial of this code, or has a trial of any. */
  async hasTrial(orgId: string, code: string): Promise<boolean> {
    const row = await this.db
      .selectFrom('promo_redemptions')
      .select('code')
      .where('org_id', '=', orgId)
      .where(({ or, eb }) => or([eb('code', '=', code), eb('is_ended', '=', false)]))
      .executeTakeFirst();
    return row !== undefined;
  }

  /** The organization of its own that a user got with the first login. */
  async homeOrganization(userId: string): Promise<string | null> {
    const user = this.db.selectFrom('users').select('home_org_id').where('id', '=', userId);
    return (await user.executeTakeFirst())?.home_org_id ?? null;
  }

  /**
   * Redeems a code for an organization: counts it, notes the trial and sets the tier, all or none.
   * Calls for one code take turns at its row, so its maximum holds.
   */
  async redeem({ code, userId, orgId, tierId, scope, nowMs }: Redeeming): Promise<Redeemed> {
    return this.db.transaction().execute(async (transaction) => {
      const counted = await transaction
        .updateTable('promo_codes')
        .set({ redemptions: sql<number>`redemptions + 1` })
        .where(({ and }) => and({ code, tier_id: tierId, scope, active: true }))
        .where(sql<boolean>`(max_redemptions is null or redemptions < max_redemptions)`)
        .where(({ or, eb }) => or([eb('expires_at_ms', 'is', null), eb('expires_at_ms', '>', nowMs)]))
        .returning('trial_days')
        .executeTakeFirst();
      if (counted === undefined) return { outcome: 'refused' };
      const organization = await transaction
        .selectFrom('organizations')
        .select('tier')
        .where('id', '=', orgId)
        .forUpdate()
        .executeTakeFirstOrThrow();
      const redemption = await transaction
        .insertInto('promo_redemptions')
        .values({
          ...{ code, org_id: orgId, user_id: userId, tier_id: tierId, tier_before: organization.tier },
          redeemed_at_ms: nowMs,
          ends_at_ms: nowMs + counted.trial_days * DAY_MS,
        })
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst();
      if (redemption === undefined) {
        const uncount = transaction.updateTable('promo_codes').set({ redemptions: sql<number>`redemptions - 1` });
        await uncount.where('code', '=', code).execute();
        return { outcome: 'had' };
      }
      await transaction.updateTable('organizations').set({ tier: tierId }).where('id', '=', orgId).execute();
      return { outcome: 'redeemed', redemption };
    });
  }

  /**
   * Counts a guess for each of the guessers, in windows that begin with the first.
   * @returns their guesses in the window, this one included
   */
  async countGuess(guessers: readonly string[], nowMs: number, windowMs: number): Promise<PromoGuessRow[]> {
    const fresh = { guesses: 1, ends_at_ms: nowMs + windowMs };
    const sorted = guessers.toSorted(); // so that no two calls wait for each other's rows
    const isOver = sql<boolean>`promo_guesses.ends_at_ms <= ${nowMs}`;
    return this.db
      .insertInto('promo_guesses')
      .values(sorted.map((guesser) => ({ guesser, ...fresh })))
      .onConflict((conflict) =>
        conflict.column('guesser').doUpdateSet({
          guesses: sql<number>`case when ${isOver} then 1 else promo_guesses.guesses + 1 end`,
          ends_at_ms: sql<number>`case when ${isOver} then excluded.ends_at_ms else promo_guesses.ends_at_ms end`,
        }),
      )
      .returningAll()
      .execute();
  }

  /** Takes back a guess that turned out to be a code. */
  async uncountGuess(guessers: readonly string[]): Promise<void> {
    const rows = this.db.updateTable('promo_guesses').where('guesser', 'in', guessers);
    await rows.set({ guesses: sql<number>`guesses - 1` }).execute();
  }

  async dropGuesses(nowMs: number): Promise<void> {
    await this.db.deleteFrom('promo_guesses').where('ends_at_ms', '<=', nowMs).execute();
  }

  /**
   * Ends the trials whose time is over. An organization gets its tier of before back, unless the
   * tier was changed during the trial.
   * @returns the organizations whose tier changed
   */
  async endTrials(nowMs: number): Promise<string[]> {
    const { rows } = await sql<{ id: string }>`
      with ended as (
        update promo_redemptions set is_ended = true
        where not is_ended and ends_at_ms <= ${nowMs}
        returning org_id, tier_id, tier_before
      )
      update organizations set tier = ended.tier_before from ended
      where organizations.id = ended.org_id and organizations.tier = ended.tier_id
      returning organizations.id`.execute(this.db);
    return rows.map(({ id }) => id);
  }
}
