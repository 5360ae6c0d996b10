import { SCALE } from '../indicators/arithmetic.js';
import type { Frame } from '../indicators/frame.js';
import { andInto, createMask, type Mask, orInto } from '../series/bits.js';
import { kernelsOver } from '../simd/kernels.js';
import type { Condition, Operand } from './condition.js';

/** Bars on which the condition holds, over the whole frame. Bit t reads bars 0..t only. */
export function evaluateCondition(condition: Condition, frame: Frame): Mask {
  const mask = createMask(frame.barCount);
  switch (condition.kind) {
    case 'compare': {
      const left = read(condition.left, frame);
      const right = read(condition.right, frame);
      compareMask(left, right, condition.isStrict, frame, mask);
      return mask;
    }
    case 'cross': {
      crossMask(read(condition.left, frame), read(condition.right, frame), frame, mask);
      return mask;
    }
    case 'all': {
      mask.fill(-1);
      for (const part of condition.parts) andInto(mask, evaluateCondition(part, frame));
      return trim(mask, frame.barCount);
    }
    case 'any': {
      for (const part of condition.parts) orInto(mask, evaluateCondition(part, frame));
      return mask;
    }
    case 'none': {
      mask.fill(-1);
      for (const part of condition.parts) {
        const holds = evaluateCondition(part, frame);
        for (let i = 0; i < mask.length; i++) mask[i] &= ~holds[i];
      }
      for (const operand of condition.defined) {
        const value = read(operand, frame);
        const isNumber = createMask(frame.barCount); // only NaN differs from itself
        compareMask(value, value, false, frame, isNumber);
        andInto(mask, isNumber);
      }
      return trim(mask, frame.barCount);
    }
    case 'recent':
      return spreadMask(evaluateCondition(condition.part, frame), condition.bars, frame.barCount);
  }
}

/**
 * An operand ready to be read in a loop. For the word of 32 bars that begins at `base`, the value
 * at bar base + k is values[(base & moves) - lag + k]. A column advances with the bars and a
 * constant stays on 32 copies of itself, so one loop serves both.
 */
interface Reading {
  readonly values: Float64Array;
  readonly moves: -1 | 0;
  readonly lag: number;
}

function read(operand: Operand, frame: Frame): Reading {
  if (typeof operand === 'number') return { values: frame.constant(operand), moves: 0, lag: 0 };
  const { column, lag, scale } = operand;
  // Multiplying in the comparison loops would slow all of them by half; few operands have a scale.
  return { values: frame.column(scale === 1 ? column : SCALE(scale, column)), moves: -1, lag };
}

/** Sets in `out`, which must be all 0, the bits of the bars on which the comparison holds. */
function compareMask(left: Reading, right: Reading, isStrict: boolean, frame: Frame, out: Mask): void {
  const first = Math.max(left.lag, right.lag);
  const compare = isStrict ? greaterMask : greaterOrEqualMask;
  // WebAssembly compares whole words; the plain loop compares the rest of the first and the last
  // one.
  const from = (first + 31) & ~31;
  const to = frame.barCount & ~31;
  const scratch = frame.scratchMask();
  const kernels = to <= from ? null : kernelsOver(frame.barCount, [left.values, right.values, scratch]);
  if (kernels === null) {
    compare(left, right, first, frame.barCount, out);
    return;
  }
  const kernel = isStrict ? kernels.greater : kernels.greaterOrEqual;
  const words = (to - from) >>> 5;
  kernel(offsetAt(left, from), 256 & left.moves, offsetAt(right, from), 256 & right.moves, words, scratch.byteOffset);
  out.set(scratch.subarray(0, words), from >>> 5);
  compare(left, right, first, from, out);
  compare(left, right, to, frame.barCount, out);
}

const offsetAt = ({ values, moves, lag }: Reading, bar: number): number =>
  values.byteOffset + 8 * ((bar & moves) - lag);

/**
 * Compares the bars `from` to `to` (exclusive). It overwrites every word that it touches, so two
 * ranges of a mask must not share a word.
 */
type CompareLoop = (left: Reading, right: Reading, from: number, to: number, out: Mask) => void;

