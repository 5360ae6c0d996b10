import { isBookedLoss } from '../../formulas/cooldown-rules';
import { barLimitOf, barsHeldOf, Scheduled, scheduledAt } from '../../formulas/exit-rules';
import {
  blendedAtr,
  boughtAt,
  costOf,
  feeOf,
  floorOf,
  proceedsOf,
  profitOf,
  sizeOf,
  slippageOf,
  soldAt,
  spendableOf,
  stopDistanceOf,
  stopOf,
  targetOf,
  touchPrice,
  unitsMaxOf,
  utcDay,
  valueWith,
} from '../../formulas/prices-and-sizes';
import { accountGateOf, ADMITTED, dayGateOf, entriesOnDayOf, levelGateOf, sizeGateOf } from '../../formulas/gates';
import { TradeSums } from '../../formulas/trade-sums';
import { addFlat, addHeld, begin, finish } from './curve';
import { beginLosses, blockedThrough, bookLoss } from './losses';
import { CurveFacts, position_size_calc, POSITION_BYTES, RunInput, stop_loss_calculation } from './run-layout';
import { at, getBit, nextBit, Position, untouched } from './run-memory';

/*
 * Simulates a run as simulate() of execution/simulate.ts does, and measures it in the same pass. It
 * serves runs of which only the figures are kept. Rules and amounts are those of execution/,
 * compiled from the same files in formulas/. These parts are written a second time:
 * - how a run jumps from event to event and finds the exit of a position, and which rule gets which
 *   setting, because TypeScript works on objects and named choices, and this file on memory;
 * - where positions, losses and the entries of a day are kept, for the same reason;
 * - the walk along the equity curve (curve.ts), because it takes two values at a time and stores no
 *   curve. Single values come from formulas/ there too.
 * A property test checks that both give equal bits.
 */

if (offsetof<Position>() > POSITION_BYTES) ERROR('a position takes more room than the layout gives it');

let run = changetype<RunInput>(0);
let sums = changetype<TradeSums>(0);
/** A run that scales sizes for volatility is not simulated here. */
const UNSCALED: f64 = 1;

/*
 * Addresses are converted to integers once: the conversion is expensive in WebAssembly, which
 * checks that the value fits. Settings are read in place.
 */
let time: usize;
let open: usize;
let high: usize;
let low: usize;
let close: usize;
let volume: usize;
let shortAtr: usize;
let longAtr: usize;
let exit: usize;
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
let holdLimit: f64;
let lossLimit: f64;
let profitLimit: f64;
/**
 * Longest holding time, and the earliest at which a position may time out, in bars. Limits beyond
 * the last bar all have the same effect.
 */
let holdBars: i32;
let patienceBars: i32;
/** First bar at or after the latest entry where the exit rule holds, or barCount. */
let signalBar: i32;

/**
 * Simulates and measures one run.
 * @param input a RunInput
 * @param facts a CurveFacts, then a TradeSums, all 0
 */
