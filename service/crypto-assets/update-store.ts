import { type Selectable, sql } from 'kysely';
import type { Database } from '../state/tables.js';
import type { CryptoAssetTables, UpdateFailure } from './tables.js';

export type AssetUpdateRow = Selectable<CryptoAssetTables['crypto_asset_updates']>;

/** An update that one process works on until its lease ends. */
export interface ClaimedUpdate extends Pick<AssetUpdateRow, 'id' | 'symbols' | 'place'> {
  readonly runner: string;
}

/** Finished updates that are kept. */
const FINISHED_MAX = 20;

/**
 * Updates of all assets, at most one at a time. Each method is one step, so any number of processes
 * may share an update: the lease says which one works on it.
 */
export class SqlAssetUpdates {
  constructor(private readonly db: Database) {}

  /** Adds an update, unless one is unfinished. @returns whether it was added */
  async add(id: string, symbols: readonly string[], nowMs: number): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await this.db
      .insertInto('crypto_asset_updates')
      .values({
        id,
        symbols: JSON.stringify(symbols),
        started_at_ms: nowMs,
        finished_at_ms: symbols.length === 0 ? nowMs : null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
    return numInsertedOrUpdatedRows === 1n;
  }

  /** Newest first. */
  async newest(count: number): Promise<AssetUpdateRow[]> {
    return this.db
      .selectFrom('crypto_asset_updates')
      .selectAll()
      .orderBy(sql`finished_at_ms is null`, 'desc')
      .orderBy('started_at_ms', 'desc')
      .orderBy('id')
      .limit(count)
      .execute();
  }

  /** Who works on the unfinished update, or was the last to do so. */
  async runner(): Promise<string | null> {
    const row = await this.db
      .selectFrom('crypto_asset_updates')
      .select('lease_runner')
      .where('finished_at_ms', 'is', null)
      .executeTakeFirst();
    return row?.lease_runner ?? null;
  }

  /** Takes the unfinished update, if no other process holds it. */
  async claim(runner: string, nowMs: number, leaseUntilMs: number): Promise<ClaimedUpdate | null> {
    const row = await this.db
      .updateTable('crypto_asset_updates')
      .set({ lease_runner: runner, lease_until_ms: leaseUntilMs })
      .where('finished_at_ms', 'is', null)
      .where((eb) => eb.or([eb('lease_until_ms', '<=', nowMs), eb('lease_runner', '=', runner)]))
      .returning(['id', 'symbols', 'place'])
      .executeTakeFirst();
    return row === undefined ? null : { ...row, runner };
  }

  /**
   * Counts the symbol at `place` as done, and finishes the update after the last.
   * @param failure why it could not be evaluated, or null
   * @returns the next place; null if another process took the update, or if it is finished
   */
  async advance(
    { id, symbols, place, runner }: ClaimedUpdate,
    failure: UpdateFailure | null,
    nowMs: number,
    leaseUntilMs: number,
  ): Promise<ClaimedUpdate | null> {
    const next = place + 1;
    const isLast = next >= symbols.length;
    const failures =
      failure === null ? sql`failures` : sql`(failures::jsonb || ${JSON.stringify([failure])}::jsonb)::json`;
    const { rows } = await sql`
      update crypto_asset_updates
      set place = ${next}, failures = ${failures}, lease_until_ms = ${isLast ? 0 : leaseUntilMs},
        finished_at_ms = ${isLast ? nowMs : null}
      where id = ${id} and place = ${place} and lease_runner = ${runner}
      returning id`.execute(this.db);
    return rows.length === 0 || isLast ? null : { id, symbols, place: next, runner };
  }

  /** Extends a lease during a wait for the provider. @returns whether it still holds */
  async hold({ id, runner }: ClaimedUpdate, leaseUntilMs: number): Promise<boolean> {
    const { numUpdatedRows } = await this.db
      .updateTable('crypto_asset_updates')
      .set({ lease_until_ms: leaseUntilMs })
      .where('id', '=', id)
      .where('lease_runner', '=', runner)
      .executeTakeFirstOrThrow();
    return numUpdatedRows === 1n;
  }

  /** Lets another process than this runner take the unfinished update at once. */
  async release(runner: string): Promise<void> {
    await this.db
      .updateTable('crypto_asset_updates')
      .set({ lease_until_ms: 0 })
      .where('finished_at_ms', 'is', null)
      .where('lease_runner', '=', runner)
      .execute();
  }

  /** Deletes all but the newest finished updates. */
  async trim(): Promise<void> {
    await this.db
      .deleteFrom('crypto_asset_updates')
      .where('finished_at_ms', 'is not', null)
      .where('id', 'in', ({ selectFrom }) =>
        selectFrom('crypto_asset_updates')
          .select('id')
          .where('finished_at_ms', 'is not', null)
          .orderBy('started_at_ms', 'desc')
          .orderBy('id')
          .offset(FINISHED_MAX),
      )
      .execute();
  }
}
