import { borneAfter, borrowCost, borrowedOf, hasFallen, isLossReached, unpaidShare } from '../../formulas/closes';
import { fundingOf } from '../../formulas/prices-and-sizes';
import {
  accountValue,
  bankruptcyPrice,
  cash,
  close,
  hasOpposite,
  positions,
  positionsEnd,
  run,
  sell,
  takeCarry,
  takeCash,
  worthOnMargin,
} from './account';
import { blockThrough } from './losses';
import { POSITION_BYTES } from './run-layout';
import { at, Fill, Position } from './run-memory';

/*
 * What the closes of a run charge and what its guards read there, as carry.ts and guards.ts of
 * execution/.
 */

/** Positions pay or receive for being held. */
export let isCharged: bool;
export let isGuarded: bool;
/** Positions pay, and nothing else happens at the closes between events. */
export let isOnlyCharged: bool;
/** Each close counts while positions are open. */
export let isWalked: bool;
let borrowRate: f64;
let unpaid: f64;
let intervalMs: f64;
/** Pairs of a bar and its rate, from the next one on. */
let settled: usize;
let settledEnd: usize;
let peak: f64;
/** Value at the latest close, and at the latest one of an earlier day. */
let latest: f64;
let valueBeforeDay: f64;
/** One past the last bar of the day of the latest close, and where the days after it are. */
let dayEnd: i32;
let days: usize;

export function beginCloses(): void {
  const hasSettled = run.hasSettled != 0;
  borrowRate = hasSettled ? 0 : run.borrow_rate;
  unpaid = unpaidShare(run.leverage);
  intervalMs = run.intervalMs;
  settled = <usize>run.settled;
  settledEnd = settled + (run.funding != 0 ? <usize>run.settledCount << 4 : 0);
  isCharged = borrowRate > 0 || settledEnd > settled;
  isGuarded =
    run.guard_max_drawdown == run.guard_max_drawdown ||
    run.guard_daily_loss == run.guard_daily_loss ||
    run.guard_group_stop == run.guard_group_stop;
  isOnlyCharged = isCharged && !isGuarded;
  isWalked = isCharged || isGuarded;
  peak = run.initial_balance;
  latest = peak;
  valueBeforeDay = peak;
  dayEnd = 0;
  days = <usize>run.dayEnds + (<usize>run.firstDay << 2);
}

/** The first bar from `from` on, at most `to`, at whose close a position pays. */
@inline
export function nextCharge(from: i32, to: i32): i32 {
  if (borrowRate > 0) return from;
  while (settled < settledEnd && load<f64>(settled) < <f64>from) settled += 16;
  return settled == settledEnd ? to : min(to, <i32>load<f64>(settled));
}

/**
 * Charges the only position at the closes from `from` on, while the cash pays.
 * @param left receives the cash after each close
 * @returns the first bar whose charge payCarry() must take, or `to`
 */
export function chargeThrough(from: i32, to: i32, left: usize): i32 {
  const position = changetype<Position>(positions);
  if (positionsEnd - positions != POSITION_BYTES || position.borne != 0) return from;
  const isOnMargin = position.isMargined != 0;
  const isFixed = borrowRate > 0 && position.sign == 1; // a long position borrows an amount of cash
  let due = isFixed ? borrowingDue(position, NaN) : 0;
  let rest = cash;
  let paid = position.carryPaid;
  let bar = from;
  for (; bar < to; bar++, left += 8) {
    if (!isFixed) due = borrowRate > 0 ? borrowingDue(position, at(close, bar)) : settledDue(position, bar);
    if (due != 0) {
      if (isOnMargin && !(due < rest)) break;
      rest -= due;
      paid += due;
    }
    store<f64>(left, rest);
  }
  takeCash(rest);
  position.carryPaid = paid;
  return bar;
}

/** What a position pays at the close of a bar by its settled rate, 0 where none is settled. */
@inline
function settledDue(position: Position, bar: i32): f64 {
  if (!isSettled(bar)) return 0;
  return position.sign * fundingOf(position.size, at(close, bar), load<f64>(settled + 8));
}

/** Whether a rate is settled in a bar; the settled ones before it are passed. */
@inline
function isSettled(bar: i32): bool {
  while (settled < settledEnd && load<f64>(settled) < <f64>bar) settled += 16;
  return settled < settledEnd && load<f64>(settled) == <f64>bar;
}

@inline
function borrowingDue(position: Position, price: f64): f64 {
  const borrowed = borrowedOf(position.sign, position.size, position.entryPrice, price, unpaid);
  return borrowCost(borrowed, borrowRate, intervalMs);
}

/**
 * As payCarry().
 * @returns whether it used up a position, which is liquidated
 */
