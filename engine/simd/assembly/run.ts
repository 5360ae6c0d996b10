import { blendedAtr, boughtAt, cappedSize, soldAt, touchPrice } from '../../execution/formulas';
import { TradeSums } from '../../metrics/trade-sums';
import { addFlat, addHeld, begin, CurveFacts, finish } from './curve';
import { at, getBit, nextBit, Position, RunInput, STRIDE } from './run-memory';

/*
 * simulate() of execution/simulate.ts and the measuring of its result in one, for runs of which nothing is kept but the figures.
 * It jumps from event to event as the former does; the names are those of execution/.
 */

const DAY_MS: f64 = 86_400_000;

let run = changetype<RunInput>(0);
let sums = changetype<TradeSums>(0);
/*
 * Addresses are made integers once, since that is dear in WebAssembly, which minds what does not fit; settings are read where
 * they stand.
 */
let time: usize;
let open: usize;
let high: usize;
let low: usize;
let close: usize;
let shortAtr: usize;
let longAtr: usize;
let exit: usize;
let lossBars: usize;
let barCount: i32;
let cash: f64;
let positions: usize;
let positionsEnd: usize;
/** Bars before this one are measured. */
let marked: i32;
/** Nearest exit among the open positions. */
let nextExit: i32;
let exposedBars: i32;
let lossCount: i32;
let blockedThrough: i32;
let entryDay: f64;
let entriesOnDay: i32;
/** First bar at or after the latest entry where the exit rule holds, or barCount. */
let signalBar: i32;

/**
 * @param facts CurveFacts, then bars with a position open after the fills at their open, then TradeSums, all 0
 */
export function runFacts(input: usize, facts: usize): void {
  run = changetype<RunInput>(input);
  const curve = changetype<CurveFacts>(facts);
  sums = changetype<TradeSums>(facts + offsetof<CurveFacts>() + 8);
  time = <usize>run.time;
  open = <usize>run.open;
  high = <usize>run.high;
  low = <usize>run.low;
  close = <usize>run.close;
  shortAtr = <usize>run.shortAtr;
  longAtr = <usize>run.longAtr;
  exit = <usize>run.exit;
  lossBars = <usize>run.lossBars;
  barCount = <i32>run.barCount;
  cash = run.initialBalance;
  positions = <usize>run.positions;
  positionsEnd = positions;
  marked = <i32>run.first;
  nextExit = barCount;
  exposedBars = 0;
  lossCount = 0;
  blockedThrough = -1;
  entryDay = -1;
  entriesOnDay = 0;
  signalBar = -1;
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
      if (isExposed && positionsEnd == positions) exposedBars++; // `markTo` does not see it
    }
  }
  markTo(barCount);
  finish(barCount, curve);
  store<f64>(facts + offsetof<CurveFacts>(), <f64>exposedBars);
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
  addHeld(from, to, cash, positions, STRIDE, <i32>((positionsEnd - positions) / STRIDE));
}

/** accountGate() and proposeEntry(): whether for one reason or another, an entry is denied all the same. */
function enter(bar: i32): void {
  if (getBit(exit, bar - 1)) return;
  const raw = at(open, bar);
  const value = accountValue(raw);
  if (value < run.floorAmount) return;
  if (bar <= blockedThrough) return;
  if (<f64>((positionsEnd - positions) / STRIDE) >= run.maxOpenPositions) return;
  const day = floor<f64>(at(time, bar) / DAY_MS);
  const entriesToday = day == entryDay ? entriesOnDay : 0;
  if (<f64>entriesToday >= run.maxTradesPerDay) return;

  const entryPrice = boughtAt(raw, run.slippage);
  const distance = run.fixedStop > 0 ? entryPrice * run.fixedStop : effectiveAtr(bar - 1) * run.atrFactor;
  const stopPrice = entryPrice - distance;
  if (!(distance > 0 && stopPrice > 0)) return;
  const spendable = cash - run.reserve;
  if (spendable <= 0.000001) return;
  const risked = (value * run.maxRisk) / distance;
  const size = cappedSize(risked, run.maxUnits, run.maxTradeAmount, entryPrice, spendable, run.fee);
  if (size * entryPrice < run.minTradeAmount || size == 0) return;

  markTo(bar);
  const position = changetype<Position>(positionsEnd);
  position.size = size;
  position.entryPrice = entryPrice;
  position.stopPrice = stopPrice;
  position.targetPrice = entryPrice + distance * run.rewardFactor;
  position.entryFee = run.fee * size * entryPrice;
  position.slippageCost = size * (entryPrice - raw);
  position.entryBar = bar;
  positionsEnd += STRIDE;
  cash -= size * entryPrice + position.entryFee;
  entriesOnDay = entriesToday + 1;
  entryDay = day;
  plan(position);
  nextExit = min(nextExit, position.exitBar);
}

