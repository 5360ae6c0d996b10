import { isBookedLoss } from '../../formulas/cooldown-rules';
import { barLimitOf, barsHeldOf, Scheduled, scheduledAt } from '../../formulas/exit-rules';
import { ADMITTED, dayGateOf, entriesOnDayOf, levelGateOf, sizeGateOf } from '../../formulas/gates';
import {
  blendedAtr,
  boughtAt,
  feeOf,
  floorOf,
  profitOf,
  slippageWithImpact,
  soldAt,
  spendableOf,
  stopDistanceOf,
  unitsMaxOf,
  utcDay,
  volatilityScaleOf,
} from '../../formulas/prices-and-sizes';
import {
  bankruptcyShare,
  cashShare,
  isMargined,
  liquidationPrice,
  maintenanceShare,
  marginedProceeds,
  marginOf,
  movedStop,
  percentTarget,
  rewardTarget,
} from '../../formulas/sides';
import { TradeSums } from '../../formulas/trade-sums';
import { addFlat, addHeldSided, begin, finish } from './curve';
import { beginLosses, blockedThrough, bookLoss } from './losses';
import {
  CurveFacts,
  opposite_entry,
  position_size_calc,
  position_sizing,
  RunInput,
  SIDED_POSITION_BYTES,
  stop_loss_calculation,
  target_calculation,
  target_order,
  volatility_mode,
} from './run-layout';
import { at, getBit, nextBit, SidedPosition, untouched, worthOf } from './run-memory';

/*
 * Simulates a run that uses sides, margin or moving levels as the bar-by-bar run of
 * execution/sided-step.ts does, and measures it in the same pass. It is apart from run.ts, so that
 * runs of one side paid in full cost nothing for it. As there, rules and amounts come from formulas/;
 * written a second time are how a run jumps from event to event, and what a bar does to a position
 * of which no part can be sold. The exit of a position is found at its entry, with its price. A
 * property test checks that both give equal bits.
 */

if (offsetof<SidedPosition>() > SIDED_POSITION_BYTES) ERROR('a position takes more room than the layout gives it');

let run = changetype<RunInput>(0);
let sums = changetype<TradeSums>(0);

let time: usize;
let open: usize;
let high: usize;
let low: usize;
let close: usize;
let volume: usize;
let shortAtr: usize;
let longAtr: usize;
let volatility: usize;
let longEntry: usize;
let longExit: usize;
let shortEntry: usize;
let shortExit: usize;
let schedule: usize;
let scheduleCount: i32;
let barCount: i32;
let cash: f64;
let positions: usize;
let positionsEnd: usize;
/** Bars before this one have been measured. */
let marked: i32;
/** Earliest exit bar among the open positions. */
let nextExit: i32;
let exposedBars: i32;
let entryDay: f64;
let entriesOnDay: f64;
let floorAmount: f64;
let isFixedStop: bool;
let isReserveKept: bool;
let isLimitTarget: bool;
let isScheduledTarget: bool;
let isMoving: bool;
let isVolatilitySized: bool;
let isVolatilityScaled: bool;
let makerFee: f64;
let cashPerAmount: f64;
/** Of each side. */
let longBankruptcy: f64;
let shortBankruptcy: f64;
let longMaintenance: f64;
let shortMaintenance: f64;
let isLongMargined: bool;
let holdLimit: f64;
let lossLimit: f64;
let profitLimit: f64;
let holdBars: i32;
let patienceBars: i32;
/** First bars from the latest entry of each side on where its exit rule holds, or barCount. */
let longSignal: i32;
let shortSignal: i32;
/** First bars from the latest decision on where the entry rule of each side holds, or barCount. */
let longWanted: i32;
let shortWanted: i32;

/** Below this, a bracket of exposure counts as none. */
const EXPOSURE_DUST: f64 = 0.000001;

