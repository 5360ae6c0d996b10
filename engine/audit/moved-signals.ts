import { createMask, getBit, type Mask, setBit } from '../series/index.js';

export function laterMask(mask: Mask, barCount: number): Mask {
  const late = createMask(barCount);
  for (let bar = 1; bar < barCount; bar++) if (getBit(mask, bar - 1)) setBit(late, bar);
  return late;
}

/** A column one bar later; NaN where there was no bar before. */
export function laterColumn(cells: Float64Array): Float64Array {
  const late = new Float64Array(cells.length).fill(NaN);
  late.set(cells.subarray(0, -1), Math.min(1, cells.length));
  return late;
}

/**
 * A mask whose bars from `first` on are moved by some bars, those beyond the end to the start: as
 * many bars in rows as long, at other times.
 */
export function rotatedMask(mask: Mask, barCount: number, first: number, by: number): Mask {
  const rotated = createMask(barCount);
  for (let bar = 0; bar < barCount; bar++) {
    if (getBit(mask, bar)) setBit(rotated, rotatedBar(bar, barCount, first, by));
  }
  return rotated;
}

/** The same of a column. */
export function rotatedColumn(cells: Float64Array, first: number, by: number): Float64Array {
  const rotated = new Float64Array(cells.length);
  for (let bar = 0; bar < cells.length; bar++) rotated[rotatedBar(bar, cells.length, first, by)] = cells[bar];
  return rotated;
}

const rotatedBar = (bar: number, barCount: number, first: number, by: number): number =>
  bar < first ? bar : first + ((bar - first + by) % (barCount - first));
