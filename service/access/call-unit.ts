import type { CountedUnit } from '../../data/state/index.js';
import type { Caller } from '../caller.js';
import type { Quotas } from './limits.js';
import type { MeterName } from './meters.js';

/**
 * The unit of one metered call. It is counted before the use case runs and given back if that
 * fails, so only successful calls count. A replayed answer costs nothing, since no use case runs
 * for it. A process that dies during a call leaves its unit counted, because the call may have
 * taken effect.
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
    this.#counted = await this.quotas.countUnit(this.caller, this.meter);
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
