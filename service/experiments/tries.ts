import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import { joinSweeps, joinTries, type SameBars, TRIES_KEPT, type TriedSweep } from '../../engine/sweep/index.js';
import type { Database } from '../state/tables.js';

/** Tries that this process has added lately; to add one again changes nothing. */
const REMEMBERED_MAX = 10_000;

/** What an organization ever tried on each asset. Its tries never count in another. */
export class SqlTries {
  readonly #remembered = new LRUCache<string, true>({ max: REMEMBERED_MAX });

  /** @param namesOf the names of the bars of an asset, see `SameBars`: each has the tries of all */
  constructor(
    private readonly db: Database,
    private readonly namesOf: SameBars['namesOf'] = async (asset) => [asset],
  ) {}

  /** Adds tries; known ones count once. The lowest `TRIES_KEPT` stay, which tell the count. */
  async add(orgId: string, asset: string, tries: readonly string[]): Promise<void> {
    const tryKey = (hash: string): string => `${orgId} ${asset} ${hash}`;
    const hashes = joinTries(tries).filter((hash) => this.#remembered.get(tryKey(hash)) === undefined);
    if (hashes.length === 0) return;
    const { numInsertedOrUpdatedRows: added = 0n } = await this.db
      .insertInto('tries')
      .values(hashes.map((hash) => ({ org_id: orgId, asset, hash })))
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    if (added > 0n) await this.#keepLowest(orgId, asset);
    for (const hash of hashes) this.#remembered.set(tryKey(hash), true);
  }

  async #keepLowest(orgId: string, asset: string): Promise<void> {
    await sql`
      delete from tries where org_id = ${orgId} and asset = ${asset} and hash > (
        select hash from tries where org_id = ${orgId} and asset = ${asset}
        order by hash offset ${TRIES_KEPT - 1} limit 1
      )`.execute(this.db);
  }

  /** The tries of an organization on one asset, under any name of its bars, see `joinTries`. */
  async ofAsset(orgId: string, asset: string): Promise<string[]> {
    const rows = await this.db
      .selectFrom('tries')
      .where('org_id', '=', orgId)
      .where('asset', 'in', await this.namesOf(asset))
      .select('hash')
      .execute();
    return joinTries(rows.map(({ hash }) => hash));
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
    return this.#underAllNames(found, joinTries);
  }

  /** Adds what a judged sweep was worth; of one that is known, the larger worth stays. */
  async addSweep(orgId: string, asset: string, tried: TriedSweep): Promise<void> {
    await this.db
      .insertInto('tried_sweeps')
      .values({ org_id: orgId, asset, ...tried })
      .onConflict((conflict) =>
        conflict
          .columns(['org_id', 'asset', 'sweep'])
          .doUpdateSet({ tries: tried.tries, unrelated: tried.unrelated })
          .where('tried_sweeps.unrelated', '<', tried.unrelated),
      )
      .execute();
  }

  /** What judged sweeps of an organization were worth, by asset. */
  async judgedSweeps(orgId: string): Promise<Record<string, TriedSweep[]>> {
    const rows = await this.db
      .selectFrom('tried_sweeps')
      .where('org_id', '=', orgId)
      .select(['asset', 'sweep', 'plan', 'tries', 'unrelated'])
      .execute();
    const found = new Map<string, TriedSweep[]>();
    for (const { asset, ...tried } of rows) found.set(asset, [...(found.get(asset) ?? []), tried]);
    return this.#underAllNames(found, joinSweeps);
  }

  async #underAllNames<T>(
    found: ReadonlyMap<string, readonly T[]>,
    join: (...lists: (readonly T[])[]) => T[],
  ): Promise<Record<string, T[]>> {
    const all = new Map<string, (readonly T[])[]>();
    for (const [asset, own] of found) {
      for (const name of await this.namesOf(asset)) all.set(name, [...(all.get(name) ?? []), own]);
    }
    return Object.fromEntries([...all].map(([name, lists]) => [name, join(...lists)]));
  }
}
