import { barLimitOf, barsHeldOf, Scheduled, scheduledAt } from '../../formulas/exit-rules';
import { movedStop, percentTarget, rewardTarget } from '../../formulas/sides';
import { isGainReached, isLiquidationNearer, isPartNearer, isWhole, partPrice } from '../../formulas/touches';
import { bankruptcyPrice, barCount, close, high, low, run, sell, sellPart } from './account';
import { target_calculation, target_order } from './run-layout';
import { at, Fill, getBit, nextBit, Position, untouched } from './run-memory';

/*
 * The exits of a position of a run. The next event of a position depends on the data and its
 * entry alone, so it is found at the entry, or at the event before where a part was sold.
 */

let longExit: usize;
let shortExit: usize;
let schedule: usize;
let scheduleCount: i32;
let scaleOut: usize;
let partCount: i32;
export let isSoldInParts: bool;
export let isLimitTarget: bool;
let isScheduledTarget: bool;
let isMoving: bool;
let holdLimit: f64;
let lossLimit: f64;
let profitLimit: f64;
let holdBars: i32;
let patienceBars: i32;
/** First bars from the latest plan of each side on where its exit rule holds, or barCount. */
let longSignal: i32;
let shortSignal: i32;

export function beginExits(): void {
  longExit = <usize>run.exit;
  shortExit = <usize>run.shortExit;
  schedule = <usize>run.schedule;
  scheduleCount = <i32>run.scheduleCount;
  scaleOut = <usize>run.scaleOut;
  partCount = <i32>run.scaleOutCount;
  let sum: f64 = 0;
  for (let k = 0; k < partCount; k++) sum += at(scaleOut, 2 * k + 1);
  isSoldInParts = isWhole(sum);
  isLimitTarget = run.target_order == target_order.limit;
  isScheduledTarget = run.target_calculation == target_calculation.schedule;
  isMoving = run.stop_order != 0 && (run.trailing_distance == run.trailing_distance || run.break_even_at == run.break_even_at);
  longSignal = -1;
  shortSignal = -1;
  holdLimit = barLimitOf(run.hold_limit_bars);
  lossLimit = barLimitOf(run.exit_on_loss_after_bars);
  profitLimit = barLimitOf(run.exit_on_profit_after_bars);
  const beyond = <f64>(barCount + 1);
  holdBars = <i32>min<f64>(holdLimit, beyond);
  patienceBars = <i32>min<f64>(min<f64>(lossLimit, profitLimit), beyond);
}

/** Finds the next event of a position that is left after the touches of a bar. */
export function planRest(position: Position, bar: i32): void {
  const isLong = position.sign == 1;
  if (isMoving && (bar > position.entryBar || position.isFilledInside == 0)) {
    const price = at(isLong ? high : low, bar);
    if (!(position.sign * price <= position.sign * position.best)) {
      position.best = price;
      position.stop = stopAfter(position, position.sign, position.stop, price);
    }
  }
  if (exitAt(position, bar, isLong) == Scheduled.NONE) {
    plan(position, bar + 1);
    return;
  }
  position.exitBar = bar + 1;
  position.isScheduled = 1;
}

/** Finds the next event of a position from a bar on. */
export function plan(position: Position, from: i32): void {
  planInline(position, from);
}

/** The same without a call, for the entries at an open. */
@inline
export function planInline(position: Position, from: i32): void {
  if (position.sign == 1) planSide(position, from, 1);
  else planSide(position, from, -1);
}

/**
 * A touch inside a bar comes before the decisions at its close. Inlined with a constant sign, so the
 * walk over the bars does not ask for the side.
 */
@inline
function planSide(position: Position, from: i32, sign: f64): void {
  const isLong = sign == 1;
  const entryBar = position.entryBar;
  const liquidation = position.liquidation;
  const best = isLong ? high : low;
  const worst = isLong ? low : high;
  const last = barCount - 1;
  const earliest = earliestExit(entryBar, from, isLong);
  let stop = position.stop;
  let bestPrice = position.best;
  let target = targetAt(position, from);
  let gain = nearestGain(position, target, sign);
  let change = targetChange(entryBar, from);
  let skipFrom = isMoving && bestPrice != bestPrice ? from + 1 : from; // the first bar gives the first best price
  for (let bar = from; ; bar++) {
    // Skips bars that reach no level and no new best price. It stops up to three bars too early.
    if (bar >= skipFrom) {
      const loss = nearer(stop, liquidation, sign);
      const reach = isMoving ? -nearer(-gain, -bestPrice, sign) : gain;
      const to = min(min(earliest, change), last);
      bar = isLong ? untouched(low, high, bar, to, loss, reach) : untouched(low, high, bar, to, reach, loss);
      skipFrom = bar + 4;
    }
    if (bar == change) {
      target = targetAt(position, bar);
      gain = nearestGain(position, target, sign);
      change = targetChange(entryBar, bar);
    }
    const adverse = sign * at(worst, bar);
    const isNear = adverse <= sign * stop || adverse <= sign * liquidation || sign * at(best, bar) >= sign * gain;
    if (isNear || bar >= last) {
      position.stop = stop;
      position.target = target;
      position.best = bestPrice;
      position.exitBar = bar;
      position.isScheduled = 0;
      return;
    }
    if (isMoving) {
      const price = at(best, bar);
      if (!(sign * price <= sign * bestPrice)) {
        bestPrice = price;
        stop = stopAfter(position, sign, stop, price);
      }
    }
    if (bar < earliest || exitAt(position, bar, isLong) == Scheduled.NONE) continue;
    position.exitBar = bar + 1;
    position.isScheduled = 1;
    return;
  }
}

