import { drawdownOf, lossOf, restPerUnit, returnOf, squaresAround } from '../../formulas/curve-sums';
import { CurveFacts, POSITION_BYTES, RunInput } from './run-layout';
import { at, KnownEntry, Position, worthOf } from './run-memory';

/*
 * Measures the equity curve of one run as the run produces it, without storing it. The operations
 * are those of measureEquity() in metrics/equity.ts, in the same order. Formulas of single values
 * are shared (formulas/curve-sums.ts); the walk is not, because it takes two values at a time. Only
 * returns are kept, for the squares of their deviations: one by one, or as sums over a stretch of
 * bars in which a position is held alone.
 */

/** Returns of a stretch, until the mean of the run is known. */
@unmanaged
class Stretch {
  count: f64;
  total: f64;
  squares: f64;
}

let close: usize;
let first: i32;
/** Value of the latest bar. */
let latest: f64;
let sum: f64;
let squaredLosses: f64;
let peak: f64;
/** Lowest value since the peak, in two lanes. */
let troughs: v128;
/** First bar below the peak, or -1. */
let dropBar: i32;
let maxDrawdown: f64;
let maxBars: i32;
let returns: usize;
let written: usize;
let stretches: usize;
let stretchesEnd: usize;
let day: usize;
let daysEnd: usize;
let dayReturns: usize;
let firstDay: usize;
/** Of all days of the bars. */
let days: usize;
let dayCloses: usize;
let dayBefore: f64;
let daySum: f64;
let dayLosses: f64;

/** Starts a curve, before its first bar. */
export function begin(input: RunInput, bar: i32, initial: f64): void {
  close = <usize>input.close;
  first = bar;
  latest = initial;
  sum = 0;
  squaredLosses = 0;
  peak = initial;
  troughs = f64x2.splat(initial);
  dropBar = -1;
  maxDrawdown = 0;
  maxBars = 0;
  returns = <usize>input.returns;
  written = returns;
  stretches = <usize>input.stretches;
  stretchesEnd = stretches;
  days = <usize>input.dayEnds;
  dayCloses = <usize>input.dayCloses;
  firstDay = days + (<usize>input.firstDay << 2);
  day = firstDay;
  dayReturns = <usize>input.dayReturns;
  daysEnd = days + (<usize>input.dayCount << 2);
  dayBefore = initial;
  daySum = 0;
  dayLosses = 0;
}

/**
 * Adds the bars `from` to `to` (exclusive) without a position. All have the same value, so at most
 * the first of them moves.
 */
export function addFlat(from: i32, to: i32, value: f64): void {
  if (value != latest) addValue(from, value);
  if (day < daysEnd && load<i32>(day) <= to) addDay(value);
  // Later days end at the same value and have no return.
  while (day < daysEnd && load<i32>(day) <= to) day += 4;
}

/** Adds one bar. */
@inline
export function addBar(bar: i32, value: f64): void {
  addValue(bar, value);
  if (day < daysEnd && load<i32>(day) == bar + 1) {
    addDay(value);
    day += 4;
  }
}

/** Adds the bars `from` to `to` (exclusive) with a list of positions. */
export function addHeld(from: i32, to: i32, cash: f64, positions: usize, end: usize): void {
  addList(from, to, cash, positions, end, false);
}

/** Where later returns will be, which is scratch until then. */
export function scratch(): usize {
  return written;
}

/** The same where each close has changed the cash, and scratch() has what it left. */
export function addCharged(from: i32, to: i32, positions: usize, end: usize): void {
  addList(from, to, 0, positions, end, true);
}

