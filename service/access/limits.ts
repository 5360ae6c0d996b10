import { committedOnce } from '../../data/state/index.js';
import { isoTime } from '../../engine/series/index.js';
import { ApiError } from '../api-error.js';
import type { Caller } from '../caller.js';
import type { MeteredResource, Tiers } from '../identity/index.js';
import type { WallClock } from '../wall-clock.js';
import { type Meter, type MeterName, meters } from './meters.js';
import type { CountedUnit, SqlUsageStore } from './usage-counts.js';
import { type Counted, WindowCounter } from './window-counter.js';

interface RateLimit {
  /** Requests of one credential in a window; 1 or more. */
  readonly requests: number;
  /** Whole seconds, 1 or more. */
  readonly windowS: number;
}

/** Where a caller stands in the current window. */
export interface RateState {
  /** Requests that the window allows. */
  readonly limit: number;
  /** Requests that are left in it, 0 or more. */
  readonly remaining: number;
  /** Whole seconds until the next window, 1 or more. */
  readonly resetS: number;
}

/** Far above what polling every second needs: it stops runaway loops, not real work. */
const defaultRateLimit: RateLimit = { requests: 60_000, windowS: 60 };

type OnState = (state: RateState) => void;

/**
 * Limits how often a caller may ask. Each process counts for itself, so several hosts allow several
 * times as much. The window begins with the first request.
 */
export class RateLimits {
  readonly #credentials: WindowCounter;
  /** Apart, so that requests from many addresses take no room from callers with a credential. */
  readonly #addresses: WindowCounter;
  readonly #requests: number;
  readonly #clock: () => number;

  /** @param clock in ms; the default never goes back, as the system's may */
  constructor({ requests, windowS }: RateLimit = defaultRateLimit, clock = () => performance.now()) {
    for (const [name, value] of Object.entries({ requests, windowS })) {
      if (!(Number.isSafeInteger(value) && value >= 1)) {
        throw new Error(`rate limit ${name} must be a whole number >= 1, was ${value}`);
      }
    }
    this.#requests = requests;
    // Of fractions of a millisecond, the end less the beginning of a window is no whole minute.
    this.#clock = () => Math.floor(clock());
    this.#credentials = new WindowCounter(windowS * 1000);
    this.#addresses = new WindowCounter(windowS * 1000);
  }

  /**
   * Counts a request of a credential.
   * @param onState called with the remaining rate, also before a refusal
   * @throws ApiError RATE_LIMITED with `retry_after` in whole seconds, 1 or more
   */
  async consume(credentialId: string, onState?: OnState): Promise<void> {
    this.#count(this.#credentials, credentialId, onState);
  }

  /** Counts a request of a caller without a credential, in the same way. */
  async consumeAddress(address: string, onState?: OnState): Promise<void> {
    this.#count(this.#addresses, address, onState);
  }

  /**
   * Counts nothing.
   * @throws ApiError RATE_LIMITED where the next `consume` would
   */
  async peek(credentialId: string): Promise<void> {
    this.#peek(this.#credentials, credentialId);
  }

  /** The same for `consumeAddress`. */
  async peekAddress(address: string): Promise<void> {
    this.#peek(this.#addresses, address);
  }

  #count(counter: WindowCounter, who: string, onState?: OnState): void {
    const nowMs = this.#clock();
    const counted = counter.count(who, nowMs);
    const state = this.#stateOf(counted, nowMs);
    onState?.(state);
    if (counted.count > this.#requests) throw limited(state);
  }

  #peek(counter: WindowCounter, who: string): void {
    const nowMs = this.#clock();
    const counted = counter.peek(who, nowMs);
    if (counted !== null && counted.count >= this.#requests) throw limited(this.#stateOf(counted, nowMs));
  }

  #stateOf({ count, endsAtMs }: Counted, nowMs: number): RateState {
    const resetS = Math.max(1, Math.ceil((endsAtMs - nowMs) / 1000));
    return { limit: this.#requests, remaining: Math.max(0, this.#requests - count), resetS };
  }
}

function limited({ resetS }: RateState): ApiError {
  const message = `Too many requests, try again in ${resetS} s`;
  return new ApiError('RATE_LIMITED', message, { retry_after: resetS });
}

/** What was counted in a month, by counter and meter; a missing key means 0. */
export type MonthOfUsage = Readonly<Partial<Record<MeteredResource | MeterName, number>>>;

/** Longer than any work goes on after a crash. */
const ONCE_MS = 86_400_000;

/** The user and the key of work that may be done again after a crash. */
interface OnceOf {
  readonly userId: string;
  readonly key: string;
}

type OfMonth = Pick<Caller, 'orgId' | 'tier'>;

interface QuotaParts {
  readonly store: SqlUsageStore;
  readonly tiers: Tiers;
  readonly clock: WallClock;
}

/** Enforces what the tier of an organization allows in a month. */
export class Quotas {
  readonly #parts: QuotaParts;

  constructor(parts: QuotaParts) {
    this.#parts = parts;
  }