/** How an exit fills: with slippage, exactly at a maker's fee, or with the whole margin lost. */
enum Fill {
  MARKET = 0,
  LIMIT = 1,
  LIQUIDATION = 2,
}

/**
 * Simulates and measures one run.
 * @param input a RunInput
 * @param facts a CurveFacts, then a TradeSums, all 0
 */
export function sidedRunFacts(input: usize, facts: usize): void {
  run = changetype<RunInput>(input);
  const curve = changetype<CurveFacts>(facts);
  sums = changetype<TradeSums>(facts + offsetof<CurveFacts>());
  readInput();
  begin(run, marked, cash);
  longWanted = -1;
  shortWanted = -1;
  let wanted = nextWanted(marked);
  for (;;) {
    const fill = wanted == barCount ? barCount : wanted + 1;
    const bar = min(fill, nextExit);
    if (bar >= barCount) break;
    if (bar == nextExit) sellAtOpen(bar);
    if (bar == fill) {
      decide(bar);
      wanted = nextWanted(bar);
    }
    if (bar == nextExit) {
      const isExposed = positionsEnd > positions;
      sellInside(bar);
      if (isExposed && positionsEnd == positions) exposedBars++; // `markTo` finds no position here
    }
  }
  markTo(barCount);
  finish(barCount, curve);
  curve.exposedBars = <f64>exposedBars;
}

function readInput(): void {
  time = <usize>run.time;
  open = <usize>run.open;
  high = <usize>run.high;
  low = <usize>run.low;
  close = <usize>run.close;
  volume = <usize>run.volume;
  shortAtr = <usize>run.shortAtr;
  longAtr = <usize>run.longAtr;
  volatility = <usize>run.volatility;
  longEntry = <usize>run.entry;
  longExit = <usize>run.exit;
  shortEntry = <usize>run.shortEntry;
  shortExit = <usize>run.shortExit;
  schedule = <usize>run.schedule;
  scheduleCount = <i32>run.scheduleCount;
  barCount = <i32>run.barCount;
  cash = run.initial_balance;
  positions = <usize>run.positions;
  positionsEnd = positions;
  marked = <i32>run.first;
  nextExit = barCount;
  exposedBars = 0;
  beginLosses(run);
  entryDay = -1;
  entriesOnDay = 0;
  longSignal = -1;
  shortSignal = -1;
  floorAmount = floorOf(run.min_balance_threshold, run.initial_balance);
  isFixedStop = run.stop_loss_calculation == stop_loss_calculation.fixed;
  isReserveKept = run.position_size_calc == position_size_calc.v2;
  isLimitTarget = run.target_order == target_order.limit;
  isScheduledTarget = run.target_calculation == target_calculation.schedule;
  isMoving = run.stop_order != 0 && (run.trailing_distance == run.trailing_distance || run.break_even_at == run.break_even_at);
  isVolatilitySized = run.position_sizing == position_sizing.volatility_target;
  isVolatilityScaled =
    !isVolatilitySized && run.enable_volatility_adjustment != 0 && run.volatility_mode != volatility_mode.off;
  makerFee = run.maker_fee_pct == run.maker_fee_pct ? run.maker_fee_pct : run.fee_pct;
  cashPerAmount = cashShare(run.leverage, run.fee_pct);
  longBankruptcy = bankruptcyShare(1, run.leverage);
  shortBankruptcy = bankruptcyShare(-1, run.leverage);
  longMaintenance = maintenanceShare(1, run.maintenance_margin);
  shortMaintenance = maintenanceShare(-1, run.maintenance_margin);
  isLongMargined = isMargined(1, run.leverage);
  holdLimit = barLimitOf(run.hold_limit_bars);
  lossLimit = barLimitOf(run.exit_on_loss_after_bars);
  profitLimit = barLimitOf(run.exit_on_profit_after_bars);
  const beyond = <f64>(barCount + 1);
  holdBars = <i32>min<f64>(holdLimit, beyond);
  patienceBars = <i32>min<f64>(min<f64>(lossLimit, profitLimit), beyond);
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
    return;
  }
  exposedBars += to - from;
  addHeldSided(from, to, cash, positions, SIDED_POSITION_BYTES, <i32>((positionsEnd - positions) / SIDED_POSITION_BYTES));
}

