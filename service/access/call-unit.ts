import { committedOnce } from '../../data/state/index.js';
import type { Caller } from '../caller.js';
import type { Quotas } from './limits.js';
import type { MeterName } from './meters.js';
import type { CountedUnit } from './usage-counts.js';

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
