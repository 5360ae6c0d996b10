import type { CountedUnit } from '../../data/state/index.js';
import type { Caller } from '../caller.js';
import type { Quotas } from './limits.js';
import type { MeterName } from './meters.js';

/**
 * The unit of one call of a metered method: counted before the use case runs, given back if that
 * comes to nothing, so that those calls count that succeeded. An answer that is given again counts
 * as nothing, since no use case runs for it. A process that dies in the midst of a call leaves its
 * unit counted: nobody knows whether the call took effect.
 */
export class CallUnit {
  #counted: CountedUnit | null = null;
  #isKept = false;

  constructor(
    private readonly quotas: Quotas,
    private readonly caller: Caller,
    private readonly meter: MeterName,
  ) {}

  /** @throws ApiError USAGE_LIMIT_EXCEEDED */
  async count(): Promise<void> {
    this.#counted = await this.quotas.countUnit(this.caller, this.meter);
  }

  /** From now on the call counts, however it ends. */
  keep(): void {
    this.#isKept = true;
  }

  /** Uncounts the unit, if it was counted and need not stay. */
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
