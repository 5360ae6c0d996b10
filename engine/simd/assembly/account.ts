import { isBookedLoss } from '../../formulas/cooldown-rules';
import { barsHeldOf } from '../../formulas/exit-rules';
import { ADMITTED, dayGateOf, entriesOnDayOf, levelGateOf, sizeGateOf } from '../../formulas/gates';
import {
  blendedAtr,
  boughtAt,
  feeOf,
  floorOf,
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
  marginedWorth,
  marginOf,
} from '../../formulas/sides';
import { TradeSums } from '../../formulas/trade-sums';
import { beginLosses, blockedThrough, bookLoss } from './losses';
import {
  position_size_calc,
  position_sizing,
  RunInput,
  POSITION_BYTES,
  stop_loss_calculation,
  volatility_mode,
} from './run-layout';
import { at, Fill, Position, worthOf } from './run-memory';

/*
 * The account of a run: its positions, what an entry costs and what a sale brings, as account.ts,
 * entry.ts and sales.ts of execution/.
 * Rules and amounts come from formulas/.
 */

export let run = changetype<RunInput>(0);
let sums = changetype<TradeSums>(0);

let time: usize;
export let open: usize;
export let high: usize;
export let low: usize;
export let close: usize;
let volume: usize;
let shortAtr: usize;
let longAtr: usize;
let volatility: usize;
export let barCount: i32;
export let cash: f64;
export let positions: usize;
export let positionsEnd: usize;
let entryDay: f64;
let entriesOnDay: f64;
/** Of the bar for which isFull() was asked last. */
let day: f64;
let entriesToday: f64;
let floorAmount: f64;
let isFixedStop: bool;
let isReserveKept: bool;
let isVolatilitySized: bool;
let isVolatilityScaled: bool;
let hasImpact: bool;
/** Positions change at their entry and their exit alone: no part is sold, no carry is paid. */
let isSteady: bool;
let makerFee: f64;
/** Cash that an entry takes over its notional. */
let cashPerAmount: f64;
let cashPerMakerAmount: f64;
/** Of each side. */
let longBankruptcy: f64;
let shortBankruptcy: f64;
let longMaintenance: f64;
let shortMaintenance: f64;
let isLongMargined: bool;

/** Below this, a bracket of exposure counts as none. */
const EXPOSURE_DUST: f64 = 0.000001;

export function openAccount(input: RunInput, tradeSums: TradeSums): void {
  run = input;
  sums = tradeSums;
  time = <usize>run.time;
  open = <usize>run.open;
  high = <usize>run.high;
  low = <usize>run.low;
  close = <usize>run.close;
  volume = <usize>run.volume;
  shortAtr = <usize>run.shortAtr;
  longAtr = <usize>run.longAtr;
  volatility = <usize>run.volatility;
  barCount = <i32>run.barCount;
  cash = run.initial_balance;
  positions = <usize>run.positions;
  positionsEnd = positions;
  beginLosses(run);
  entryDay = -1;
  entriesOnDay = 0;
  floorAmount = floorOf(run.min_balance_threshold, run.initial_balance);
  isFixedStop = run.stop_loss_calculation == stop_loss_calculation.fixed;
  isReserveKept = run.position_size_calc == position_size_calc.v2;
  isVolatilitySized = run.position_sizing == position_sizing.volatility_target;
  isVolatilityScaled =
    !isVolatilitySized && run.enable_volatility_adjustment != 0 && run.volatility_mode != volatility_mode.off;
  hasImpact = run.impact_coefficient > 0;
  isSteady = run.scaleOutCount == 0 && run.borrow_rate == 0 && run.settledCount == 0;
  makerFee = run.maker_fee_pct == run.maker_fee_pct ? run.maker_fee_pct : run.fee_pct;
  cashPerAmount = cashShare(run.leverage, run.fee_pct);
  cashPerMakerAmount = cashShare(run.leverage, max<f64>(0, makerFee));
  longBankruptcy = bankruptcyShare(1, run.leverage);
  shortBankruptcy = bankruptcyShare(-1, run.leverage);
  longMaintenance = maintenanceShare(1, run.maintenance_margin);
  shortMaintenance = maintenanceShare(-1, run.maintenance_margin);
  isLongMargined = isMargined(1, run.leverage);
}

@inline
export function positionCount(): i32 {
  return <i32>((positionsEnd - positions) / POSITION_BYTES);
}

export function accountValue(price: f64): f64 {
  let value = cash;
  for (let p = positions; p < positionsEnd; p += POSITION_BYTES) value = worthOf(value, changetype<Position>(p), price);
  return value;
}

@inline
export function hasOpposite(sign: f64): bool {
  for (let p = positions; p < positionsEnd; p += POSITION_BYTES) if (changetype<Position>(p).sign != sign) return true;
  return false;
}

@inline
export function effectiveAtr(bar: i32): f64 {
  return blendedAtr(at(shortAtr, bar), at(longAtr, bar), run.atr_short_weight, run.atr_long_weight, run.atr_cap_multiplier);
}