  /**
   * Counts all of `amount` or nothing.
   * @param once what it is counted for; the same key counts once within a day
   * @throws ApiError USAGE_LIMIT_EXCEEDED with `limit`, `used` and `resets_at`; no `retry_after`,
   *   since clients would wait it out
   */
  async consume({ orgId, tier }: OfMonth, resource: MeteredResource, amount = 1, once?: OnceOf): Promise<void> {
    const { store, tiers, clock } = this.#parts;
    const max = tiers.of(tier).monthlyMax[resource];
    const nowMs = clock();
    const count = { orgId, resource, month: utcMonth(nowMs) };
    const { isWithin, used } =
      once === undefined
        ? await store.addUsage(count, amount, max)
        : await store.addUsageOnce(count, amount, max, {
            scope: { orgId, userId: once.userId, method: resource, key: once.key },
            endsMs: nowMs + ONCE_MS,
          });
    if (!isWithin) throw exceeded(resource, { max, used, nowMs });
  }

  /**
   * Counts all of `amount` or nothing, within what the tier and `ownMax` allow.
   * @returns whether it was counted
   */
  async take({ orgId, tier }: OfMonth, resource: MeteredResource, amount: number, ownMax: number): Promise<boolean> {
    const { store, tiers, clock } = this.#parts;
    const max = Math.min(ownMax, tiers.of(tier).monthlyMax[resource] ?? ownMax);
    return (await store.addUsage({ orgId, resource, month: utcMonth(clock()) }, amount, max)).isWithin;
  }

  /** Corrects a count by an amount that may be below 0. The limit does not hold it back. */
  async settle({ orgId }: OfMonth, resource: MeteredResource, amount: number): Promise<void> {
    const { store, clock } = this.#parts;
    if (amount !== 0) await store.addUsage({ orgId, resource, month: utcMonth(clock()) }, amount, null);
  }

  /**
   * Counts one call for its meter and for the counter of that meter.
   * @returns the unit to give back if the call fails
   * @throws ApiError TIER_UPGRADE_REQUIRED if the tier lacks what the meter needs; otherwise like
   *   `consume`, `quota_exceeded` for paid DeFi reads
   */
  async countUnit({ orgId, tier }: OfMonth, meter: MeterName): Promise<CountedUnit> {
    const { store, tiers, clock } = this.#parts;
    const { counter, entitlement }: Meter = meters[meter];
    if (entitlement !== undefined) tiers.requireEntitlement(tier, entitlement);
    const max = tiers.of(tier).monthlyMax[counter];
    const nowMs = clock();
    const unit = { orgId, month: utcMonth(nowMs), meter, counter };
    const { isWithin, used } = await store.countUnit(unit, max);
    if (!isWithin) throw exceeded(counter, { max, used, nowMs });
    return unit;
  }

  giveBack(unit: CountedUnit): Promise<void> {
    return this.#parts.store.giveBackUnit(unit);
  }

  /** The current month of an organization. Times are epoch ms, the end exclusive. */
  async month(orgId: string): Promise<{ month: string; startMs: number; endMs: number; used: MonthOfUsage }> {
    const nowMs = this.#parts.clock();
    const month = utcMonth(nowMs);
    const used = await this.#parts.store.readMonth(orgId, month);
    return { month, startMs: monthStartMs(nowMs, 0), endMs: monthStartMs(nowMs, 1), used };
  }
}

const utcMonth = (ms: number): string => new Date(ms).toISOString().slice(0, 7);

function monthStartMs(ms: number, monthsLater: number): number {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + monthsLater, 1);
}

function exceeded(
  resource: MeteredResource,
  { max, used, nowMs }: { readonly max: number | null; readonly used: number; readonly nowMs: number },
): ApiError {
  const resetsAt = isoTime(monthStartMs(nowMs, 1));
  const code = resource === 'defi_pro_calls' ? 'quota_exceeded' : 'USAGE_LIMIT_EXCEEDED';
  return new ApiError(code, `Monthly limit of ${resource}: ${used}/${max} used until ${resetsAt}`, {
    resource_type: resource,
    limit: max,
    used,
    resets_at: resetsAt,
  });
}

/** Name of the step that counts the unit of a call with an idempotency key. */
export const UNIT_STEP = 'unit';

/**
 * The unit of one metered call. It is counted before the use case runs and given back if that
 * fails, so only successful calls count. A replayed answer costs nothing, since no use case runs
 * for it. A process that dies during a call leaves its unit counted, because the call may have
 * taken effect; sent again with the same idempotency key, it does not count again.
 */
export class CallUnit {
  #counted: CountedUnit | null = null;
  #isKept = false;

  constructor(
    private readonly quotas: Quotas,
    private readonly caller: Caller,
    private readonly meter: MeterName,
  ) {}

  /** @throws ApiError USAGE_LIMIT_EXCEEDED, quota_exceeded, TIER_UPGRADE_REQUIRED */
  async count(): Promise<void> {
    this.#counted = await committedOnce(UNIT_STEP, () => this.quotas.countUnit(this.caller, this.meter));
  }

  /** From now on the call counts, even if it fails. */
  keep(): void {
    this.#isKept = true;
  }

  /** Gives the unit back if it was counted and `keep` was not called. */
  async giveBack(): Promise<void> {
    if (this.#counted === null || this.#isKept) return;
    const unit = this.#counted;
    this.#counted = null;
    await this.quotas.giveBack(unit);
  }

  get billed(): number {
    return this.#counted === null ? 0 : 1;
  }
}