/** Inlined with a constant `isCharged`. */
@inline
function addList(from: i32, to: i32, cash: f64, positions: usize, end: usize, isCharged: bool): void {
  const charged = written - (<usize>from << 3);
  for (; day < daysEnd && load<i32>(day) <= to; day += 4) {
    const left = isCharged ? at(charged, load<i32>(day) - 1) : cash;
    addDay(valueAt(at(dayCloses, <i32>((day - days) >>> 2)), left, positions, end));
  }
  // Mostly there is one position, so the facts of the first are kept apart.
  const oldest = changetype<Position>(positions);
  const isOnMargin = oldest.isMargined != 0;
  const size = f64x2.splat(oldest.size);
  const entry = f64x2.splat(oldest.entryPrice);
  const signed = f64x2.splat(oldest.sign * oldest.size);
  const margin = f64x2.splat(oldest.margin);
  const borne = f64x2.splat(oldest.borne);
  const others = positions + POSITION_BYTES;
  let cashes = f64x2.splat(cash);
  let before = f64x2.splat(latest);
  let total = sum;
  let losses = squaredLosses;
  let lows = troughs;
  let peaks = f64x2.splat(peak);
  let k = from;
  for (; k + 2 <= to; k += 2) {
    const price = v128.load(close + (<usize>k << 3));
    if (isCharged) cashes = v128.load(written);
    let value = f64x2.add(cashes, isOnMargin ? marginedWorths(price, entry, signed, margin, borne) : f64x2.mul(size, price));
    for (let p = others; p < end; p += POSITION_BYTES) value = f64x2.add(value, worthsOf(changetype<Position>(p), price));
    const change = returnsOf(value, v128.shuffle<f64>(before, value, 1, 2));
    before = value;
    v128.store(written, change);
    written += 16;
    const square = squaredLossesOf(change);
    total += f64x2.extract_lane(change, 0);
    losses += f64x2.extract_lane(square, 0);
    total += f64x2.extract_lane(change, 1);
    losses += f64x2.extract_lane(square, 1);
    if (i64x2.all_true(f64x2.lt(value, peaks))) {
      if (dropBar == -1) dropBar = k;
      lows = f64x2.pmin(lows, value);
    } else {
      troughs = lows;
      follow(k, f64x2.extract_lane(value, 0));
      follow(k + 1, f64x2.extract_lane(value, 1));
      lows = troughs;
      peaks = f64x2.splat(peak);
    }
  }
  latest = f64x2.extract_lane(before, 1);
  sum = total;
  squaredLosses = losses;
  troughs = lows;
  if (k < to) addValue(k, valueAt(at(close, k), isCharged ? load<f64>(written) : cash, positions, end));
}

/** The same with a position that is held alone from `from` on, whose sums over the later bars are known. */
export function addAlone(from: i32, to: i32, cash: f64, position: Position, sums: KnownEntry): void {
  addValue(from, worthOf(cash, position, sums.close));
  const inner = from + 1;
  if (inner < to) {
    sum += sums.total;
    squaredLosses += sums.squaredLosses;
    const stretch = changetype<Stretch>(stretchesEnd);
    stretchesEnd += offsetof<Stretch>();
    stretch.count = <f64>(to - inner);
    stretch.total = sums.total;
    stretch.squares = sums.squares;
    const isLong = position.sign == 1;
    const best = worthOf(cash, position, isLong ? sums.highest : sums.lowest);
    if (best < peak) {
      if (dropBar == -1) dropBar = inner;
      troughs = f64x2.pmin(troughs, f64x2.splat(worthOf(cash, position, isLong ? sums.lowest : sums.highest)));
    } else followHeld(inner, to, cash, position);
    latest = worthOf(cash, position, sums.closeBefore);
  }
  for (; day < daysEnd && load<i32>(day) <= to; day += 4) addDay(worthOf(cash, position, at(dayCloses, <i32>((day - days) >>> 2))));
}

