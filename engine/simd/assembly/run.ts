import { TradeSums } from '../../formulas/trade-sums';
import {
  accountValue,
  barCount,
  cash,
  close,
  dayOf,
  distanceOf,
  hasOpposite,
  isClosed,
  isDenied,
  isFull,
  open,
  openAccount,
  openProposed,
  plainPriceOf,
  positionCount,
  positions,
  positionsEnd,
  propose,
  run,
  sell,
  sellOnSchedule,
} from './account';
import {
  beginCloses,
  chargeThrough,
  guardThrough,
  isCharged,
  isGuarded,
  isOnlyCharged,
  isWalked,
  nextCharge,
  payCarry,
  readFlatGuards,
  readGuards,
} from './closes';
import { addAlone, addBar, addCharged, addFlat, addHeld, begin, finish, scratch } from './curve';
import { beginFiner, finerFill, finerPrice, touchBar, touchRest } from './finer';
import { beginOrders, isLimit, nextFill, nextOrderEvent, placeOrders } from './orders';
import { beginEntries, entryAt, hasSums, isKnown, planKnown, sumsOf } from './known-entries';
import { beginExits, plan, planInline, planRest, targetAt } from './position-exits';
import { CurveFacts, entry_order, opposite_entry, POSITION_BYTES, RunInput } from './run-layout';
import { at, Fill, getBit, KnownEntry, nextBit, Order, Position } from './run-memory';

/*
 * Simulates a run as simulate() of execution/ does, and measures it in the same pass. It serves runs
 * of which only the figures are kept. Rules and amounts come from formulas/, one text for both. These
 * parts are written a second time, because TypeScript works on objects and named choices, and these
 * files on memory: how a run jumps from event to event, where its state is kept, and the walk along
 * the equity curve (curve.ts). A run that holds positions goes from charge to charge, and reads its
 * guards at the closes between. A property test checks that both give equal bits.
 */

if (offsetof<Position>() > POSITION_BYTES) ERROR('a position takes more room than the layout gives it');

let longEntry: usize;
let longExit: usize;
let shortEntry: usize;
let shortExit: usize;
/** Bars before this one have been measured. */
let marked: i32;
/** Earliest event among the open positions. */
let nextExit: i32;
let exposedBars: i32;
/** First bars from the latest decision on where the entry rule of each side holds, or barCount. */
let longWanted: i32;
let shortWanted: i32;

/**
 * Simulates and measures one run.
 * @param input a RunInput
 * @param facts a CurveFacts, then a TradeSums, all 0
 */
export function runFacts(input: usize, facts: usize): void {
  const curve = changetype<CurveFacts>(facts);
  openAccount(changetype<RunInput>(input), changetype<TradeSums>(facts + offsetof<CurveFacts>()));
  beginExits();
  beginFiner();
  beginCloses();
  longEntry = <usize>run.entry;
  longExit = <usize>run.exit;
  shortEntry = <usize>run.shortEntry;
  shortExit = <usize>run.shortExit;
  marked = <i32>run.first;
  nextExit = barCount;
  exposedBars = 0;
  beginEntries();
  begin(run, marked, cash);
  const isMarket = run.entry_order == entry_order.market;
  if (!isMarket) beginOrders();
  longWanted = -1;
  shortWanted = -1;
  let wanted = nextWanted(marked);
  let from = marked;
  for (;;) {
    const fill = isMarket ? (wanted == barCount ? barCount : wanted + 1) : nextOrderEvent(from);
    const bar = min(fill, nextExit);
    if (isWalked && !walk(bar)) continue;
    if (bar >= barCount) break;
    if (bar == nextExit) sellAtOpen(bar);
    if (!isMarket) fillAtOpen(bar);
    else if (bar == fill) {
      decide(bar);
      wanted = nextWanted(bar);
    }
    let isExposed = positionsEnd > positions;
    if (bar == nextExit) sellInside(bar);
    if (!isMarket && fillInside(bar)) isExposed = true;
    if (isWalked) {
      if (isExposed) exposedBars++;
      closeBar(bar);
    } else {
      if (bar == barCount - 1) sellRest(bar);
      if (isExposed && positionsEnd == positions) exposedBars++; // `markTo` finds no position here
    }
    if (!isMarket) placeOrders(bar);
    from = bar + 1;
  }
  markTo(barCount);
  finish(barCount, curve);
  curve.exposedBars = <f64>exposedBars;
}

