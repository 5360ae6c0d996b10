import type { ByteWriter } from './byte-writer.js';

/** Bits of the largest of `count` numbers from 0 on. */
export const widthOf = (count: number): number => (count <= 1 ? 0 : 32 - Math.clz32(count - 1));

/**
 * Parquet's hybrid of runs and packed bits: one run where all numbers are the same, otherwise all of them packed, in groups of eight.
 * @param width bits a number, up to 24
 */
export function writeBits(out: ByteWriter, numbers: ArrayLike<number>, width: number): void {
  const { length } = numbers;
  if (isOneRun(numbers)) {
    out.varint(length << 1);
    for (let bit = 0; bit < width; bit += 8) out.byte(((numbers[0] ?? 0) >>> bit) & 255);
    return;
  }
  const groups = (length + 7) >> 3;
  out.varint((groups << 1) | 1);
  packBits(out, numbers, width);
}

/** Bits one number after another, the lowest first; zeros fill the last group of eight. */
export function packBits(out: ByteWriter, numbers: ArrayLike<number>, width: number): void {
  const places = (numbers.length + 7) & ~7;
  let bits = 0;
  let held = 0;
  for (let i = 0; i < places; i++) {
    bits |= (numbers[i] ?? 0) << held;
    held += width;
    for (; held >= 8; held -= 8) {
      out.byte(bits & 255);
      bits >>>= 8;
    }
  }
}

function isOneRun(numbers: ArrayLike<number>): boolean {
  const first = numbers[0];
  for (let i = 1; i < numbers.length; i++) if (numbers[i] !== first) return false;
  return true;
}
