import type { AssetSource } from '../../data/upstreams/assets/index.js';
import { UpstreamFault } from '../../data/upstreams/index.js';
import { HOUR_MS, isoTime } from '../../engine/series/index.js';
import type { WallClock } from '../wall-clock.js';
import { whileHeld } from '../work/lease.js';
import { WorkLoop } from '../work/work-loop.js';
import type { AssetBook } from './book.js';
import type { UpdateFailure } from './tables.js';
import type { AssetUpdateRow, ClaimedUpdate, SqlAssetUpdates } from './update-store.js';

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
