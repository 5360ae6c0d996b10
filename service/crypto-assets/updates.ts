import { type Selectable, sql } from 'kysely';
import type { AssetSource } from '../../data/upstreams/assets/index.js';
import { UpstreamFault } from '../../data/upstreams/index.js';
import { HOUR_MS, isoTime } from '../../engine/series/index.js';
import type { Database } from '../state/tables.js';
import type { WallClock } from '../wall-clock.js';
import { whileHeld } from '../work/lease.js';
import { WorkLoop } from '../work/work-loop.js';
import type { AssetBook } from './book.js';
import type { CryptoAssetTables, UpdateFailure } from './tables.js';

interface AssetUpdatesParts {
  readonly store: SqlAssetUpdates;
  readonly source: AssetSource;
  readonly book: Pick<AssetBook, 'evaluate'>;
  readonly clock: WallClock;
  readonly newId: () => string;
  /** How other processes know this one as the holder of a lease. */
  readonly runner: string;
  /** Whether the process of such a name has ended for certain. */
  readonly hasEnded: (runner: string) => boolean;
  /** Resolves after `ms` or when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Called after an update was added, to wake the workers of all processes. */
  readonly onAdded: () => Promise<void>;
  readonly onInternalError: (error: unknown) => void;
}

/**
 * Another process takes over after this time without progress; at once where it knows that the
 * holder has ended.
 */
export const LEASE_MS = 90_000;
/** Rest of a worker that found nothing to do; `wake` ends it. */
const REST_MS = 15_000;
/** A provider allows few requests a minute; this pace leaves it room for other calls. */
const LIVE_PACE_MS = 6_000;
/** Waits for a provider that asks for one, each bounded. */
const WAITS_MAX = 3;
const WAIT_MS_MAX = 60_000;
/** A live source is updated once a day; the upkeep that asks comes every hour. */
const DUE_MS = 23 * HOUR_MS;

/**
 * Evaluates all listed assets, one after the other. The state of an update is in the store, so an
 * update survives the death of its process: another one goes on, or the same one after a restart.
 */
export class AssetUpdates extends WorkLoop {
  readonly #parts: AssetUpdatesParts;

  constructor(parts: AssetUpdatesParts) {
    super({ ...parts, restMs: REST_MS });
    this.#parts = parts;
  }

  /**
   * Adds an update, or finds the unfinished one.
   * @throws UpstreamFault if the source cannot list its assets
   */
  async request() {
    const { store, source, clock, newId, onAdded, onInternalError } = this.#parts;
    const symbols = (await source.listed()).value.map(({ symbol }) => symbol);
    const isAdded = await store.add(newId(), symbols, clock());
    if (isAdded) await onAdded().catch(onInternalError); // a worker that rests will find it anyway
    const [latest, previous] = (await store.newest(2)).map(shown);
    if (latest === undefined) throw new Error('the update that was added is gone');
    return { isAdded, latest, previous: previous ?? null };
  }

  /** Adds the update of the day, if a live source is due for it. */
  async requestDue(): Promise<void> {
    const { store, source, clock } = this.#parts;
    if (!source.isLive) return;
    const [latest] = await store.newest(1);
    if (latest === undefined || clock() - latest.started_at_ms >= DUE_MS) await this.request();
    await store.trim();
  }

  /** Works on the unfinished update until it is done or the signal aborts. */
  async takeNext(stopping: AbortSignal): Promise<false> {
    const { store, clock, runner, hasEnded, onInternalError } = this.#parts;
    const holder = await store.runner();
    if (holder !== null && hasEnded(holder)) await store.release(holder);
    const claimed = await store.claim(runner, clock(), clock() + LEASE_MS);
    if (claimed === null) return false;
    const renew = (untilMs: number) => store.hold(claimed, untilMs);
    await whileHeld({ leaseMs: LEASE_MS, renew, clock, onInternalError }, (lost) =>
      this.#run(claimed, AbortSignal.any([stopping, lost])),
    );
    return false;
  }

  async #run(first: ClaimedUpdate, signal: AbortSignal): Promise<void> {
    const { store, source, clock, sleep, runner } = this.#parts;
    let claimed: ClaimedUpdate | null = first;
    while (claimed !== null && !signal.aborted) {
      const failure: UpdateFailure | null = await this.#evaluate(claimed, signal);
      if (signal.aborted && failure !== null) break;
      claimed = await store.advance(claimed, failure, clock(), clock() + LEASE_MS);
      if (claimed !== null && source.isLive) await sleep(LIVE_PACE_MS, signal);
    }
    if (claimed !== null) await store.release(runner);
  }

  /** Evaluates the asset whose turn it is. @returns why that failed, or null */
  async #evaluate(claimed: ClaimedUpdate, signal: AbortSignal) {
    const { book, source, sleep, onInternalError } = this.#parts;
    const symbol = claimed.symbols[claimed.place] ?? '';
    for (let waits = 0; ; waits++) {
      try {
        const listed = source.isLive ? null : (await source.listed()).value.find((each) => each.symbol === symbol);
        const made = await book.evaluate(symbol, listed?.revision ?? null);
        return made === null ? { symbol, error: 'the source does not know it any more' } : null;
      } catch (error) {
        const isFault = error instanceof UpstreamFault;
        if (!isFault) onInternalError(error);
        const waitMs = isFault ? retryDelayMs(error) : null;
        if (waitMs === null || waits >= WAITS_MAX || signal.aborted) {
          return { symbol, error: isFault ? error.message : 'an unexpected error occurred' };
        }
        await sleep(waitMs, signal);
      }
    }
  }
}

/** How long to wait before the same asset is tried again; null where that does not help. */
function retryDelayMs({ reason, retryAfterMs }: UpstreamFault): number | null {
  if (reason !== 'rate limit' && reason !== 'own rate' && reason !== 'open') return null;
  return Math.min(retryAfterMs ?? WAIT_MS_MAX / 2, WAIT_MS_MAX);
}

const shown = (row: AssetUpdateRow) => ({
  update_id: row.id,
  status: row.finished_at_ms === null ? 'running' : 'completed',
  total: row.symbols.length,
  done: row.place,
  failed: row.failures.length,
  failures: row.failures,
  started_at: isoTime(row.started_at_ms),
  finished_at: row.finished_at_ms === null ? null : isoTime(row.finished_at_ms),
});

type AssetUpdateRow = Selectable<CryptoAssetTables['crypto_asset_updates']>;

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
