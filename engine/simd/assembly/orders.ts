import { isFilledAt, isFilledWithin, orderLevel } from '../../formulas/touches';
import { barCount, close, effectiveAtr, high, low, open, run } from './account';
import { entry_order, ORDER_BYTES } from './run-layout';
import { at, getBit, nextBit, Order, untouched } from './run-memory';

/*
 * The working entry orders of a run, as orders.ts of execution/ and decideOrder() of its
 * step.ts. A side has one order at most. When it fills or ends depends on the data alone, so that is
 * found when the order is placed.
 */

let longOrder = changetype<Order>(0);
let shortOrder = changetype<Order>(0);
let longEntry: usize;
let longExit: usize;
let shortEntry: usize;
let shortExit: usize;
/** First bars from the latest search on at whose close an order of each side may be placed. */
let longWanted: i32;
let shortWanted: i32;
export let isLimit: bool;

export function beginOrders(): void {
  longOrder = changetype<Order>(<usize>run.orders);
  shortOrder = changetype<Order>(<usize>run.orders + ORDER_BYTES);
  longEntry = <usize>run.entry;
  longExit = <usize>run.exit;
  shortEntry = <usize>run.shortEntry;
  shortExit = <usize>run.shortExit;
  isLimit = run.entry_order == entry_order.limit;
  endOrder(longOrder, -1);
  endOrder(shortOrder, -1);
  longWanted = -1;
  shortWanted = -1;
}

/** First bar from `from` on in which an order fills or may be placed, or barCount. */
export function nextOrderEvent(from: i32): i32 {
  const longFrom = max(from, longOrder.lastBar); // a signal before it is denied
  const shortFrom = max(from, shortOrder.lastBar);
  if (longWanted < longFrom) longWanted = nextBit(longEntry, barCount, longFrom);
  if (shortWanted < shortFrom) shortWanted = nextBit(shortEntry, barCount, shortFrom);
  return min(min(longWanted, shortWanted), min(longOrder.fillBar, shortOrder.fillBar));
}

/** Places the orders that a close asks for. */
export function placeOrders(bar: i32): void {
  const isLong = getBit(longEntry, bar);
  const isShort = getBit(shortEntry, bar);
  if (isLong == isShort) return;
  if (isLong) place(longOrder, bar, 1, longExit);
  else place(shortOrder, bar, -1, shortExit);
}

function place(order: Order, bar: i32, sign: f64, exit: usize): void {
  if (order.lastBar > bar || getBit(exit, bar)) return;
  const price = at(close, bar);
  const pct = run.entry_offset_pct;
  const offset = pct == pct ? pct * price : run.entry_offset_atr * effectiveAtr(bar);
  if (offset != offset) return;
  const level = orderLevel(sign, isLimit, price, offset);
  order.sign = sign;
  order.level = level;
  order.decision = bar;
  const expiry = bar + <i32>run.entry_valid_bars;
  const end = min(expiry, nextBit(exit, min(expiry, barCount), bar + 1));
  const last = min(end, barCount - 1);
  const isBelow = (sign == 1) == isLimit;
  const below = isBelow ? level : -Infinity;
  const above = isBelow ? Infinity : level;
  for (let fill = bar + 1; fill <= last; fill++) {
    fill = untouched(low, high, fill, last, below, above);
    if (!isFilledAtOpen(order, at(open, fill)) && !isFilledInside(order, at(high, fill), at(low, fill))) continue;
    order.fillBar = fill;
    order.lastBar = fill;
    return;
  }
  endOrder(order, end);
}

/** The order that fills first in `bar`, at its open or inside it; null where none does. */
export function nextFill(bar: i32, isAtOpen: bool): Order {
  const first = at(open, bar);
  const isLong = longOrder.fillBar == bar && (!isAtOpen || isFilledAtOpen(longOrder, first));
  const isShort = shortOrder.fillBar == bar && (!isAtOpen || isFilledAtOpen(shortOrder, first));
  const isOlder = !isShort || longOrder.decision <= shortOrder.decision;
  const order = isLong && isOlder ? longOrder : isShort ? shortOrder : changetype<Order>(0);
  if (changetype<usize>(order) != 0) endOrder(order, bar);
  return order;
}

@inline
function endOrder(order: Order, bar: i32): void {
  order.fillBar = barCount;
  order.lastBar = bar;
}

@inline
export function isFilledAtOpen(order: Order, first: f64): bool {
  return isFilledAt(order.sign, isLimit, first, order.level);
}

@inline
export function isFilledInside(order: Order, top: f64, bottom: f64): bool {
  const isLong = order.sign == 1;
  return isFilledWithin(order.sign, isLimit, isLong ? bottom : top, isLong ? top : bottom, order.level);
}
