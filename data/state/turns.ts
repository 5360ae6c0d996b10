import { type Kysely, sql } from 'kysely';

/**
 * The number of the next turn, counted over all claims. The organization whose last turn is longest
 * ago is next.
 */
export const nextTurn = sql<number>`nextval('turns')`;

/**
 * Keeps other transactions from claiming until this one ends, since each claim depends on all
 * others.
 */
export async function oneClaimAtATime<T>(db: Kysely<T>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('barline_claims'))`.execute(db);
}