@inline
export function payCarry(bar: i32): bool {
  if (borrowRate == 0 && !isSettled(bar)) return false;
  const price = at(close, bar);
  let isAny = false;
  for (let p = positions; p < positionsEnd; p += POSITION_BYTES) {
    const position = changetype<Position>(p);
    const due = borrowRate == 0 ? settledDue(position, bar) : borrowingDue(position, price);
    if (due == 0) continue;
    // A margin bears nothing while the cash pays.
    if (position.isMargined == 0 || (due < cash && position.borne == 0)) {
      takeCarry(position, due);
      continue;
    }
    const before = max<f64>(0, cash);
    const most = before + (worthOnMargin(position, price) - position.borne);
    const paid = min<f64>(due, most);
    takeCarry(position, paid);
    position.borne = borneAfter(position.borne, paid, before);
    if (due < most) continue;
    position.isUsedUp = 1;
    isAny = true;
  }
  if (isAny) liquidateUsedUp(bar);
  return isAny;
}

function liquidateUsedUp(bar: i32): void {
  for (let p = positions; p < positionsEnd; ) {
    const position = changetype<Position>(p);
    if (position.isUsedUp != 0) sell(p, bar, bankruptcyPrice(position), Fill.LIQUIDATION, false);
    else p += POSITION_BYTES;
  }
}

/**
 * As readGuards().
 * @returns whether one broke, so that every position is sold at the next open
 */
@inline
export function readGuards(bar: i32, value: f64): bool {
  if (bar >= dayEnd) turnToDay(bar);
  latest = value;
  peak = max<f64>(peak, value);
  const drawdownMax = run.guard_max_drawdown;
  const isDrawn = drawdownMax == drawdownMax && hasFallen(value, peak, drawdownMax);
  if (isDrawn) peak = value;
  const lossMax = run.guard_daily_loss;
  const isLost = lossMax == lossMax && hasFallen(value, valueBeforeDay, lossMax);
  const limit = run.guard_group_stop;
  const isStopped = limit == limit && isLossReached(openLoss(at(close, bar)), value, limit);
  if (isDrawn || isStopped) blockThrough(run.guard_pause_bars == 0 ? Infinity : <f64>bar + run.guard_pause_bars);
  if (isLost) blockThrough(<f64>max(bar + 1, dayEnd - 1)); // for the rest of the day
  return isDrawn || isLost || isStopped;
}

function turnToDay(bar: i32): void {
  while (load<i32>(days) <= bar) days += 4;
  dayEnd = load<i32>(days);
  valueBeforeDay = latest;
}

/**
 * Reads the guards at closes from `from` on, between which the positions stay as they are.
 * @returns the bar at whose close one broke, or `to`
 */
export function guardThrough(from: i32, to: i32): i32 {
  const isOneSided = !hasOpposite(changetype<Position>(positions).sign);
  const isDaily = run.guard_daily_loss == run.guard_daily_loss;
  for (let bar = from; bar < to; ) {
    if (bar >= dayEnd) turnToDay(bar);
    const end = isDaily ? min(dayEnd, to) : to;
    if (isOneSided && isUnbroken(bar, end)) {
      bar = end;
      continue;
    }
    for (; bar < end; bar++) if (readGuards(bar, accountValue(at(close, bar)))) return bar;
  }
  return to;
}

/**
 * Whether no guard breaks at the closes `from` to `to` (exclusive), which are of one day where its
 * loss counts; then they are read. As all positions have one side, the value is lowest at the worst
 * of these closes and highest at the best. What the guards compare rises and falls with both, rounded
 * too, so these two closes speak for all.
 */
function isUnbroken(from: i32, to: i32): bool {
  let lows = v128.load_splat<f64>(close + (<usize>from << 3));
  let highs = lows;
  let bar = from;
  for (; bar + 2 <= to; bar += 2) {
    const prices = v128.load(close + (<usize>bar << 3));
    lows = f64x2.pmin(lows, prices);
    highs = f64x2.pmax(highs, prices);
  }
  const last = at(close, to - 1);
  const lowest = min<f64>(last, min<f64>(f64x2.extract_lane(lows, 0), f64x2.extract_lane(lows, 1)));
  const highest = max<f64>(last, max<f64>(f64x2.extract_lane(highs, 0), f64x2.extract_lane(highs, 1)));
  const isLong = changetype<Position>(positions).sign == 1;
  const worst = isLong ? lowest : highest;
  const value = accountValue(worst);
  const best = max<f64>(peak, accountValue(isLong ? highest : lowest));
  const limit = run.guard_group_stop;
  if (hasFallen(value, best, run.guard_max_drawdown) || hasFallen(value, valueBeforeDay, run.guard_daily_loss)) return false;
  if (isLossReached(openLoss(worst), value, limit)) return false;
  peak = best;
  latest = accountValue(last);
  return true;
}

/**
 * Reads the guards at the closes `from` to `to` (exclusive) of an account without positions. They can
 * break in the first day alone, and there at its last bar as at those before.
 */
export function readFlatGuards(from: i32, to: i32, value: f64): void {
  readGuards(from, value);
  const dayLast = min(dayEnd, to) - 1;
  if (dayLast > from) readGuards(dayLast, value);
  if (to - 1 > dayLast) readGuards(to - 1, value);
}

/** As openLossOf() of execution/account.ts. */
@inline
function openLoss(price: f64): f64 {
  let loss: f64 = 0;
  for (let p = positions; p < positionsEnd; p += POSITION_BYTES) {
    const position = changetype<Position>(p);
    loss -= position.sign * position.size * (price - position.entryPrice);
  }
  return loss;
}