@inline
function effectiveAtr(bar: i32): f64 {
  return blendedAtr(at(shortAtr, bar), at(longAtr, bar), run.shortWeight, run.longWeight, run.atrCap);
}

@inline
function accountValue(price: f64): f64 {
  let value = cash;
  for (let p = positions; p < positionsEnd; p += STRIDE) value += changetype<Position>(p).size * price;
  return value;
}

/** ExitPlanner.plan(): a touch inside a bar comes before the decisions at its close. */
function plan(position: Position): void {
  const entryBar = position.entryBar;
  const last = barCount - 1;
  if (signalBar < entryBar) signalBar = nextBit(exit, barCount, entryBar);
  const certain = min(min(signalBar, entryBar + <i32>run.holdLimit - 1), last);
  const patience = <i32>min<f64>(run.lossLimit, run.profitLimit);
  const earliest = min(certain, entryBar + patience - 1);
  const stop = position.stopPrice;
  const target = position.targetPrice;
  let bar = untouched(entryBar, earliest, stop, target);
  for (; bar < last; bar++) {
    if (at(low, bar) <= stop || at(high, bar) >= target) break;
    if (bar < earliest || !(bar == certain || timesOut(position, bar))) continue;
    position.exitBar = bar + 1;
    position.isScheduled = 1;
    return;
  }
  position.exitBar = bar;
  position.isScheduled = 0;
}

/** The timeouts of decideExit(). */
@inline
function timesOut(position: Position, bar: i32): bool {
  const barsHeld = <f64>(bar - position.entryBar + 1);
  const unrealized = at(close, bar) / position.entryPrice - 1;
  if (barsHeld >= run.lossLimit && unrealized < 0) return true;
  return barsHeld >= run.profitLimit && unrealized >= run.profitThreshold;
}

/** A bar from `from` to `to`, or `to`, before which no bar from `from` on touches a level. */
@inline
function untouched(from: i32, to: i32, stop: f64, target: f64): i32 {
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

function sellAtOpen(bar: i32): void {
  markTo(bar);
  const raw = at(open, bar);
  for (let p = positions; p < positionsEnd; ) {
    const position = changetype<Position>(p);
    if (position.exitBar == bar && position.isScheduled != 0) sell(p, bar, raw, bar - position.entryBar);
    else p += STRIDE;
  }
}

function sellInside(bar: i32): void {
  const first = at(open, bar);
  const highest = at(high, bar);
  const lowest = at(low, bar);
  for (let p = positions; p < positionsEnd; ) {
    const position = changetype<Position>(p);
    const raw = touchPrice(first, highest, lowest, position.stopPrice, position.targetPrice);
    if (raw == raw) sell(p, bar, raw, bar - position.entryBar + 1);
    else p += STRIDE;
  }
  if (bar == barCount - 1) {
    const raw = at(close, bar);
    while (positionsEnd > positions) sell(positions, bar, raw, bar - changetype<Position>(positions).entryBar + 1);
  }
  nextExit = barCount;
  for (let p = positions; p < positionsEnd; p += STRIDE) nextExit = min(nextExit, changetype<Position>(p).exitBar);
}

function sell(p: usize, bar: i32, raw: f64, barsHeld: i32): void {
  const position = changetype<Position>(p);
  const size = position.size;
  const exitPrice = soldAt(raw, run.slippage);
  const exitFee = run.fee * size * exitPrice;
  cash += size * exitPrice - exitFee;
  const profitLoss = size * (exitPrice - position.entryPrice) - position.entryFee - exitFee;
  if (profitLoss < 0) bookLoss(bar);
  const slippage = position.slippageCost + size * (raw - exitPrice);
  sums.add(profitLoss, <f64>barsHeld, position.entryFee + exitFee, slippage);
  positionsEnd -= STRIDE;
  if (p < positionsEnd) memory.copy(p, p + STRIDE, positionsEnd - p);
}

function bookLoss(bar: i32): void {
  store<i32>(lossBars + (<usize>lossCount << 2), bar);
  lossCount++;
  trip(bar, <i32>run.shortLosses, <i32>run.shortWindow);
  trip(bar, <i32>run.longLosses, <i32>run.longWindow);
}

@inline
function trip(bar: i32, limit: i32, window: i32): void {
  if (limit <= 0 || window <= 0 || lossCount < limit) return;
  const nth = load<i32>(lossBars + (<usize>(lossCount - limit) << 2));
  if (nth > bar - window) blockedThrough = max(blockedThrough, bar + window);
}
