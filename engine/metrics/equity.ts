import { addRepeatedly } from '../formulas/add-repeatedly.js';
import { drawdownOf, lossOf, returnOf } from '../formulas/curve-sums.js';
import { ColumnMemory } from '../series/column-memory.js';
import { ColumnPool } from '../series/column-pool.js';
import { type BarSeries, countUpTo, dayEnds } from '../series/index.js';
import { kernelsOver } from '../simd/kernels.js';

/** Sums over the equity curve. Returns are fractions, of one value over the one before. */
export interface EquityFacts {
  readonly meanReturn: number;
  /** Deviations of the returns from their mean. */
  readonly squaredDeviationSum: number;
  readonly squaredLossSum: number;
  readonly maxDrawdown: number;
  readonly maxDrawdownBars: number;
  readonly dayCount: number;
  readonly dailyReturnSum: number;
  /** Negative returns only; 0 or less. */
  readonly dailyLossSum: number;
}

/**
 * Measures an equity curve of at least one value. Cost follows the values that move.
 *
 * @param first bar of the first value
 * @param equity account value at the close of each bar
 * @param movedRanges see `Simulation`; the curve is flat elsewhere
 * @param initial value before the first bar, above 0
 */
export function measureEquity(
  bars: BarSeries,
  first: number,
  equity: Float64Array,
  movedRanges: Int32Array,
  initial: number,
): EquityFacts {
  const curve = simdCurve(bars, equity, movedRanges, initial) ?? plainCurve(equity, movedRanges, initial);
  return { ...curve, ...measureDays(bars, first, equity, movedRanges, initial) };
}

type CurveFacts = Omit<EquityFacts, 'dayCount' | 'dailyReturnSum' | 'dailyLossSum'>;

const FACTS = 5;

/**
 * Null when the kernels cannot be used: the bars are in ordinary arrays or too few, or their memory
 * is full.
 */
function simdCurve(bars: BarSeries, equity: Float64Array, movedRanges: Int32Array, initial: number): CurveFacts | null {
  if (kernelsOver(equity.length, [bars.close]) === null) return null;
  const pool = ColumnPool.beside(bars.close);
  const rangeRoom = (movedRanges.length + 1) >>> 1; // two bounds take the room of one value
  const room = pool.take(FACTS + rangeRoom + equity.length + 1);
  const isBeside = ColumnMemory.of(equity) === ColumnMemory.of(bars.close);
  const curve = isBeside ? equity : pool.take(equity.length);
  const taken = isBeside ? [room] : [room, curve];
  try {
    const kernels = kernelsOver(equity.length, [room, curve, bars.close]);
    if (kernels === null) return null;
    if (!isBeside) curve.set(equity);
    const ranges = room.byteOffset + FACTS * room.BYTES_PER_ELEMENT;
    const returns = ranges + rangeRoom * room.BYTES_PER_ELEMENT;
    const { length } = movedRanges;
    new Int32Array(room.buffer, ranges, length).set(movedRanges);
    kernels.measureEquity(curve.byteOffset, equity.length, ranges, length, initial, returns, room.byteOffset);
    const [meanReturn, squaredDeviationSum, squaredLossSum, maxDrawdown, maxDrawdownBars] = room;
    return { meanReturn, squaredDeviationSum, squaredLossSum, maxDrawdown, maxDrawdownBars };
  } finally {
    pool.give(taken);
  }
}

