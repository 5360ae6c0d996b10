import type { Frame } from '../indicators/frame.js';
import { andInto, createMask, type Mask, orInto } from '../series/bits.js';
import type { Condition, Operand } from './condition.js';

/** Bars on which the condition holds, over the whole frame. Bit t reads bars 0..t only. */
export function evaluateCondition(condition: Condition, frame: Frame): Mask {
  const mask = createMask(frame.barCount);
  switch (condition.kind) {
    case 'compare': {
      const left = read(condition.left, frame);
      const right = read(condition.right, frame);
      if (condition.isStrict) greaterMask(left, right, frame.barCount, mask);
      else greaterOrEqualMask(left, right, frame.barCount, mask);
      return mask;
    }
    case 'cross': {
      crossMask(read(condition.left, frame), read(condition.right, frame), frame.barCount, mask);
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
        greaterOrEqualMask(value, value, frame.barCount, isNumber);
        andInto(mask, isNumber);
      }
      return trim(mask, frame.barCount);
    }
    case 'recent':
      return spread(evaluateCondition(condition.part, frame), condition.bars, frame.barCount);
  }
}

/** An operand ready to be read in a loop: value t is scale * values[(t - lag) * stride]; a constant has stride 0. */
interface Reading {
  readonly values: Float64Array;
  readonly stride: number;
  readonly lag: number;
  readonly scale: number;
}

function read(operand: Operand, frame: Frame): Reading {
  if (typeof operand === 'number') return { values: Float64Array.of(operand), stride: 0, lag: 0, scale: 1 };
  return { values: frame.column(operand.column), stride: 1, lag: operand.lag, scale: operand.scale };
}

function greaterMask(left: Reading, right: Reading, barCount: number, out: Mask): void {
  const { values: a, stride: strideA, lag: lagA, scale: scaleA } = left;
  const { values: b, stride: strideB, lag: lagB, scale: scaleB } = right;
  const first = Math.max(lagA, lagB);
  for (let base = first & ~31; base < barCount; base += 32) {
    const end = Math.min(base + 32, barCount);
    let word = 0;
    for (let t = Math.max(base, first); t < end; t++) {
      const isGreater = scaleA * a[(t - lagA) * strideA] > scaleB * b[(t - lagB) * strideB];
      word |= (isGreater ? 1 : 0) << (t & 31);
    }
    out[base >>> 5] = word;
  }
}

function greaterOrEqualMask(left: Reading, right: Reading, barCount: number, out: Mask): void {
  const { values: a, stride: strideA, lag: lagA, scale: scaleA } = left;
  const { values: b, stride: strideB, lag: lagB, scale: scaleB } = right;
  const first = Math.max(lagA, lagB);
  for (let base = first & ~31; base < barCount; base += 32) {
    const end = Math.min(base + 32, barCount);
    let word = 0;
    for (let t = Math.max(base, first); t < end; t++) {
      const isGreaterOrEqual = scaleA * a[(t - lagA) * strideA] >= scaleB * b[(t - lagB) * strideB];
      word |= (isGreaterOrEqual ? 1 : 0) << (t & 31);
    }
    out[base >>> 5] = word;
  }
}

/** One pass: "above now" and "not above" as words, the latter moved up by one bar. */
function crossMask(left: Reading, right: Reading, barCount: number, out: Mask): void {
  const { values: a, stride: strideA, lag: lagA, scale: scaleA } = left;
  const { values: b, stride: strideB, lag: lagB, scale: scaleB } = right;
  const first = Math.max(lagA, lagB);
  let carry = 0;
  for (let base = first & ~31; base < barCount; base += 32) {
    const end = Math.min(base + 32, barCount);
    let aboveWord = 0;
    let notAboveWord = 0;
    for (let t = Math.max(base, first); t < end; t++) {
      const x = scaleA * a[(t - lagA) * strideA];
      const y = scaleB * b[(t - lagB) * strideB];
      aboveWord |= (x > y ? 1 : 0) << (t & 31);
      notAboveWord |= (x <= y ? 1 : 0) << (t & 31);
    }
    out[base >>> 5] = aboveWord & ((notAboveWord << 1) | carry);
    carry = notAboveWord >>> 31;
  }
}

/** Sets every bit that has a set bit among itself and the `bars - 1` before it. */
function spread(mask: Mask, bars: number, barCount: number): Mask {
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