// `Number(comparison)` compiles without a branch, `comparison ? 1 : 0` with one that mispredicts on
// a random walk. Eight bars a round halve the time once more. A callback per word or per bar would
// cost more than the comparisons.
const greaterMask: CompareLoop = (left, right, from, to, out) => {
  const { values: a, moves: movesA, lag: lagA } = left;
  const { values: b, moves: movesB, lag: lagB } = right;
  for (let base = from & ~31; base < to; base += 32) {
    const i = (base & movesA) - lagA;
    const j = (base & movesB) - lagB;
    const end = Math.min(to - base, 32);
    let word = 0;
    let k = Math.max(from - base, 0);
    for (; k + 8 <= end; k += 8) {
      const p = i + k;
      const q = j + k;
      word |=
        (Number(a[p] > b[q]) |
          (Number(a[p + 1] > b[q + 1]) << 1) |
          (Number(a[p + 2] > b[q + 2]) << 2) |
          (Number(a[p + 3] > b[q + 3]) << 3) |
          (Number(a[p + 4] > b[q + 4]) << 4) |
          (Number(a[p + 5] > b[q + 5]) << 5) |
          (Number(a[p + 6] > b[q + 6]) << 6) |
          (Number(a[p + 7] > b[q + 7]) << 7)) <<
        k;
    }
    for (; k < end; k++) word |= Number(a[i + k] > b[j + k]) << k;
    out[base >>> 5] = word;
  }
};

const greaterOrEqualMask: CompareLoop = (left, right, from, to, out) => {
  const { values: a, moves: movesA, lag: lagA } = left;
  const { values: b, moves: movesB, lag: lagB } = right;
  for (let base = from & ~31; base < to; base += 32) {
    const i = (base & movesA) - lagA;
    const j = (base & movesB) - lagB;
    const end = Math.min(to - base, 32);
    let word = 0;
    let k = Math.max(from - base, 0);
    for (; k + 8 <= end; k += 8) {
      const p = i + k;
      const q = j + k;
      word |=
        (Number(a[p] >= b[q]) |
          (Number(a[p + 1] >= b[q + 1]) << 1) |
          (Number(a[p + 2] >= b[q + 2]) << 2) |
          (Number(a[p + 3] >= b[q + 3]) << 3) |
          (Number(a[p + 4] >= b[q + 4]) << 4) |
          (Number(a[p + 5] >= b[q + 5]) << 5) |
          (Number(a[p + 6] >= b[q + 6]) << 6) |
          (Number(a[p + 7] >= b[q + 7]) << 7)) <<
        k;
    }
    for (; k < end; k++) word |= Number(a[i + k] >= b[j + k]) << k;
    out[base >>> 5] = word;
  }
};

/**
 * Above now, at or below one bar earlier. The bits of "above" show where it rises; only there does
 * the loop read the earlier bar.
 */
function crossMask(left: Reading, right: Reading, frame: Frame, out: Mask): void {
  const first = Math.max(left.lag, right.lag);
  compareMask(left, right, true, frame, out);
  let before = 0;
  for (let i = 0; i < out.length; i++) {
    const above = out[i];
    let rises = above & ~((above << 1) | before);
    before = above >>> 31;
    for (let rest = rises; rest !== 0; rest &= rest - 1) {
      const lowest = rest & -rest;
      const t = (i << 5) + 31 - Math.clz32(lowest);
      // A rise from a bar without a value, or from before the data, is no crossing.
      if (t === first || !(valueAt(left, t - 1) <= valueAt(right, t - 1))) rises ^= lowest;
    }
    out[i] = rises;
  }
}

const valueAt = ({ values, moves, lag }: Reading, t: number): number => values[(t & moves) - lag];

/** Sets every bit that has a set bit among itself and the `bars - 1` before it. */
export function spreadMask(mask: Mask, bars: number, barCount: number): Mask {
  const out = createMask(barCount);
  let lastTrue = -Infinity;
  for (let t = 0; t < barCount; t++) {
    if ((mask[t >>> 5] >>> (t & 31)) & 1) lastTrue = t;
    if (t - lastTrue < bars) out[t >>> 5] |= 1 << (t & 31);
  }
  return out;
}

/** Clears the bits past the last bar. */
function trim(mask: Mask, barCount: number): Mask {
  if ((barCount & 31) !== 0) mask[mask.length - 1] &= (1 << (barCount & 31)) - 1;
  return mask;
}