function plainCurve(equity: Float64Array, movedRanges: Int32Array, initial: number): CurveFacts {
  const barCount = equity.length;
  let sum = 0;
  let squaredLossSum = 0;
  let maxDrawdown = 0;
  let maxDrawdownBars = 0;
  let before = initial;
  let peak = initial;
  let trough = initial; // lowest value since the peak
  let dropBar = -1; // first bar below the peak
  for (let range = 0; range < movedRanges.length; range += 2) {
    const to = movedRanges[range + 1];
    for (let k = movedRanges[range]; k < to; k++) {
      const value = equity[k];
      if (value === before) continue; // neither a return nor a new extreme
      const change = returnOf(value, before);
      before = value;
      sum += change;
      const loss = lossOf(change);
      squaredLossSum += loss * loss;
      if (value < peak) {
        if (dropBar === -1) dropBar = k;
        if (value < trough) trough = value;
      } else {
        if (dropBar !== -1) {
          maxDrawdown = Math.max(maxDrawdown, drawdownOf(trough, peak));
          maxDrawdownBars = Math.max(maxDrawdownBars, k - dropBar);
          dropBar = -1;
        }
        peak = value;
        trough = value;
      }
    }
  }
  if (dropBar !== -1) {
    maxDrawdown = Math.max(maxDrawdown, drawdownOf(trough, peak));
    maxDrawdownBars = Math.max(maxDrawdownBars, barCount - dropBar);
  }

  const meanReturn = sum / barCount;
  return {
    meanReturn,
    squaredDeviationSum: squaredDeviations(equity, movedRanges, initial, meanReturn),
    squaredLossSum,
    maxDrawdown,
    maxDrawdownBars,
  };
}

/**
 * A second pass, because sums of squares lose their digits when returns differ little from their
 * mean.
 */
function squaredDeviations(equity: Float64Array, movedRanges: Int32Array, initial: number, mean: number): number {
  let squares = 0;
  let before = initial;
  let k = 0;
  for (let range = 0; range < movedRanges.length; range += 2) {
    squares = addRepeatedly(squares, mean * mean, movedRanges[range] - k); // returns of 0
    const to = movedRanges[range + 1];
    for (k = movedRanges[range]; k < to; k++) {
      const value = equity[k];
      const deviation = (value === before ? 0 : returnOf(value, before)) - mean;
      before = value;
      squares += deviation * deviation;
    }
  }
  return addRepeatedly(squares, mean * mean, equity.length - k);
}

function measureDays(
  bars: BarSeries,
  first: number,
  equity: Float64Array,
  movedRanges: Int32Array,
  initial: number,
): Pick<EquityFacts, 'dayCount' | 'dailyReturnSum' | 'dailyLossSum'> {
  const returns = dailyReturns(bars, first, equity, movedRanges, initial);
  let dailyReturnSum = 0;
  let dailyLossSum = 0;
  for (let day = 0; day < returns.length; day++) {
    const change = returns[day];
    dailyReturnSum += change;
    dailyLossSum += lossOf(change);
  }
  return { dayCount: returns.length, dailyReturnSum, dailyLossSum };
}

/**
 * Day-on-day returns, as fractions, of the last value of every UTC date that has a bar; the first
 * against `initial`. Reads only the moved values, as `measureEquity` does.
 */
export function dailyReturns(
  bars: BarSeries,
  first: number,
  equity: Float64Array,
  movedRanges: Int32Array,
  initial: number,
): Float64Array {
  const ends = dayEnds(bars);
  const firstDay = countUpTo(ends, first);
  const returns = new Float64Array(ends.length - firstDay);
  let before = initial;
  let range = 0;
  for (let day = firstDay; day < ends.length; day++) {
    const last = ends[day] - 1 - first;
    while (range + 2 < movedRanges.length && movedRanges[range + 2] <= last) range += 2;
    const value = equity[Math.min(last, movedRanges[range + 1] - 1)];
    if (value === before) continue;
    returns[day - firstDay] = returnOf(value, before);
    before = value;
  }
  return returns;
}

/** Returns of holding the asset by UTC day, the first from the open of the first tradable bar. */
export function marketReturns(bars: BarSeries, first: number): Float64Array {
  const ranges = Int32Array.of(0, bars.barCount - first);
  return dailyReturns(bars, first, bars.close.subarray(first), ranges, bars.open[first]);
}