/** The entry that the close before `bar` wanted: of neither side where both rules hold. */
function decide(bar: i32): void {
  const isLong = getBit(longEntry, bar - 1);
  const isShort = getBit(shortEntry, bar - 1);
  if (isLong && isShort) return;
  if (getBit(isLong ? longExit : shortExit, bar - 1)) return;
  enter(bar, isLong ? 1 : -1);
}

/** As the gates and the proposal of execution/sided-entry.ts; the reason for a denial is not kept. */
function enter(bar: i32, sign: f64): void {
  const raw = at(open, bar);
  if (isClosed(bar, raw)) return;
  if (run.opposite_entry != opposite_entry.hedge && hasOpposite(sign)) {
    if (run.opposite_entry == opposite_entry.deny) return;
    sellOpposite(bar, raw, sign);
    if (run.opposite_entry == opposite_entry.close || isClosed(bar, raw)) return;
  }
  if (<f64>((positionsEnd - positions) / SIDED_POSITION_BYTES) >= run.max_open_positions) return;
  const day = utcDay(at(time, bar));
  const entriesToday = entriesOnDayOf(day, entryDay, entriesOnDay);
  if (dayGateOf(entriesToday, run.max_trades_per_day) != ADMITTED) return;

  const plainPrice = filledAt(raw, sign, run.slippage_pct);
  const atr = isFixedStop ? NaN : effectiveAtr(bar - 1);
  const distance = stopDistanceOf(isFixedStop, plainPrice, run.fixed_stop_pct, atr, run.atr_volatility_factor);
  const deviation = isVolatilitySized || isVolatilityScaled ? at(volatility, bar - 1) : 0;
  let scale: f64 = deviation == deviation ? 1 : NaN;
  if (isVolatilityScaled) scale = volatilityScaleOf(run.target_volatility, deviation);
  const spendable = spendableOf(cash, floorAmount, isReserveKept);
  const lowest = sign == 1 ? plainPrice - distance : 1; // a short can fail by its distance only
  if (levelGateOf(distance, lowest, scale, spendable) != ADMITTED) return;
  const value = accountValue(raw);
  const room = exposureRoom(value, raw);
  if (room <= EXPOSURE_DUST) return;
  const fee = run.fee_pct;
  const base = baseSize(value, plainPrice, distance, deviation) * scale;
  const unitsMax = unitsMaxOf(run.max_units_per_trade, run.max_volume_share, at(volume, bar - 1));
  const capped = min<f64>(min<f64>(base, unitsMax), run.max_trade_amount / plainPrice);
  const affordable = min<f64>(capped, spendable / (plainPrice * cashPerAmount));
  let size = room == Infinity ? affordable : min<f64>(affordable, room / plainPrice);
  let entryPrice = plainPrice;
  if (run.impact_coefficient > 0) {
    entryPrice = filledAt(raw, sign, slipOf(size, bar));
    size = min<f64>(size, spendable / (entryPrice * cashPerAmount));
  }
  if (sizeGateOf(size, entryPrice, run.min_trade_amount) != ADMITTED) return;

  markTo(bar);
  const position = changetype<SidedPosition>(positionsEnd);
  position.sign = sign;
  position.size = size;
  const isOnMargin = sign == -1 || isLongMargined;
  position.isMargined = isOnMargin ? 1 : 0;
  position.margin = isOnMargin ? marginOf(size, entryPrice, run.leverage) : 0;
  position.entryPrice = entryPrice;
  position.distance = distance;
  if (!isOnMargin) position.liquidation = NaN;
  else if (sign == 1) position.liquidation = liquidationPrice(entryPrice, longBankruptcy, longMaintenance);
  else position.liquidation = liquidationPrice(entryPrice, shortBankruptcy, shortMaintenance);
  position.entryFee = feeOf(fee, size, entryPrice);
  position.slippageCost = size * sign * (entryPrice - raw);
  position.entryBar = bar;
  positionsEnd += SIDED_POSITION_BYTES;
  cash -= (isOnMargin ? position.margin : size * entryPrice) + position.entryFee;
  entriesOnDay = entriesToday + 1;
  entryDay = day;
  plan(position);
  nextExit = min(nextExit, position.exitBar);
}

