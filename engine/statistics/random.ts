const TWO_32 = 2 ** 32;

/**
 * SplitMix64 of Steele, Lea and Flood 2014: a counter that steps by the golden ratio, each value
 * mixed twice. A draw depends only on the seed and on the number of draws before it, so a seed
 * always gives the same numbers. The 64-bit arithmetic is done in 32-bit halves, because a BigInt
 * per draw costs about twenty times as much.
 */
export class SplitMix64 {
  /** Upper half of the last draw, unsigned; 0 before the first. */
  high = 0;
  /** Lower half of the last draw, unsigned; 0 before the first. */
  low = 0;
  #stateHigh: number;
  #stateLow: number;

  /**
   * @param seed a whole number, taken modulo 2^64
   * @throws RangeError when it is a number that is not a safe integer
   */
  constructor(seed: bigint | number) {
    if (typeof seed === 'number' && !Number.isSafeInteger(seed)) {
      throw new RangeError(`seed must be a whole number within 2^53 - 1, or a bigint, was ${seed}`);
    }
    const state = BigInt.asUintN(64, BigInt(seed));
    this.#stateHigh = Number(state >> 32n) | 0;
    this.#stateLow = Number(state & 0xffffffffn) | 0;
  }

  /** Upper and lower half of the state that determines the next draw. */
  get state(): readonly [high: number, low: number] {
    return [this.#stateHigh, this.#stateLow];
  }

  /** Continues from an earlier `state`. */
  resume(high: number, low: number): void {
    this.#stateHigh = high | 0;
    this.#stateLow = low | 0;
  }

  /** The state as 64 bits, for kernels. */
  get bits(): bigint {
    return (BigInt(this.#stateHigh >>> 0) << 32n) | BigInt(this.#stateLow >>> 0);
  }

  set bits(state: bigint) {
    this.resume(Number(BigInt.asIntN(32, state >> 32n)), Number(BigInt.asIntN(32, state)));
  }

  /** Draws 64 bits, left in `high` and `low`. */
  next(): void {
    const stateLow = (this.#stateLow + 0x7f4a7c15) | 0;
    const carry = stateLow >>> 0 < 0x7f4a7c15 ? 1 : 0;
    const stateHigh = (this.#stateHigh + 0x9e3779b9 + carry) | 0;
    this.#stateLow = stateLow;
    this.#stateHigh = stateHigh;

    let low = stateLow ^ ((stateLow >>> 30) | (stateHigh << 2));
    let high = stateHigh ^ (stateHigh >>> 30);
    high = (Math.imul(high, 0x1ce4e5b9) + Math.imul(low, 0xbf58476d) + upperProduct(low, 0x1ce4, 0xe5b9)) | 0;
    low = Math.imul(low, 0x1ce4e5b9);

    low ^= (low >>> 27) | (high << 5);
    high ^= high >>> 27;
    high = (Math.imul(high, 0x133111eb) + Math.imul(low, 0x94d049bb) + upperProduct(low, 0x1331, 0x11eb)) | 0;
    low = Math.imul(low, 0x133111eb);

    this.low = (low ^ ((low >>> 31) | (high << 1))) >>> 0;
    this.high = (high ^ (high >>> 31)) >>> 0;
  }

  /** Uniform in [0, 1): the upper 53 bits of a draw over 2^53. */
  uniform(): number {
    this.next();
    return (this.high + (this.low >>> 11) / 2 ** 21) / TWO_32;
  }

  /**
   * A whole number of 0..n-1: floor(uniform() n). No value is more likely than another by more than
   * n / 2^53.
   *
   * @param n 1 or more
   */
  below(n: number): number {
    return Math.floor(this.uniform() * n);
  }
}

/**
 * Upper 32 bits of the 64-bit product of `low` and a factor, which is given as two halves of 16
 * bits.
 */
function upperProduct(low: number, factorHigh: number, factorLow: number): number {
  const lowLow = low & 0xffff;
  const lowHigh = low >>> 16;
  const inner = lowHigh * factorLow + ((lowLow * factorLow) >>> 16);
  const cross = lowLow * factorHigh + (inner & 0xffff);
  return lowHigh * factorHigh + (inner >>> 16) + (cross >>> 16);
}
