import { type Kysely, sql } from 'kysely';
import type { StateSchema } from './schema.js';

/**
 * Organizations take turns: whose last one is the longest ago is next. Counts up over all that is
 * given out.
 */
export const nextTurn = sql<number>`nextval('turns')`;

/**
 * Until the transaction ends, nobody else claims anything: each claim looks at what all others
 * have.
 */
export async function oneClaimAtATime(db: Kysely<StateSchema>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('barline_claims'))`.execute(db);
}
