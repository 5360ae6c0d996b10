import { valueWith } from '../../formulas/prices-and-sizes';
import { marginedWorth } from '../../formulas/sides';

/* Data of a run in memory, besides the structures of run-layout.ts, which the build writes. */

@unmanaged
export class Position {
  size: f64;
  entryPrice: f64;
  stopPrice: f64;
  targetPrice: f64;
  entryFee: f64;
  slippageCost: f64;
  entryBar: i32;
  exitBar: i32;
  isScheduled: i32;
}

/** A position of a run that uses sides, margin or moving levels. */
@unmanaged
export class SidedPosition {
  size: f64;
  /** 1 for a long position, -1 for a short one. */
  sign: f64;
  margin: f64;
  entryPrice: f64;
  entryFee: f64;
  slippageCost: f64;
  distance: f64;
  /** NaN where it cannot be liquidated. */
  liquidation: f64;
  /** Price of an exit inside its bar, NaN for an exit at an open or at the end of the data. */
  exitRaw: f64;
  exitFill: i32;
  entryBar: i32;
  exitBar: i32;
  isScheduled: i32;
  isMargined: i32;
}

/** An account value, and a position more at one price. */
@inline
export function worthOf(value: f64, position: SidedPosition, price: f64): f64 {
  const size = position.size;
  if (position.isMargined == 0) return valueWith(value, size, price);
  return value + marginedWorth(position.margin, position.sign, size, price, position.entryPrice);
}

@inline
export function at(column: usize, bar: i32): f64 {
  return load<f64>(column + (<usize>bar << 3));
}

@inline
export function getBit(mask: usize, bar: i32): bool {
  return ((load<u32>(mask + (<usize>(bar >>> 5) << 2)) >>> (bar & 31)) & 1) != 0;
}

/** First set bit at or after `from`, or `barCount`. */
export function nextBit(mask: usize, barCount: i32, from: i32): i32 {
  if (from >= barCount) return barCount;
  const end = (barCount + 31) >>> 5;
  let index = from >>> 5;
  let word = load<u32>(mask + (<usize>index << 2)) & (<u32>-1 << (from & 31));
  while (word == 0) {
    if (++index >= end) return barCount;
    word = load<u32>(mask + (<usize>index << 2));
  }
  return (index << 5) + ctz<u32>(word);
}

/**
 * A bar in `from` .. `to` before which no bar from `from` on touches a level. It need not be the
 * latest such bar.
 */
@inline
export function untouched(low: usize, high: usize, from: i32, to: i32, stop: f64, target: f64): i32 {
  const stops = f64x2.splat(stop);
  const targets = f64x2.splat(target);
  let bar = from;
  for (; bar + 4 <= to; bar += 4) {
    const here = <usize>bar << 3;
    const lows = v128.or(f64x2.le(v128.load(low + here), stops), f64x2.le(v128.load(low + here + 16), stops));
    const highs = v128.or(f64x2.ge(v128.load(high + here), targets), f64x2.ge(v128.load(high + here + 16), targets));
    if (v128.any_true(v128.or(lows, highs))) break;
  }
  return bar;
}