/** A price that slips up (1) at a purchase, down (-1) at a sale. */
@inline
function filledAt(raw: f64, direction: f64, slip: f64): f64 {
  return direction == 1 ? boughtAt(raw, slip) : soldAt(raw, slip);
}

/** The slippage of a fill in `bar` with its price impact. */
@inline
function slipOf(size: f64, bar: i32): f64 {
  return slippageWithImpact(run.slippage_pct, run.impact_coefficient, size, at(volume, bar - 1));
}

/** The gates up to the cooldown. */
@inline
function isClosed(bar: i32, raw: f64): bool {
  return accountValue(raw) < floorAmount || <f64>bar <= blockedThrough;
}

@inline
function hasOpposite(sign: f64): bool {
  for (let p = positions; p < positionsEnd; p += SIDED_POSITION_BYTES) if (changetype<SidedPosition>(p).sign != sign) return true;
  return false;
}

function sellOpposite(bar: i32, raw: f64, sign: f64): void {
  markTo(bar);
  for (let p = positions; p < positionsEnd; ) {
    if (changetype<SidedPosition>(p).sign != sign) sell(p, bar, raw, Fill.MARKET, true);
    else p += SIDED_POSITION_BYTES;
  }
  seekExit();
}

function baseSize(value: f64, price: f64, distance: f64, deviation: f64): f64 {
  if (run.position_sizing == position_sizing.fixed_amount) return run.trade_amount / price;
  if (run.position_sizing == position_sizing.equity_share) return (run.trade_share * value) / price;
  if (!isVolatilitySized) return (value * run.max_risk_per_trade) / distance;
  return deviation == 0 ? Infinity : (value * run.target_volatility) / deviation / price;
}

/** Notional that the limit of gross exposure leaves, Infinity without a limit. */
@inline
function exposureRoom(value: f64, raw: f64): f64 {
  const limit = run.max_gross_exposure;
  if (limit != limit) return Infinity;
  let gross: f64 = 0;
  for (let p = positions; p < positionsEnd; p += SIDED_POSITION_BYTES) gross += changetype<SidedPosition>(p).size * raw;
  return limit * value - gross;
}

@inline
function effectiveAtr(bar: i32): f64 {
  return blendedAtr(at(shortAtr, bar), at(longAtr, bar), run.atr_short_weight, run.atr_long_weight, run.atr_cap_multiplier);
}

function accountValue(price: f64): f64 {
  let value = cash;
  for (let p = positions; p < positionsEnd; p += SIDED_POSITION_BYTES) value = worthOf(value, changetype<SidedPosition>(p), price);
  return value;
}

