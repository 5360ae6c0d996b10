import { sql } from 'kysely';
import { joinTries, TRIES_KEPT } from '../../../engine/index.js';
import type { Database } from '../open-state.js';

/** What an organization ever tried on each asset. Its tries never count in another. */
export class SqlTries {
  constructor(private readonly db: Database) {}

  /** Adds tries; known ones count once. The lowest `TRIES_KEPT` stay, which tell the count. */
  async add(orgId: string, asset: string, tries: readonly string[]): Promise<void> {
    const hashes = joinTries(tries);
    if (hashes.length === 0) return;
    await this.db
      .insertInto('tries')
      .values(hashes.map((hash) => ({ org_id: orgId, asset, hash })))
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await sql`
      delete from tries where org_id = ${orgId} and asset = ${asset} and hash > (
        select hash from tries where org_id = ${orgId} and asset = ${asset}
        order by hash offset ${TRIES_KEPT - 1} limit 1
      )`.execute(this.db);
  }

  /** The tries of an organization, by asset, see `joinTries`. */
  async of(orgId: string): Promise<Record<string, string[]>> {
    const rows = await this.db.selectFrom('tries').where('org_id', '=', orgId).select(['asset', 'hash']).execute();
    const found = new Map<string, string[]>();
    for (const { asset, hash } of rows) {
      const hashes = found.get(asset) ?? [];
      found.set(asset, hashes);
      hashes.push(hash);
    }
    return Object.fromEntries(found);
  }
}