/** The stop after a close that brought a new best price. */
@inline
function stopAfter(position: Position, sign: f64, stop: f64, best: f64): f64 {
  return movedStop(
    sign, stop, best, position.entryPrice, position.distance,
    run.trailing_distance, run.trailing_start, run.break_even_at, run.break_even_offset_pct,
  );
}

/** The nearer of the target and the next part to sell; NaN where there is neither. */
@inline
function nearestGain(position: Position, target: f64, sign: f64): f64 {
  return partCount == 0 ? target : -nearer(-target, -nextPart(position), sign);
}

/** The level that a loss reaches first, the higher one of a long position; NaN where there is neither. */
@inline
function nearer(a: f64, b: f64, sign: f64): f64 {
  if (a != a) return b;
  return b == b && sign * b > sign * a ? b : a;
}

/** First bar from `from` on at whose close an exit may be decided. */
function earliestExit(entryBar: i32, from: i32, isLong: bool): i32 {
  const last = barCount - 1;
  let signal: i32;
  if (isLong) {
    if (longSignal < from) longSignal = nextBit(longExit, barCount, from);
    signal = longSignal;
  } else {
    if (shortSignal < from) shortSignal = nextBit(shortExit, barCount, from);
    signal = shortSignal;
  }
  const certain = min(min(signal, entryBar + holdBars - 1), last);
  return min(certain, entryBar + patienceBars - 1);
}

/** The target in the bar `bar`; NaN where there is none. */
export function targetAt(position: Position, bar: i32): f64 {
  const sign = position.sign;
  const price = position.entryPrice;
  if (run.target_calculation == target_calculation.reward) return rewardTarget(sign, price, position.distance, run.reward_factor);
  if (run.target_calculation == target_calculation.fixed) return percentTarget(sign, price, run.fixed_target_pct);
  if (!isScheduledTarget) return NaN;
  let pct = NaN;
  for (let k = 0; k < scheduleCount && at(schedule, 2 * k) <= <f64>(bar - position.entryBar); k++) pct = at(schedule, 2 * k + 1);
  return percentTarget(sign, price, pct);
}

/** The next bar after `bar` from which another pair of the target schedule holds, or barCount. */
function targetChange(entryBar: i32, bar: i32): i32 {
  if (!isScheduledTarget) return barCount;
  for (let k = 0; k < scheduleCount; k++) {
    if (at(schedule, 2 * k) > <f64>(bar - entryBar)) return <i32>min<f64>(<f64>entryBar + at(schedule, 2 * k), <f64>barCount);
  }
  return barCount;
}

/** Price of the next part to sell, NaN where there is none. */
@inline
function nextPart(position: Position): f64 {
  return position.partsSold >= partCount ? NaN : priceOfPart(position, position.partsSold);
}

@inline
function priceOfPart(position: Position, k: i32): f64 {
  return partPrice(position.sign, position.entryPrice, at(scaleOut, 2 * k), position.distance);
}

/** As levelsReached() of execution/touches.ts: a bit for each level that a range of prices reaches. */
export function levelsReached(position: Position, top: f64, bottom: f64): i32 {
  const sign = position.sign;
  const adverse = sign * (sign == 1 ? bottom : top);
  const best = sign == 1 ? top : bottom;
  let reached = i32(adverse <= sign * position.stop) | (i32(adverse <= sign * position.liquidation) << 1);
  reached |= i32(isGainReached(sign, best, position.target, isLimitTarget)) << 2;
  for (let k = position.partsSold; k < partCount; k++) {
    reached |= i32(isGainReached(sign, best, priceOfPart(position, k), isLimitTarget)) << (3 + k);
  }
  return reached;
}

/** Whether a price reaches the last part that is left to sell. */
export function isLastPartReached(position: Position, price: f64): bool {
  const last = partCount - 1;
  if (position.partsSold > last) return false;
  return isGainReached(position.sign, price, priceOfPart(position, last), isLimitTarget);
}

