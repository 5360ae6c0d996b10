import { valueWith } from '../../formulas/prices-and-sizes';
import { marginedWorth } from '../../formulas/sides';

/* Data of a run in memory, besides the structures of run-layout.ts, which the build writes. */

/**
 * How a sale fills: with slippage, exactly at a maker's fee, or with the whole margin lost. Before
 * the sale it is not known yet, or it is known that no level will be reached before the last close.
 */
export enum Fill {
  AT_END = -2,
  NOT_YET = -1,
  MARKET = 0,
  LIMIT = 1,
  LIQUIDATION = 2,
}

@unmanaged
export class Position {
  size: f64;
  /** 1 for a long position, -1 for a short one. */
  sign: f64;
  /** Of the size that is left. */
  margin: f64;
  entryPrice: f64;
  /** Carry that the margin has borne; the position is never worth less. */
  borne: f64;
  entryFee: f64;
  /** Of the legs filled so far. */
  slippageCost: f64;
  exitFee: f64;
  gain: f64;
  carryPaid: f64;
  firstSize: f64;
  distance: f64;
  /** NaN where it cannot be liquidated. */
  liquidation: f64;
  /** At the open of the next event; NaN where there is none. */
  stop: f64;
  /** In the bar of the next event; NaN where there is none. */
  target: f64;
  /** Best price before the next event; NaN before the first bar that counts. */
  best: f64;
  partsSold: i32;
  entryBar: i32;
  /** Bar of the next event: a sale at its open, or a touch inside it. */
  exitBar: i32;
  isScheduled: i32;
  /** How it is sold then, and the price before slippage. */
  fill: i32;
  exitRaw: f64;
  isMargined: i32;
  isFilledInside: i32;
  isUsedUp: i32;
  /** The finer bar in which its order filled inside the bar of its entry, or 0. */
  filledIn: usize;
}

/**
 * What is known of an entry of a run that depends on its entries alone: what the bar says, where the
 * position is sold, and the sums over the bars between. Runs with the same exit rule and settings
 * share it. It has all that a trade reads, because a cache miss costs more than the trade.
 */
@unmanaged
export class KnownEntry {
  /** Of the exit rule and side, and of the settings; 0 where nothing is known. */
  exitId: i32;
  settingsId: i32;
  bar: i32;
  /** As the fields of `Position`. */
  exitBar: i32;
  isScheduled: i32;
  fill: i32;
  exitRaw: f64;
  /** UTC day and open of the bar. */
  day: f64;
  open: f64;
  /** Between entry and stop. */
  distance: f64;
  /** Close of the bar, and of the bar before the exit. */
  close: f64;
  closeBefore: f64;
  /** Of the account beside each unit, see restPerUnit(), of which the sums are; NaN before there are sums. */
  rest: f64;
  /** Of the returns, of the squares of their deviations from their own mean, of the squares of losses. */
  total: f64;
  squares: f64;
  squaredLosses: f64;
  /** Of the closes. */
  lowest: f64;
  highest: f64;
}

/** An entry order of a side. */
@unmanaged
export class Order {
  sign: f64;
  level: f64;
  /** The bar whose close placed it. */
  decision: i32;
  /** The bar in which it fills, or barCount. */
  fillBar: i32;
  /** Its last bar: where it fills, expires or is cancelled. */
  lastBar: i32;
}

/** An account value, and a position more at one price. */
@inline
export function worthOf(value: f64, position: Position, price: f64): f64 {
  const size = position.size;
  if (position.isMargined == 0) return valueWith(value, size, price);
  const worth = marginedWorth(position.margin, position.sign, size, price, position.entryPrice);
  return value + max<f64>(position.borne, worth);
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
