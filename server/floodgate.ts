/** Lets at most `max` pass in each window of time, and counts the others. */
export class Floodgate {
  #startMs = Number.NEGATIVE_INFINITY;
  #passed = 0;
  #leftOut = 0;

  constructor(
    private readonly max: number,
    private readonly windowMs: number,
  ) {}

  /** How many were left out since the last that passed; null if this one is left out too. */
  pass(nowMs: number): number | null {
    if (nowMs - this.#startMs >= this.windowMs) {
      this.#startMs = nowMs;
      this.#passed = 0;
    }
    if (this.#passed === this.max) {
      this.#leftOut++;
      return null;
    }
    this.#passed++;
    const leftOut = this.#leftOut;
    this.#leftOut = 0;
    return leftOut;
  }
}
