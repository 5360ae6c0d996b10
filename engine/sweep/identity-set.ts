const SLOTS_FIRST = 1 << 12;
/** The table doubles beyond this share of used slots, because fuller tables have long searches. */
const LOAD_MAX = 0.75;

/**
 * A set of 64-bit values whose lower bits are spread, as in a hash or a drawn index. An entry takes
 * 11 to 22 bytes outside the heap; in a set of texts it takes a hundred on the heap.
 */
export class IdentitySet {
  size = 0;
  /** Open addressing: two words an entry, both 0 in an empty slot. */
  #slots = new Uint32Array(2 * SLOTS_FIRST);
  /** True when the set holds the identity 0, which looks like an empty slot. */
  #hasZero = false;

  /**
   * @param hash 16 hex digits
   * @returns false when it is there already
   */
  addHash(hash: string): boolean {
    return this.#add(Number.parseInt(hash.slice(0, 8), 16), Number.parseInt(hash.slice(8), 16));
  }

  /**
   * @param index 0..2^53-1
   * @returns false when it is there already
   */
  addIndex(index: number): boolean {
    return this.#add(Math.floor(index / 2 ** 32), index >>> 0);
  }

  #add(high: number, low: number): boolean {
    const isNew = high === 0 && low === 0 ? !this.#hasZero : insert(this.#slots, high, low);
    if (!isNew) return false;
    if (high === 0 && low === 0) this.#hasZero = true;
    this.size++;
    if (2 * this.size > LOAD_MAX * this.#slots.length) this.#double();
    return true;
  }

  #double(): void {
    const before = this.#slots;
    this.#slots = new Uint32Array(2 * before.length);
    for (let at = 0; at < before.length; at += 2) {
      if (before[at] !== 0 || before[at + 1] !== 0) insert(this.#slots, before[at], before[at + 1]);
    }
  }
}

/** False when the entry is there already. */
function insert(slots: Uint32Array, high: number, low: number): boolean {
  const mask = slots.length - 1;
  let at = (2 * low) & mask;
  while (slots[at] !== 0 || slots[at + 1] !== 0) {
    if (slots[at] === high && slots[at + 1] === low) return false;
    at = (at + 2) & mask;
  }
  slots[at] = high;
  slots[at + 1] = low;
  return true;
}