export function runFacts(input: usize, facts: usize): void {
  run = changetype<RunInput>(input);
  const curve = changetype<CurveFacts>(facts);
  sums = changetype<TradeSums>(facts + offsetof<CurveFacts>());
  time = <usize>run.time;
  open = <usize>run.open;
  high = <usize>run.high;
  low = <usize>run.low;
  close = <usize>run.close;
  volume = <usize>run.volume;
  shortAtr = <usize>run.shortAtr;
  longAtr = <usize>run.longAtr;
  exit = <usize>run.exit;
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
  signalBar = -1;
  readSettings();
  begin(run, marked, cash);

  const entry = <usize>run.entry;
  let wanted = nextBit(entry, barCount, marked);
  for (;;) {
    const fill = wanted == barCount ? barCount : wanted + 1;
    const bar = min(fill, nextExit);
    if (bar >= barCount) break;
    if (bar == nextExit) sellAtOpen(bar);
    if (bar == fill) {
      enter(bar);
      wanted = nextBit(entry, barCount, bar);
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

function readSettings(): void {
  floorAmount = floorOf(run.min_balance_threshold, run.initial_balance);
  isFixedStop = run.stop_loss_calculation == stop_loss_calculation.fixed;
  isReserveKept = run.position_size_calc == position_size_calc.v2;
  holdLimit = barLimitOf(run.hold_limit_bars);
  lossLimit = barLimitOf(run.exit_on_loss_after_bars);
  profitLimit = barLimitOf(run.exit_on_profit_after_bars);
  const beyond = <f64>(barCount + 1);
  holdBars = <i32>min<f64>(holdLimit, beyond);
  patienceBars = <i32>min<f64>(min<f64>(lossLimit, profitLimit), beyond);
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
  addHeld(from, to, cash, positions, POSITION_BYTES, <i32>((positionsEnd - positions) / POSITION_BYTES));
}

/** As accountGate() and proposeEntry(); the reason for a denial is not kept. */
function enter(bar: i32): void {
  const isConflicted = getBit(exit, bar - 1);
  const raw = at(open, bar);
  const value = accountValue(raw);
  const held = <f64>((positionsEnd - positions) / POSITION_BYTES);
  const gate = accountGateOf(isConflicted, value, floorAmount, bar, blockedThrough, held, run.max_open_positions);
  if (gate != ADMITTED) return;
  const day = utcDay(at(time, bar));
  const entriesToday = entriesOnDayOf(day, entryDay, entriesOnDay);
  if (dayGateOf(entriesToday, run.max_trades_per_day) != ADMITTED) return;

  const entryPrice = boughtAt(raw, run.slippage_pct);
  const atr = isFixedStop ? NaN : effectiveAtr(bar - 1);
  const distance = stopDistanceOf(isFixedStop, entryPrice, run.fixed_stop_pct, atr, run.atr_volatility_factor);
  const stopPrice = stopOf(entryPrice, distance);
  const spendable = spendableOf(cash, floorAmount, isReserveKept);
  if (levelGateOf(distance, stopPrice, UNSCALED, spendable) != ADMITTED) return;
  const fee = run.fee_pct;
  const risk = run.max_risk_per_trade;
  const unitsMax = unitsMaxOf(run.max_units_per_trade, run.max_volume_share, at(volume, bar - 1));
  const size = sizeOf(value, risk, distance, UNSCALED, unitsMax, run.max_trade_amount, entryPrice, spendable, fee);
  if (sizeGateOf(size, entryPrice, run.min_trade_amount) != ADMITTED) return;

  markTo(bar);
  const position = changetype<Position>(positionsEnd);
  position.size = size;
  position.entryPrice = entryPrice;
  position.stopPrice = stopPrice;
  position.targetPrice = targetOf(entryPrice, distance, run.reward_factor);
  position.entryFee = feeOf(fee, size, entryPrice);
  position.slippageCost = slippageOf(size, entryPrice, raw);
  position.entryBar = bar;
  positionsEnd += POSITION_BYTES;
  cash -= costOf(size, entryPrice, position.entryFee);
  entriesOnDay = entriesToday + 1;
  entryDay = day;
  plan(position);
  nextExit = min(nextExit, position.exitBar);
}

@inline
function effectiveAtr(bar: i32): f64 {
  return blendedAtr(at(shortAtr, bar), at(longAtr, bar), run.atr_short_weight, run.atr_long_weight, run.atr_cap_multiplier);
}

@inline
function accountValue(price: f64): f64 {
  let value = cash;
  for (let p = positions; p < positionsEnd; p += POSITION_BYTES) value = valueWith(value, changetype<Position>(p).size, price);
  return value;
}

/** As ExitPlanner.plan(): a touch inside a bar comes before the decisions at its close. */
function plan(position: Position): void {
  const entryBar = position.entryBar;
  const last = barCount - 1;
  if (signalBar < entryBar) signalBar = nextBit(exit, barCount, entryBar);
  const certain = min(min(signalBar, entryBar + holdBars - 1), last);
  const earliest = min(certain, entryBar + patienceBars - 1);
  const stop = position.stopPrice;
  const target = position.targetPrice;
  let bar = untouched(low, high, entryBar, earliest, stop, target);
  for (; bar < last; bar++) {
    if (at(low, bar) <= stop || at(high, bar) >= target) break;
    if (bar < earliest || exitAt(position, bar) == Scheduled.NONE) continue;
    position.exitBar = bar + 1;
    position.isScheduled = 1;
    return;
  }
  position.exitBar = bar;
  position.isScheduled = 0;
}

/** As decideExit(). */
@inline
function exitAt(position: Position, bar: i32): Scheduled {
  const barsHeld = barsHeldOf(position.entryBar, bar, false);
  const unrealized = at(close, bar) / position.entryPrice - 1;
  const threshold = run.profit_threshold_pct;
  return scheduledAt(getBit(exit, bar), barsHeld, unrealized, holdLimit, lossLimit, profitLimit, threshold);
}

function sellAtOpen(bar: i32): void {
  markTo(bar);
  const raw = at(open, bar);
  for (let p = positions; p < positionsEnd; ) {
    const position = changetype<Position>(p);
    if (position.exitBar == bar && position.isScheduled != 0) sell(p, bar, raw, true);
    else p += POSITION_BYTES;
  }
}

function sellInside(bar: i32): void {
  const first = at(open, bar);
  const highest = at(high, bar);
  const lowest = at(low, bar);
  for (let p = positions; p < positionsEnd; ) {
    const position = changetype<Position>(p);
    const raw = touchPrice(first, highest, lowest, position.stopPrice, position.targetPrice);
    if (raw == raw) sell(p, bar, raw, false);
    else p += POSITION_BYTES;
  }
  if (bar == barCount - 1) {
    const raw = at(close, bar);
    while (positionsEnd > positions) sell(positions, bar, raw, false);
  }
  nextExit = barCount;
  for (let p = positions; p < positionsEnd; p += POSITION_BYTES) nextExit = min(nextExit, changetype<Position>(p).exitBar);
}

function sell(p: usize, bar: i32, raw: f64, isSoldAtOpen: bool): void {
  const position = changetype<Position>(p);
  const size = position.size;
  const exitPrice = soldAt(raw, run.slippage_pct);
  const exitFee = feeOf(run.fee_pct, size, exitPrice);
  cash += proceedsOf(size, exitPrice, exitFee);
  const profitLoss = profitOf(size, position.entryPrice, exitPrice, position.entryFee, exitFee);
  if (isBookedLoss(profitLoss)) bookLoss(bar);
  const slippage = position.slippageCost + slippageOf(size, raw, exitPrice);
  const barsHeld = barsHeldOf(position.entryBar, bar, isSoldAtOpen);
  sums.add(profitLoss, barsHeld, position.entryFee + exitFee, slippage);
  positionsEnd -= POSITION_BYTES;
  if (p < positionsEnd) memory.copy(p, p + POSITION_BYTES, positionsEnd - p);
}