/** Sums over the bars `from` to `to` (exclusive) for addAlone(); the room of later returns serves as scratch. */
export function sumAlone(from: i32, to: i32, sign: f64, rest: f64, sums: KnownEntry): void {
  const signs = f64x2.splat(sign);
  const rests = f64x2.splat(rest);
  let totals = f64x2.splat(0);
  let losses = f64x2.splat(0);
  let lowest = f64x2.splat(Infinity);
  let highest = f64x2.splat(-Infinity);
  const pairs = from + ((to - from) & ~1);
  let out = written;
  for (let k = from; k < to; k += 2, out += 16) {
    const here = close + (<usize>k << 3);
    const isPair = k < pairs;
    const price = isPair ? v128.load(here) : v128.load_splat<f64>(here);
    const before = isPair ? v128.load(here - 8) : v128.load_splat<f64>(here - 8);
    const worth = f64x2.add(rests, f64x2.mul(signs, before));
    const quotient = f64x2.div(f64x2.mul(signs, f64x2.sub(price, before)), worth);
    let change = v128.and(quotient, f64x2.gt(worth, f64x2.splat(0)));
    lowest = f64x2.pmin(lowest, price);
    highest = f64x2.pmax(highest, price);
    if (!isPair) change = f64x2.replace_lane(change, 1, 0);
    v128.store(out, change);
    totals = f64x2.add(totals, change);
    losses = f64x2.add(losses, squaredLossesOf(change));
  }
  const total = f64x2.extract_lane(totals, 0) + f64x2.extract_lane(totals, 1);
  const means = f64x2.splat(total / <f64>(to - from));
  let squares = f64x2.splat(0);
  out = written;
  for (let k = from; k < to; k += 2, out += 16) {
    let deviation = f64x2.sub(v128.load(out), means);
    if (k >= pairs) deviation = f64x2.replace_lane(deviation, 1, 0);
    squares = f64x2.add(squares, f64x2.mul(deviation, deviation));
  }
  sums.rest = rest;
  sums.total = total;
  sums.squares = f64x2.extract_lane(squares, 0) + f64x2.extract_lane(squares, 1);
  sums.squaredLosses = f64x2.extract_lane(losses, 0) + f64x2.extract_lane(losses, 1);
  sums.lowest = min<f64>(f64x2.extract_lane(lowest, 0), f64x2.extract_lane(lowest, 1));
  sums.highest = max<f64>(f64x2.extract_lane(highest, 0), f64x2.extract_lane(highest, 1));
}

/** What an account is beside each unit of its only position. */
@inline
export function restOf(cash: f64, position: Position): f64 {
  const isOnMargin = position.isMargined != 0;
  const backing = isOnMargin ? cash + position.margin : cash;
  return restPerUnit(backing, position.size, position.entryPrice, isOnMargin ? position.sign : 0);
}

/** Ends the curve at the last bar. */
export function finish(barCount: i32, facts: CurveFacts): void {
  if (dropBar != -1) endDrop(barCount);
  const mean = sum / <f64>(barCount - first);
  facts.meanReturn = mean;
  facts.squaredDeviationSum = squaredDeviations(barCount - first, mean);
  facts.squaredLossSum = squaredLosses;
  facts.maxDrawdown = maxDrawdown;
  facts.maxDrawdownBars = <f64>maxBars;
  facts.dailyReturnSum = daySum;
  facts.dailyLossSum = dayLosses;
  facts.endingValue = latest;
}

/** Of the single returns that are not 0 first, then of all that are 0, then of each stretch. */
function squaredDeviations(length: i32, mean: f64): f64 {
  const means = f64x2.splat(mean);
  store<f64>(written, 0); // beside a last single return
  let squares: f64 = 0;
  let moved = 0;
  for (let from = returns; from < written; from += 16) {
    const change = v128.load(from);
    const deviation = f64x2.sub(change, means);
    const isMoved = f64x2.ne(change, f64x2.splat(0));
    const square = v128.and(f64x2.mul(deviation, deviation), isMoved);
    squares += f64x2.extract_lane(square, 0);
    squares += f64x2.extract_lane(square, 1);
    moved += popcnt<i32>(i64x2.bitmask(isMoved));
  }
  let still = <f64>(length - moved);
  for (let s = stretches; s < stretchesEnd; s += offsetof<Stretch>()) still -= changetype<Stretch>(s).count;
  squares += still * (mean * mean);
  for (let s = stretches; s < stretchesEnd; s += offsetof<Stretch>()) {
    const stretch = changetype<Stretch>(s);
    squares += squaresAround(mean, stretch.count, stretch.total, stretch.squares);
  }
  return squares;
}

