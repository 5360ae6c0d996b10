/**
 * A signal's answers over a series: one bit per bar, least significant bit first, in 32-bit words
 * (Arrow's Bool layout). Bits past the last bar are always 0, so words can be combined and counted
 * without a special case for the last one.
 */
export type Mask = Uint32Array;

export const wordCount = (barCount: number): number => (barCount + 31) >>> 5;

export const createMask = (barCount: number): Mask => new Uint32Array(wordCount(barCount));

export const getBit = (mask: Mask, bar: number): boolean => ((mask[bar >>> 5] >>> (bar & 31)) & 1) === 1;

export function setBit(mask: Mask, bar: number): void {
  mask[bar >>> 5] |= 1 << (bar & 31);
}

/** Sets the bit of every bar, and no bit past the last one. */
export function setAll(mask: Mask, barCount: number): void {
  mask.fill(-1);
  if ((barCount & 31) !== 0) mask[mask.length - 1] = (1 << (barCount & 31)) - 1;
}

/** Number of set bits at bar `from` and after. */
export function countBitsFrom(mask: Mask, from: number): number {
  const rest = mask.slice();
  clearBefore(rest, from);
  return countBits(rest);
}

/** First set bit at or after `from`, or -1. */
export function nextBit(mask: Mask, from: number): number {
  let index = from >>> 5;
  if (index >= mask.length) return -1;
  let word = mask[index] & (-1 << (from & 31));
  while (word === 0) {
    if (++index >= mask.length) return -1;
    word = mask[index];
  }
  return (index << 5) + (31 - Math.clz32(word & -word));
}

/** Number of set bits; 0 means that a rule never holds. */
export function countBits(mask: Mask): number {
  let count = 0;
  for (let i = 0; i < mask.length; i++) {
    let word = mask[i];
    word -= (word >>> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    count += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}

/** Keeps in `into` the bits that are also set in `other`. */
export function andInto(into: Mask, other: Mask): void {
  for (let i = 0; i < into.length; i++) into[i] &= other[i];
}

/** Adds to `into` the bits set in `other`. */
export function orInto(into: Mask, other: Mask): void {
  for (let i = 0; i < into.length; i++) into[i] |= other[i];
}

/** Clears every bit before `bar`. */
export function clearBefore(mask: Mask, bar: number): void {
  const whole = Math.min(bar >>> 5, mask.length);
  mask.fill(0, 0, whole);
  if (whole < mask.length) mask[whole] &= -1 << (bar & 31);
}

/** Indices of the set bits, ascending. */
export function bitIndices(mask: Mask): number[] {
  const indices: number[] = [];
  for (let bar = nextBit(mask, 0); bar !== -1; bar = nextBit(mask, bar + 1)) indices.push(bar);
  return indices;
}

/** Mask with the listed bars set. */
export function maskWithBars(barCount: number, bars: Iterable<number>): Mask {
  const mask = createMask(barCount);
  for (const bar of bars) setBit(mask, bar);
  return mask;
}