/** As decideExit() of execution/exits.ts. */
@inline
function exitAt(position: Position, bar: i32, isLong: bool): Scheduled {
  const barsHeld = barsHeldOf(position.entryBar, bar, false);
  const unrealized = position.sign * (at(close, bar) / position.entryPrice - 1);
  const rule = getBit(isLong ? longExit : shortExit, bar);
  return scheduledAt(rule, barsHeld, unrealized, holdLimit, lossLimit, profitLimit, run.profit_threshold_pct);
}

/** How the latest touch is sold. */
export let touchFill: i32;

/**
 * As touch() of execution/touches.ts for a position that is sold as a whole.
 * @param first open of the bar, or of a finer one; then its high and low
 * @returns the price before slippage at which the bar sells it, NaN where it does not; see touchFill
 */
export function touchPrice(position: Position, first: f64, top: f64, bottom: f64): f64 {
  const sign = position.sign;
  touchFill = Fill.LIQUIDATION;
  if (sign * first <= sign * position.liquidation) return bankruptcyPrice(position);
  touchFill = Fill.MARKET;
  if (sign * first <= sign * position.stop) return first;
  const gainFill = isLimitTarget ? Fill.LIMIT : Fill.MARKET;
  touchFill = gainFill;
  if (isGainReached(sign, first, position.target, isLimitTarget)) return first;
  const loss = lossPrice(position, top, bottom);
  if (loss == loss) return loss;
  touchFill = gainFill;
  return isGainReached(sign, sign == 1 ? top : bottom, position.target, isLimitTarget) ? position.target : NaN;
}

/** Stop or liquidation price if the bar has reached the nearer of them, never its open; NaN otherwise. */
function lossPrice(position: Position, top: f64, bottom: f64): f64 {
  const sign = position.sign;
  const isLiquidation = isLiquidationNearer(sign, position.stop, position.liquidation);
  const level = isLiquidation ? position.liquidation : position.stop;
  if (!(sign * (sign == 1 ? bottom : top) <= sign * level)) return NaN;
  touchFill = isLiquidation ? Fill.LIQUIDATION : Fill.MARKET;
  return isLiquidation ? bankruptcyPrice(position) : level;
}

/**
 * Sells what the levels of a position ask for in a bar, or in a finer one of its prices.
 * @returns whether it closes the position
 */
export function touch(p: usize, bar: i32, first: f64, top: f64, bottom: f64): bool {
  const position = changetype<Position>(p);
  if (partCount == 0) {
    const raw = touchPrice(position, first, top, bottom);
    if (raw == raw) sell(p, bar, raw, touchFill, false);
    return raw == raw;
  }
  const sign = position.sign;
  if (sign * first <= sign * position.liquidation) return closeAt(p, bar, bankruptcyPrice(position), Fill.LIQUIDATION);
  if (sign * first <= sign * position.stop) return closeAt(p, bar, first, Fill.MARKET);
  if (takeGains(p, bar, first, true) || touchLoss(p, bar, top, bottom)) return true;
  return takeGains(p, bar, sign == 1 ? top : bottom, false);
}

/** Sells at the nearer of stop and liquidation price if the bar has reached it, never at the open. */
export function touchLoss(p: usize, bar: i32, top: f64, bottom: f64): bool {
  const raw = lossPrice(changetype<Position>(p), top, bottom);
  return raw == raw && closeAt(p, bar, raw, touchFill);
}

/** Sells the parts and the target that `price` has reached, nearest first. */
@inline
function takeGains(p: usize, bar: i32, price: f64, isAtOpen: bool): bool {
  const position = changetype<Position>(p);
  if (takeParts(p, bar, price, isAtOpen)) return true;
  const target = position.target;
  if (!isGainReached(position.sign, price, target, isLimitTarget)) return false;
  return closeAt(p, bar, isAtOpen ? price : target, isLimitTarget ? Fill.LIMIT : Fill.MARKET);
}

function takeParts(p: usize, bar: i32, price: f64, isAtOpen: bool): bool {
  const position = changetype<Position>(p);
  const sign = position.sign;
  while (position.partsSold < partCount) {
    const part = nextPart(position);
    if (!isPartNearer(sign, part, position.target) || !isGainReached(sign, price, part, isLimitTarget)) return false;
    const asked = at(scaleOut, 2 * position.partsSold + 1) * position.firstSize;
    position.partsSold++;
    const isLast = position.partsSold == partCount && isSoldInParts;
    const size = isLast ? position.size : min<f64>(asked, position.size);
    if (sellPart(p, bar, size, isAtOpen ? price : part, isLimitTarget ? Fill.LIMIT : Fill.MARKET)) return true;
  }
  return false;
}

@inline
function closeAt(p: usize, bar: i32, raw: f64, fill: i32): bool {
  sell(p, bar, raw, fill, false);
  return true;
}