/** Cash and positions at a price, added in entry order. */
function valueAt(price: f64, cash: f64, positions: usize, end: usize): f64 {
  let value = cash;
  for (let p = positions; p < end; p += POSITION_BYTES) value = worthOf(value, changetype<Position>(p), price);
  return value;
}

/** What worthOf() adds, at two prices at once. */
@inline
function worthsOf(position: Position, price: v128): v128 {
  const size = position.size;
  if (position.isMargined == 0) return f64x2.mul(f64x2.splat(size), price);
  const signed = f64x2.splat(position.sign * size);
  const borne = f64x2.splat(position.borne);
  return marginedWorths(price, f64x2.splat(position.entryPrice), signed, f64x2.splat(position.margin), borne);
}

@inline
function marginedWorths(price: v128, entry: v128, signed: v128, margin: v128, borne: v128): v128 {
  return f64x2.max(borne, f64x2.add(margin, f64x2.mul(signed, f64x2.sub(price, entry))));
}

/** As returnOf(), of two values at once. */
@inline
function returnsOf(value: v128, before: v128): v128 {
  return v128.and(f64x2.sub(f64x2.div(value, before), f64x2.splat(1)), f64x2.gt(before, f64x2.splat(0)));
}

/** Squares of lossOf(), of two returns at once. */
@inline
function squaredLossesOf(change: v128): v128 {
  const loss = f64x2.mul(f64x2.splat(0.5), f64x2.sub(change, f64x2.abs(change)));
  return f64x2.mul(loss, loss);
}

function addValue(bar: i32, value: f64): void {
  const change = returnOf(value, latest);
  const loss = lossOf(change);
  latest = value;
  sum += change;
  squaredLosses += loss * loss;
  store<f64>(written, change);
  written += 8;
  follow(bar, value);
}

/** Follows the values of a position that is held alone, two at a time while they stay below the peak. */
function followHeld(from: i32, to: i32, cash: f64, position: Position): void {
  const cashes = f64x2.splat(cash);
  let k = from;
  for (; k + 2 <= to; k += 2) {
    const value = f64x2.add(cashes, worthsOf(position, v128.load(close + (<usize>k << 3))));
    if (i64x2.all_true(f64x2.lt(value, f64x2.splat(peak)))) {
      if (dropBar == -1) dropBar = k;
      troughs = f64x2.pmin(troughs, value);
    } else {
      follow(k, f64x2.extract_lane(value, 0));
      follow(k + 1, f64x2.extract_lane(value, 1));
    }
  }
  if (k < to) follow(k, worthOf(cash, position, at(close, k)));
}

function follow(bar: i32, value: f64): void {
  if (value < peak) {
    if (dropBar == -1) dropBar = bar;
    troughs = f64x2.pmin(troughs, f64x2.splat(value));
    return;
  }
  if (dropBar != -1) endDrop(bar);
  peak = value;
  troughs = f64x2.splat(value);
}

function endDrop(bar: i32): void {
  const a = f64x2.extract_lane(troughs, 0);
  const b = f64x2.extract_lane(troughs, 1);
  maxDrawdown = max<f64>(maxDrawdown, drawdownOf(b < a ? b : a, peak));
  maxBars = max(maxBars, bar - dropBar);
  dropBar = -1;
}

@inline
function addDay(value: f64): void {
  const change = returnOf(value, dayBefore);
  dayBefore = value;
  store<f64>(dayReturns + ((day - firstDay) << 1), change);
  daySum += change;
  dayLosses += lossOf(change);
}