/** As openingGate() of execution/entry.ts. */
@inline
export function isClosed(bar: i32, raw: f64): bool {
  return <f64>bar <= blockedThrough || accountValue(raw) < floorAmount;
}

/** A gate fails that reads neither the bar nor its prices, and no sale of the other side could open it. */
@inline
export function isDenied(bar: i32, sign: f64): bool {
  return <f64>bar <= blockedThrough || (<f64>positionCount() >= run.max_open_positions && !hasOpposite(sign));
}

/** As countGate(). */
@inline
export function isFull(dayOfBar: f64): bool {
  if (<f64>positionCount() >= run.max_open_positions) return true;
  day = dayOfBar;
  entriesToday = entriesOnDayOf(day, entryDay, entriesOnDay);
  return dayGateOf(entriesToday, run.max_trades_per_day) != ADMITTED;
}

export function dayOf(bar: i32): f64 {
  return utcDay(at(time, bar));
}

/** The price of an entry without impact; a limit fill does not slip. */
@inline
export function plainPriceOf(sign: f64, raw: f64, isLimit: bool): f64 {
  return isLimit ? raw : filledAt(raw, sign, run.slippage_pct);
}

/** @param decision the bar whose close decided the entry */
export function distanceOf(decision: i32, plainPrice: f64): f64 {
  const atr = isFixedStop ? NaN : effectiveAtr(decision);
  return stopDistanceOf(isFixedStop, plainPrice, run.fixed_stop_pct, atr, run.atr_volatility_factor);
}

/**
 * As proposeEntry(): makes a position behind the open ones, which openProposed() opens.
 * @param decision the bar whose close decided the entry
 * @param first open of the bar
 * @param raw price before slippage
 * @param distance between entry and stop
 * @returns whether all gates are passed
 */
@inline
export function propose(bar: i32, sign: f64, decision: i32, first: f64, raw: f64, distance: f64, isLimit: bool): bool {
  const plainPrice = plainPriceOf(sign, raw, isLimit);
  const deviation = isVolatilitySized || isVolatilityScaled ? at(volatility, decision) : 0;
  let scale: f64 = deviation == deviation ? 1 : NaN;
  if (isVolatilityScaled) scale = volatilityScaleOf(run.target_volatility, deviation);
  const spendable = spendableOf(cash, floorAmount, isReserveKept);
  const lowest = sign == 1 ? plainPrice - distance : 1; // a short can fail by its distance only
  if (levelGateOf(distance, lowest, scale, spendable) != ADMITTED) return false;
  const value = accountValue(first);
  const room = exposureRoom(value, first);
  if (room <= EXPOSURE_DUST) return false;
  const fee = isLimit ? makerFee : run.fee_pct;
  const cashPer = isLimit ? cashPerMakerAmount : cashPerAmount;
  const base = baseSize(value, plainPrice, distance, deviation) * scale;
  const share = run.max_volume_share;
  const unitsMax = unitsMaxOf(run.max_units_per_trade, share, share > 0 ? at(volume, decision) : 0);
  const capped = min<f64>(min<f64>(base, unitsMax), run.max_trade_amount / plainPrice);
  const affordable = min<f64>(capped, spendable / (plainPrice * cashPer));
  let size = room == Infinity ? affordable : min<f64>(affordable, room / plainPrice);
  let entryPrice = plainPrice;
  if (hasImpact && !isLimit) {
    entryPrice = filledAt(raw, sign, slipOf(size, decision));
    size = min<f64>(size, spendable / (entryPrice * cashPer));
  }
  if (sizeGateOf(size, entryPrice, run.min_trade_amount) != ADMITTED) return false;

  const position = changetype<Position>(positionsEnd);
  position.sign = sign;
  position.size = size;
  const isOnMargin = sign == -1 || isLongMargined;
  position.isMargined = isOnMargin ? 1 : 0;
  position.margin = isOnMargin ? marginOf(size, entryPrice, run.leverage) : 0;
  position.entryPrice = entryPrice;
  position.distance = distance;
  position.stop = run.stop_order != 0 ? entryPrice - sign * distance : NaN;
  position.best = NaN;
  if (!isOnMargin) position.liquidation = NaN;
  else if (sign == 1) position.liquidation = liquidationPrice(entryPrice, longBankruptcy, longMaintenance);
  else position.liquidation = liquidationPrice(entryPrice, shortBankruptcy, shortMaintenance);
  position.entryFee = feeOf(fee, size, entryPrice);
  position.slippageCost = size * sign * (entryPrice - raw);
  position.borne = 0;
  position.entryBar = bar;
  position.fill = Fill.NOT_YET;
  position.isFilledInside = 0;
  position.partsSold = 0;
  if (isSteady) return true;
  position.firstSize = size;
  position.exitFee = 0;
  position.gain = 0;
  position.carryPaid = 0;
  position.isUsedUp = 0;
  return true;
}