/** First bar at or after `from` where the entry rule of a side holds. */
function nextWanted(from: i32): i32 {
  if (longWanted < from) longWanted = nextBit(longEntry, barCount, from);
  if (shortWanted < from) shortWanted = nextBit(shortEntry, barCount, from);
  return min(longWanted, shortWanted);
}

function markTo(to: i32): void {
  const from = marked;
  if (from == to) return;
  marked = to;
  if (positionsEnd == positions) {
    addFlat(from, to, cash);
    if (isGuarded) readFlatGuards(from, to, cash);
    return;
  }
  exposedBars += to - from;
  const oldest = changetype<Position>(positions);
  if (hasSums && oldest.entryBar == from && positionCount() == 1) addAlone(from, to, cash, oldest, sumsOf(oldest, to));
  else addHeld(from, to, cash, positions, positionsEnd);
}

/**
 * Measures the bars before `to` where each close counts.
 * @returns false if the events of the positions have changed before `to`
 */
function walk(to: i32): bool {
  if (positionsEnd == positions) markTo(to);
  while (marked < to) {
    if (isOnlyCharged && charge(to)) continue;
    const charged = nextCharge(marked, to);
    if (charged > marked) {
      const broken = isGuarded ? guardThrough(marked, charged) : charged;
      markTo(min(broken + 1, charged));
      if (broken == charged) continue;
      leaveAt(broken + 1);
      return false;
    }
    exposedBars++;
    if (closeBar(marked)) return false;
  }
  return true;
}

/**
 * Measures bars before `to` at whose closes the cash pays what is charged.
 * @returns whether there are some
 */
function charge(to: i32): bool {
  const from = marked;
  marked = chargeThrough(from, to, scratch());
  exposedBars += marked - from;
  addCharged(from, marked, positions, positionsEnd);
  return marked > from;
}

/** Sells every position at the open of a bar, as a guard asks for. */
function leaveAt(bar: i32): void {
  for (let p = positions; p < positionsEnd; p += POSITION_BYTES) {
    const position = changetype<Position>(p);
    position.exitBar = bar;
    position.isScheduled = 1;
    position.fill = Fill.NOT_YET;
  }
  seekExit();
}

/**
 * What a close charges, its value, and what its guards decide.
 * @returns whether the events of the positions have changed
 */
function closeBar(bar: i32): bool {
  const isUsedUp = isCharged && payCarry(bar);
  if (bar == barCount - 1) sellRest(bar);
  const value = accountValue(at(close, bar));
  addBar(bar, value);
  marked = bar + 1;
  const isBroken = isGuarded && readGuards(bar, value);
  if (isBroken) leaveAt(bar + 1);
  else if (isUsedUp) seekExit();
  return isBroken || isUsedUp;
}

/** The entry that the close before `bar` wanted: of neither side where both rules hold. */
@inline
function decide(bar: i32): void {
  const isLong = getBit(longEntry, bar - 1);
  const isShort = getBit(shortEntry, bar - 1);
  if (isLong && isShort) return;
  if (getBit(isLong ? longExit : shortExit, bar - 1)) return;
  const sign: f64 = isLong ? 1 : -1;
  if (isDenied(bar, sign)) return;
  let known = changetype<KnownEntry>(0);
  if (!isKnown) {
    const first = at(open, bar);
    const distance = distanceOf(bar - 1, plainPriceOf(sign, first, false));
    if (!enter(bar, sign, bar - 1, first, first, dayOf(bar), distance, false)) return;
  } else {
    known = entryAt(bar, sign);
    if (!enter(bar, sign, bar - 1, known.open, known.open, known.day, known.distance, false)) return;
  }
  const position = changetype<Position>(positionsEnd - POSITION_BYTES);
  if (isKnown) planKnown(position, bar, known);
  else planInline(position, bar);
  nextExit = min(nextExit, position.exitBar);
}