/** The target in the bar `bar`; NaN where there is none. */
function targetAt(position: SidedPosition, bar: i32): f64 {
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

function plan(position: SidedPosition): void {
  if (position.sign == 1) planSide(position, 1);
  else planSide(position, -1);
}

/**
 * Finds the exit of a position at its entry: a touch inside a bar comes before the decisions at its
 * close. Inlined with a constant sign, so the walk over the bars does not ask for the side.
 */
@inline
function planSide(position: SidedPosition, sign: f64): void {
  const isLong = sign == 1;
  const entryBar = position.entryBar;
  const entryPrice = position.entryPrice;
  const distance = position.distance;
  const liquidation = position.liquidation;
  const best = isLong ? high : low;
  const worst = isLong ? low : high;
  const last = barCount - 1;
  const earliest = earliestExit(entryBar, isLong);
  let stop = run.stop_order != 0 ? entryPrice - sign * distance : NaN;
  let bestPrice = NaN;
  let target = targetAt(position, entryBar);
  let change = targetChange(entryBar, entryBar);
  let skipFrom = isMoving ? entryBar + 1 : entryBar; // the first bar gives the first best price
  for (let bar = entryBar; ; bar++) {
    // Skips bars that reach no level and no new best price. It stops up to three bars too early.
    if (bar >= skipFrom) {
      const loss = nearer(stop, liquidation, sign);
      const gain = isMoving ? nearer(-target, -bestPrice, sign) : -target;
      const to = min(min(earliest, change), last);
      bar = isLong ? untouched(low, high, bar, to, loss, -gain) : untouched(low, high, bar, to, -gain, loss);
      skipFrom = bar + 4;
    }
    if (bar == change) {
      target = targetAt(position, bar);
      change = targetChange(entryBar, bar);
    }
    const adverse = sign * at(worst, bar);
    const isNear = adverse <= sign * stop || adverse <= sign * liquidation || sign * at(best, bar) >= sign * target;
    const isTouched = isNear && touch(position, bar, stop, target);
    if (isTouched || bar >= last) {
      if (!isTouched) position.exitRaw = NaN;
      position.exitBar = bar;
      position.isScheduled = 0;
      return;
    }
    if (isMoving) {
      const price = at(best, bar);
      if (!(sign * price <= sign * bestPrice)) {
        bestPrice = price;
        stop = movedStop(
          sign, stop, bestPrice, entryPrice, distance,
          run.trailing_distance, run.trailing_start, run.break_even_at, run.break_even_offset_pct,
        );
      }
    }
    if (bar < earliest || exitAt(position, bar, isLong) == Scheduled.NONE) continue;
    position.exitBar = bar + 1;
    position.isScheduled = 1;
    return;
  }
}

/** The level that a loss reaches first, the higher one of a long position; NaN is none. */
@inline
function nearer(a: f64, b: f64, sign: f64): f64 {
  if (a != a) return b;
  return b == b && sign * b > sign * a ? b : a;
}

/** First bar at whose close an exit may be decided. */
function earliestExit(entryBar: i32, isLong: bool): i32 {
  const last = barCount - 1;
  let signal: i32;
  if (isLong) {
    if (longSignal < entryBar) longSignal = nextBit(longExit, barCount, entryBar);
    signal = longSignal;
  } else {
    if (shortSignal < entryBar) shortSignal = nextBit(shortExit, barCount, entryBar);
    signal = shortSignal;
  }
  const certain = min(min(signal, entryBar + holdBars - 1), last);
  return min(certain, entryBar + patienceBars - 1);
}

/** As touch() of execution/touches.ts for a position without parts; the exit goes into the position. */
function touch(position: SidedPosition, bar: i32, stop: f64, target: f64): bool {
  const sign = position.sign;
  const liquidation = position.liquidation;
  const first = sign * at(open, bar);
  const worst = sign * at(sign == 1 ? low : high, bar);
  const best = sign * at(sign == 1 ? high : low, bar);
  const gain = sign * target;
  if (first <= sign * liquidation) return liquidated(position);
  if (first <= sign * stop) return reached(position, at(open, bar), Fill.MARKET);
  const targetFill = isLimitTarget ? Fill.LIMIT : Fill.MARKET;
  if (isLimitTarget ? first > gain : first >= gain) return reached(position, at(open, bar), targetFill);
  const isLiquidation = stop != stop || sign * liquidation >= sign * stop; // a tie liquidates
  if (worst <= sign * (isLiquidation ? liquidation : stop)) {
    return isLiquidation ? liquidated(position) : reached(position, stop, Fill.MARKET);
  }
  return (isLimitTarget ? best > gain : best >= gain) && reached(position, target, targetFill);
}

function liquidated(position: SidedPosition): bool {
  return reached(position, position.entryPrice * (position.sign == 1 ? longBankruptcy : shortBankruptcy), Fill.LIQUIDATION);
}

@inline
function reached(position: SidedPosition, raw: f64, fill: Fill): bool {
  position.exitRaw = raw;
  position.exitFill = fill;
  return true;
}

/** As decideSidedExit() of execution/sided-step.ts. */
@inline
function exitAt(position: SidedPosition, bar: i32, isLong: bool): Scheduled {
  const barsHeld = barsHeldOf(position.entryBar, bar, false);
  const unrealized = position.sign * (at(close, bar) / position.entryPrice - 1);
  const rule = getBit(isLong ? longExit : shortExit, bar);
  return scheduledAt(rule, barsHeld, unrealized, holdLimit, lossLimit, profitLimit, run.profit_threshold_pct);
}

function sellAtOpen(bar: i32): void {
  markTo(bar);
  const raw = at(open, bar);
  for (let p = positions; p < positionsEnd; ) {
    const position = changetype<SidedPosition>(p);
    if (position.exitBar == bar && position.isScheduled != 0) sell(p, bar, raw, Fill.MARKET, true);
    else p += SIDED_POSITION_BYTES;
  }
}

function sellInside(bar: i32): void {
  for (let p = positions; p < positionsEnd; ) {
    const position = changetype<SidedPosition>(p);
    const raw = position.exitRaw;
    if (position.exitBar == bar && position.isScheduled == 0 && raw == raw) sell(p, bar, raw, position.exitFill, false);
    else p += SIDED_POSITION_BYTES;
  }
  if (bar == barCount - 1) {
    const raw = at(close, bar);
    while (positionsEnd > positions) sell(positions, bar, raw, Fill.MARKET, false);
  }
  seekExit();
}

function seekExit(): void {
  nextExit = barCount;
  for (let p = positions; p < positionsEnd; p += SIDED_POSITION_BYTES) nextExit = min(nextExit, changetype<SidedPosition>(p).exitBar);
}

function sell(p: usize, bar: i32, raw: f64, fill: i32, isSoldAtOpen: bool): void {
  const position = changetype<SidedPosition>(p);
  const sign = position.sign;
  const size = position.size;
  let exitPrice = raw;
  if (fill == Fill.MARKET) exitPrice = filledAt(raw, -sign, run.impact_coefficient > 0 ? slipOf(size, bar) : run.slippage_pct);
  const isLiquidated = fill == Fill.LIQUIDATION;
  const exitFee = isLiquidated ? 0 : feeOf(fill == Fill.LIMIT ? makerFee : run.fee_pct, size, exitPrice);
  let profitLoss: f64;
  if (position.isMargined != 0) {
    const gain = sign * size * (exitPrice - position.entryPrice);
    const proceeds = isLiquidated ? 0 : marginedProceeds(position.margin, gain, exitFee);
    cash += proceeds;
    profitLoss = proceeds - position.margin - position.entryFee;
  } else {
    cash += size * exitPrice - exitFee;
    profitLoss = profitOf(size, position.entryPrice, exitPrice, position.entryFee, exitFee);
  }
  if (isBookedLoss(profitLoss)) bookLoss(bar);
  const slippage = position.slippageCost + size * sign * (raw - exitPrice);
  sums.add(profitLoss, barsHeldOf(position.entryBar, bar, isSoldAtOpen), position.entryFee + exitFee, slippage);
  positionsEnd -= SIDED_POSITION_BYTES;
  if (p < positionsEnd) memory.copy(p, p + SIDED_POSITION_BYTES, positionsEnd - p);
}