/** Pays for the proposed position, or locks its margin. */
@inline
export function openProposed(): Position {
  const position = changetype<Position>(positionsEnd);
  positionsEnd += POSITION_BYTES;
  const paid = position.isMargined != 0 ? position.margin : position.size * position.entryPrice;
  cash -= paid + position.entryFee;
  entriesOnDay = entriesToday + 1;
  entryDay = day;
  return position;
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
  for (let p = positions; p < positionsEnd; p += POSITION_BYTES) gross += changetype<Position>(p).size * raw;
  return limit * value - gross;
}

/** A price that slips up (1) at a purchase, down (-1) at a sale. */
@inline
function filledAt(raw: f64, direction: f64, slip: f64): f64 {
  return direction == 1 ? boughtAt(raw, slip) : soldAt(raw, slip);
}

/** Slippage and price impact of a fill; its share is of the volume of `bar`. */
@inline
function slipOf(size: f64, bar: i32): f64 {
  return slippageWithImpact(run.slippage_pct, run.impact_coefficient, size, at(volume, bar));
}

/** Where a liquidated position has lost its whole margin. */
@inline
export function bankruptcyPrice(position: Position): f64 {
  return position.entryPrice * (position.sign == 1 ? longBankruptcy : shortBankruptcy);
}

/** What a margined position is worth at a price. */
@inline
export function worthOnMargin(position: Position, price: f64): f64 {
  const worth = marginedWorth(position.margin, position.sign, position.size, price, position.entryPrice);
  return max<f64>(position.borne, worth);
}

/** Leaves so much cash to the account. */
@inline
export function takeCash(rest: f64): void {
  cash = rest;
}

/** Takes carry from the cash of the account. */
@inline
export function takeCarry(position: Position, paid: f64): void {
  cash -= paid;
  position.carryPaid += paid;
}

/** Sells all of a position at an open, as most exits do: inlined with what is known of them. */
@inline
export function sellOnSchedule(p: usize, bar: i32, raw: f64): void {
  sellSize(p, bar, changetype<Position>(p).size, raw, Fill.MARKET, true, true);
}

/** Sells all that is left of a position, and books its trade. */
export function sell(p: usize, bar: i32, raw: f64, fill: i32, isSoldAtOpen: bool): void {
  sellSize(p, bar, changetype<Position>(p).size, raw, fill, isSoldAtOpen, true);
}

/**
 * Sells a part of a position.
 * @returns whether it was all that was left
 */
export function sellPart(p: usize, bar: i32, size: f64, raw: f64, fill: i32): bool {
  const isWhole = size == changetype<Position>(p).size;
  if (isWhole) sell(p, bar, raw, fill, false);
  else sellSize(p, bar, size, raw, fill, false, false);
  return isWhole;
}

/** As fillSale() and closedTrade() of execution/sales.ts. Inlined with a constant `isWhole`. */
@inline
function sellSize(p: usize, bar: i32, size: f64, raw: f64, fill: i32, isSoldAtOpen: bool, isWhole: bool): void {
  const position = changetype<Position>(p);
  const sign = position.sign;
  const entryPrice = position.entryPrice;
  let exitPrice = raw;
  if (fill == Fill.MARKET) exitPrice = filledAt(raw, -sign, hasImpact ? slipOf(size, bar - 1) : run.slippage_pct);
  const isLiquidated = fill == Fill.LIQUIDATION;
  const fee = isLiquidated ? 0 : feeOf(fill == Fill.LIMIT ? makerFee : run.fee_pct, size, exitPrice);
  let gain = sign * size * (exitPrice - entryPrice);
  const isOnMargin = position.isMargined != 0;
  if (isOnMargin) {
    const margin = isWhole ? position.margin : marginOf(size, entryPrice, run.leverage);
    let proceeds = isLiquidated ? 0 : marginedProceeds(margin, gain, fee);
    if (!isSteady) {
      const borne = isWhole ? position.borne : position.borne * (size / position.size);
      proceeds = max<f64>(borne, proceeds);
      position.borne -= borne;
    }
    cash += proceeds;
    gain = proceeds - margin;
  } else cash += size * exitPrice - fee;
  const slippage = position.slippageCost + size * sign * (raw - exitPrice);
  let exitFee = fee;
  if (!isSteady) {
    gain += position.gain;
    exitFee += position.exitFee;
  }
  if (!isWhole) {
    position.size -= size;
    if (isOnMargin) position.margin = marginOf(position.size, entryPrice, run.leverage);
    position.slippageCost = slippage;
    position.gain = gain;
    position.exitFee = exitFee;
    return;
  }
  let profitLoss = gain - position.entryFee;
  if (!isOnMargin) profitLoss -= exitFee;
  if (!isSteady) profitLoss -= position.carryPaid;
  if (isBookedLoss(profitLoss)) bookLoss(bar);
  sums.add(profitLoss, barsHeldOf(position.entryBar, bar, isSoldAtOpen), position.entryFee + exitFee, slippage);
  positionsEnd -= POSITION_BYTES;
  if (p < positionsEnd) memory.copy(p, p + POSITION_BYTES, positionsEnd - p);
}