function fillAtOpen(bar: i32): void {
  for (let order = nextFill(bar, true); changetype<usize>(order) != 0; order = nextFill(bar, true)) {
    if (!enterByOrder(bar, order, at(open, bar))) continue;
    const position = changetype<Position>(positionsEnd - POSITION_BYTES);
    plan(position, bar);
    nextExit = min(nextExit, position.exitBar);
  }
}

/** The orders that fill inside the bar; what they open is judged when all have filled. */
function fillInside(bar: i32): bool {
  const opened = positionsEnd;
  for (let order = nextFill(bar, false); changetype<usize>(order) != 0; order = nextFill(bar, false)) {
    const finer = finerFill(order, bar);
    if (!enterByOrder(bar, order, finerPrice(order, finer))) continue;
    const position = changetype<Position>(positionsEnd - POSITION_BYTES);
    position.isFilledInside = 1;
    position.filledIn = finer;
    position.target = targetAt(position, bar);
    position.exitBar = barCount;
    position.isScheduled = 0;
  }
  const isOpened = positionsEnd > opened;
  for (let p = opened; p < positionsEnd; ) {
    if (touchRest(p, bar)) continue;
    if (bar < barCount - 1) planRest(changetype<Position>(p), bar);
    p += POSITION_BYTES;
  }
  if (isOpened) seekExit();
  return isOpened;
}

function enterByOrder(bar: i32, order: Order, raw: f64): bool {
  const sign = order.sign;
  const distance = distanceOf(order.decision, plainPriceOf(sign, raw, isLimit));
  return enter(bar, sign, order.decision, at(open, bar), raw, dayOf(bar), distance, isLimit);
}

/**
 * As the gates and the proposal of execution/entry.ts; the reason for a denial is not kept.
 * @returns whether a position was opened
 */
@inline
function enter(
  bar: i32, sign: f64, decision: i32, first: f64, raw: f64, day: f64, distance: f64, isLimitFill: bool,
): bool {
  if (isClosed(bar, first)) return false;
  if (run.opposite_entry != opposite_entry.hedge && hasOpposite(sign)) {
    if (run.opposite_entry == opposite_entry.deny) return false;
    sellOpposite(bar, first, sign);
    if (run.opposite_entry == opposite_entry.close || isClosed(bar, first)) return false;
  }
  if (isFull(day) || !propose(bar, sign, decision, first, raw, distance, isLimitFill)) return false;
  markTo(bar);
  openProposed();
  return true;
}

function sellOpposite(bar: i32, raw: f64, sign: f64): void {
  markTo(bar);
  for (let p = positions; p < positionsEnd; ) {
    if (changetype<Position>(p).sign != sign) sell(p, bar, raw, Fill.MARKET, true);
    else p += POSITION_BYTES;
  }
  seekExit();
}

function sellAtOpen(bar: i32): void {
  markTo(bar);
  for (let p = positions; p < positionsEnd; ) {
    const position = changetype<Position>(p);
    if (position.exitBar != bar || position.isScheduled == 0) p += POSITION_BYTES;
    else sellOnSchedule(p, bar, position.fill == Fill.NOT_YET ? at(open, bar) : position.exitRaw);
  }
}

function sellInside(bar: i32): void {
  for (let p = positions; p < positionsEnd; ) {
    const position = changetype<Position>(p);
    if (position.exitBar == bar && position.isScheduled == 0) {
      if (position.fill == Fill.NOT_YET) {
        if (touchBar(p, bar)) continue;
        if (bar < barCount - 1) planRest(position, bar);
      } else if (position.fill != Fill.AT_END) {
        sell(p, bar, position.exitRaw, position.fill, false);
        continue;
      }
    }
    p += POSITION_BYTES;
  }
  seekExit();
}

function sellRest(bar: i32): void {
  const raw = at(close, bar);
  while (positionsEnd > positions) sell(positions, bar, raw, Fill.MARKET, false);
  nextExit = barCount;
}

function seekExit(): void {
  nextExit = barCount;
  for (let p = positions; p < positionsEnd; p += POSITION_BYTES) nextExit = min(nextExit, changetype<Position>(p).exitBar);
}
