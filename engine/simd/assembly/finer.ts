import { isGainReached } from '../../formulas/touches';
import { barCount, high, low, open, run } from './account';
import { isFilledAtOpen, isFilledInside } from './orders';
import { isLastPartReached, isLimitTarget, isSoldInParts, levelsReached, touch, touchLoss } from './position-exits';
import { at, Order, Position } from './run-memory';

/*
 * The finer bars that decide the order of events inside a bar, as detail.ts of execution/. The host
 * copies those of one bar at a time to the room of the run: open, high and low of each.
 */

@external('env', 'copyFiner')
declare function copyFiner(bar: i32): i32;

const FINER_BYTES: usize = 24;

/** 0 where no finer bars decide. */
let room: usize;
/** The bar whose finer bars are in the room, and where they end: at the room where one is missing. */
let held: i32;
let end: usize;

export function beginFiner(): void {
  room = <usize>run.finer;
  held = barCount;
}

/** Whether the finer bars of a bar are all there; they are in the room then. */
function hold(bar: i32): bool {
  if (bar != held) {
    held = bar;
    end = room + <usize>copyFiner(bar) * FINER_BYTES;
  }
  return end > room;
}

/**
 * As walkPosition(): sells what a bar touches of a position.
 * @returns whether it closes the position
 */
@inline
export function touchBar(p: usize, bar: i32): bool {
  if (room != 0 && isOpenTo(changetype<Position>(p), bar)) return walk(p, bar, room);
  return touch(p, bar, at(open, bar), at(high, bar), at(low, bar));
}

/** Whether a bar reaches two levels of a position, which its open does not close, and finer bars judge it. */
function isOpenTo(position: Position, bar: i32): bool {
  const reached = levelsReached(position, at(high, bar), at(low, bar));
  return popcnt(reached) > 1 && !isClosedByOpen(position, at(open, bar)) && agrees(position, bar, reached);
}

function isClosedByOpen(position: Position, first: f64): bool {
  const sign = position.sign;
  if (sign * first <= sign * position.liquidation || sign * first <= sign * position.stop) return true;
  if (isGainReached(sign, first, position.target, isLimitTarget)) return true;
  return isSoldInParts && isLastPartReached(position, first);
}

/** Whether the finer bars are all there and reach every level that the bar reaches. */
function agrees(position: Position, bar: i32, reached: i32): bool {
  if (!hold(bar)) return false;
  let highest = at(room, 1);
  let lowest = at(room, 2);
  for (let finer = room + FINER_BYTES; finer < end; finer += FINER_BYTES) {
    highest = max<f64>(highest, at(finer, 1));
    lowest = min<f64>(lowest, at(finer, 2));
  }
  return (reached & ~levelsReached(position, highest, lowest)) == 0;
}

/** Sells what the finer bars from one on touch. */
function walk(p: usize, bar: i32, from: usize): bool {
  for (let finer = from; finer < end; finer += FINER_BYTES) {
    if (touch(p, bar, at(finer, 0), at(finer, 1), at(finer, 2))) return true;
  }
  return false;
}

/** The finer bar in which an order fills that the bar fills inside; 0 where the rule of the whole bar holds. */
export function finerFill(order: Order, bar: i32): usize {
  if (room == 0 || !hold(bar)) return 0;
  for (let finer = room; finer < end; finer += FINER_BYTES) {
    if (isFilledAtOpen(order, at(finer, 0)) || isFilledInside(order, at(finer, 1), at(finer, 2))) return finer;
  }
  return 0;
}

/** Price of an order that a finer bar fills, or of one that fills by the rule of the whole bar. */
export function finerPrice(order: Order, finer: usize): f64 {
  return finer != 0 && isFilledAtOpen(order, at(finer, 0)) ? at(finer, 0) : order.level;
}

/**
 * As judge() of walkEntry(): sells what the rest of a bar touches of a position that filled inside it.
 * @returns whether it closes the position
 */
export function touchRest(p: usize, bar: i32): bool {
  const position = changetype<Position>(p);
  const filled = position.filledIn;
  const top = at(high, bar);
  const bottom = at(low, bar);
  if (filled == 0 || !agrees(position, bar, levelsReached(position, top, bottom))) return touchLoss(p, bar, top, bottom);
  return touchLoss(p, bar, at(filled, 1), at(filled, 2)) || walk(p, bar, filled + FINER_BYTES);
}
