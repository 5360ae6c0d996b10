import { drawdownOf, lossOf, returnOf } from '../../formulas/curve-sums';
import { valueWith } from '../../formulas/prices-and-sizes';
import { squaredDeviations } from './equity';
import { CurveFacts, RunInput } from './run-layout';
import { SidedPosition, worthOf } from './run-memory';

/*
 * Measures the equity curve of one run as the run produces it, without storing it. The operations
 * are those of measureEquity() in metrics/equity.ts, in the same order. Formulas of single values
 * are shared (formulas/curve-sums.ts); the walk is not, because it takes two values at a time. Only
 * the returns of the bars that move are kept, for the squares of their deviations.
 */

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
let ranges: usize;
let rangesEnd: usize;
let day: usize;
let daysEnd: usize;
let dayReturns: usize;
let firstDay: usize;
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
  ranges = <usize>input.ranges;
  rangesEnd = ranges;
  firstDay = <usize>input.dayEnds + (<usize>input.firstDay << 2);
  day = firstDay;
  dayReturns = <usize>input.dayReturns;
  daysEnd = <usize>input.dayEnds + (<usize>input.dayCount << 2);
  dayBefore = initial;
  daySum = 0;
  dayLosses = 0;
}

/**
 * Adds the bars `from` to `to` (exclusive) without a position. All have the same value, so at most
 * the first of them moves.
 */
export function addFlat(from: i32, to: i32, value: f64): void {
  if (value != latest) {
    note(from, from + 1);
    addValue(from, value);
  }
  if (day < daysEnd && load<i32>(day) <= to) addDay(value);
  // Later days end at the same value and have no return.
  while (day < daysEnd && load<i32>(day) <= to) day += 4;
}

/** Adds one bar. */
@inline
export function addBar(bar: i32, value: f64): void {
  if (rangesEnd > ranges && load<i32>(rangesEnd - 4) == bar - first) store<i32>(rangesEnd - 4, bar + 1 - first);
  else note(bar, bar + 1);
  addValue(bar, value);
  if (day < daysEnd && load<i32>(day) == bar + 1) {
    addDay(value);
    day += 4;
  }
}

/** Adds the bars `from` to `to` (exclusive) with positions of these sizes, `stride` bytes apart. */
export function addHeld(from: i32, to: i32, cash: f64, sizes: usize, stride: usize, count: i32): void {
  addBars(from, to, cash, sizes, stride, count, false);
}

/** The same with positions of either side, some of them on margin: a list of `SidedPosition`. */
export function addHeldSided(from: i32, to: i32, cash: f64, positions: usize, stride: usize, count: i32): void {
  addBars(from, to, cash, positions, stride, count, true);
}

/** Inlined with a constant `isSided`, so neither kind of run pays for the other. */
@inline
function addBars(from: i32, to: i32, cash: f64, sizes: usize, stride: usize, count: i32, isSided: bool): void {
  note(from, to);
  const end = sizes + <usize>count * stride;
  const cashes = f64x2.splat(cash);
  const size = f64x2.splat(load<f64>(sizes));
  // Mostly there is one position, so the facts of the first are kept apart.
  const oldest = changetype<SidedPosition>(sizes);
  const isOnMargin = isSided && oldest.isMargined != 0;
  const entry = f64x2.splat(isSided ? oldest.entryPrice : 0);
  const signed = f64x2.splat(isSided ? oldest.sign * oldest.size : 0);
  const margin = f64x2.splat(isSided ? oldest.margin : 0);
  const zero = f64x2.splat(0);
  const one = f64x2.splat(1);
  const half = f64x2.splat(0.5);
  let before = f64x2.splat(latest);
  let total = sum;
  let losses = squaredLosses;
  let lows = troughs;
  let peaks = f64x2.splat(peak);
  let k = from;
  for (; k + 2 <= to; k += 2) {
    const price = v128.load(close + (<usize>k << 3));
    let value: v128;
    if (isSided) {
      value = f64x2.add(cashes, isOnMargin ? marginedWorths(price, entry, signed, margin) : f64x2.mul(size, price));
      for (let p = sizes + stride; p < end; p += stride) value = f64x2.add(value, worthsOf(changetype<SidedPosition>(p), price));
    } else {
      value = f64x2.add(cashes, f64x2.mul(size, price));
      for (let p = sizes + stride; p < end; p += stride) value = f64x2.add(value, f64x2.mul(v128.load_splat<f64>(p), price));
    }
    const change = returnsOf(value, v128.shuffle<f64>(before, value, 1, 2), zero, one);
    before = value;
    v128.store(written, change);
    written += 16;
    const loss = f64x2.mul(half, f64x2.sub(change, f64x2.abs(change)));
    const square = f64x2.mul(loss, loss);
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
  if (k < to) addValue(k, valueAt(k, cash, sizes, stride, end, isSided));
  for (; day < daysEnd && load<i32>(day) <= to; day += 4) addDay(valueAt(load<i32>(day) - 1, cash, sizes, stride, end, isSided));
}

/** Ends the curve at the last bar. */
export function finish(barCount: i32, facts: CurveFacts): void {
  if (dropBar != -1) endDrop(barCount);
  const mean = sum / <f64>(barCount - first);
  facts.meanReturn = mean;
  facts.squaredDeviationSum = squaredDeviations(barCount - first, ranges, <i32>((rangesEnd - ranges) >>> 2), mean, returns);
  facts.squaredLossSum = squaredLosses;
  facts.maxDrawdown = maxDrawdown;
  facts.maxDrawdownBars = <f64>maxBars;
  facts.dailyReturnSum = daySum;
  facts.dailyLossSum = dayLosses;
  facts.endingValue = latest;
}

/** Cash and positions at the close of `bar`, added in entry order. */
@inline
function valueAt(bar: i32, cash: f64, sizes: usize, stride: usize, end: usize, isSided: bool): f64 {
  const price = load<f64>(close + (<usize>bar << 3));
  let value = cash;
  for (let p = sizes; p < end; p += stride) {
    value = isSided ? worthOf(value, changetype<SidedPosition>(p), price) : valueWith(value, load<f64>(p), price);
  }
  return value;
}

/** As marginedWorth(), or the value of a position paid in full, at two prices at once. */
@inline
function worthsOf(position: SidedPosition, price: v128): v128 {
  const size = position.size;
  if (position.isMargined == 0) return f64x2.mul(f64x2.splat(size), price);
  const signed = f64x2.splat(position.sign * size);
  return marginedWorths(price, f64x2.splat(position.entryPrice), signed, f64x2.splat(position.margin));
}

@inline
function marginedWorths(price: v128, entry: v128, signed: v128, margin: v128): v128 {
  return f64x2.max(f64x2.splat(0), f64x2.add(margin, f64x2.mul(signed, f64x2.sub(price, entry))));
}

/** As returnOf(), of two values at once. */
@inline
function returnsOf(value: v128, before: v128, zero: v128, one: v128): v128 {
  return v128.and(f64x2.sub(f64x2.div(value, before), one), f64x2.gt(before, zero));
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

/** Records that the bars `from` to `to` (exclusive) move, counted from the first. */
@inline
function note(from: i32, to: i32): void {
  store<i32>(rangesEnd, from - first);
  store<i32>(rangesEnd + 4, to - first);
  rangesEnd += 8;
}
