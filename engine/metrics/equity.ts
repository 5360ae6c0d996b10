import { STRETCH_NUMBERS } from '../execution/index.js';
import { drawdownOf, lossOf, returnOf, returnPerUnit, squaresAround } from '../formulas/curve-sums.js';
import { type BarSeries, countUpTo, dayEnds } from '../series/index.js';

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

/** Values that `measureEquity` reads beside the curve. */
interface CurveShape {
  /** See `Simulation`; the curve is flat elsewhere. */
  readonly movedRanges: Int32Array;
  /** See `stretchesAlone`. Without it, every return is the quotient of two values. */
  readonly alone?: Float64Array;
}

/**
 * Measures an equity curve of at least one value. Cost follows the values that move. The returns of
 * a stretch in which one position is held alone come from its price, and are summed apart: so they
 * depend on the entry, and not on what the account was worth, and a sweep sums them once for all
 * its runs.
 *
 * @param first bar of the first value
 * @param equity account value at the close of each bar
 * @param initial value before the first bar, above 0
 */
export function measureEquity(
  bars: BarSeries,
  first: number,
  equity: Float64Array,
  { movedRanges, alone = noStretches }: CurveShape,
  initial: number,
): EquityFacts {
  return {
    ...measureReturns(bars, first, equity, { movedRanges, alone }, initial),
    ...measureDrawdowns(equity, movedRanges, initial),
    ...measureDays(bars, first, equity, movedRanges, initial),
  };
}

const noStretches = new Float64Array(0);

function measureReturns(
  { close }: BarSeries,
  first: number,
  equity: Float64Array,
  { movedRanges, alone }: Required<CurveShape>,
  initial: number,
): Pick<EquityFacts, 'meanReturn' | 'squaredDeviationSum' | 'squaredLossSum'> {
  const changes: number[] = [];
  const stretches: ReturnSums[] = [];
  let sum = 0;
  let squaredLossSum = 0;
  let still = equity.length;
  let next = 0;
  for (let range = 0; range < movedRanges.length; range += 2) {
    const to = movedRanges[range + 1];
    for (let k = movedRanges[range]; k < to; k++) {
      if (k === alone[next]) {
        const [, end, sign, rest] = alone.subarray(next, next + STRETCH_NUMBERS);
        const stretch = returnsAlone(close.subarray(first + k - 1, first + end), sign, rest);
        next += STRETCH_NUMBERS;
        k = end - 1;
        sum += stretch.total;
        squaredLossSum += stretch.squaredLosses;
        stretches.push(stretch);
        still -= stretch.count;
        continue;
      }
      const before = k === 0 ? initial : equity[k - 1];
      const change = equity[k] === before ? 0 : returnOf(equity[k], before);
      if (change === 0) continue;
      const loss = lossOf(change);
      sum += change;
      squaredLossSum += loss * loss;
      changes.push(change);
      still--;
    }
  }
  const meanReturn = sum / equity.length;
  let squaredDeviationSum = 0;
  for (const change of changes) squaredDeviationSum += (change - meanReturn) * (change - meanReturn);
  squaredDeviationSum += still * (meanReturn * meanReturn);
  for (const { count, total, squares } of stretches) {
    squaredDeviationSum += squaresAround(meanReturn, count, total, squares);
  }
  return { meanReturn, squaredDeviationSum, squaredLossSum };
}

interface ReturnSums {
  readonly count: number;
  readonly total: number;
  /** Deviations of the returns from their own mean: sums of plain squares would lose digits. */
  readonly squares: number;
  readonly squaredLosses: number;
}

/** Sums over the closes but the first, in two lanes as the kernel adds them. */
function returnsAlone(closes: Float64Array, sign: number, rest: number): ReturnSums {
  const count = closes.length - 1;
  const [totals, squares, losses] = [
    [0, 0],
    [0, 0],
    [0, 0],
  ];
  const returns = new Float64Array(count);
  for (let k = 0; k < count; k++) {
    const change = returnPerUnit(sign, rest, closes[k], closes[k + 1]);
    const loss = lossOf(change);
    returns[k] = change;
    totals[k & 1] += change;
    losses[k & 1] += loss * loss;
  }
  const total = totals[0] + totals[1];
  const mean = total / count;
  for (let k = 0; k < count; k++) squares[k & 1] += (returns[k] - mean) * (returns[k] - mean);
  return { count, total, squares: squares[0] + squares[1], squaredLosses: losses[0] + losses[1] };
}

function measureDrawdowns(
  equity: Float64Array,
  movedRanges: Int32Array,
  initial: number,
): Pick<EquityFacts, 'maxDrawdown' | 'maxDrawdownBars'> {
  let maxDrawdown = 0;
  let maxDrawdownBars = 0;
  let peak = initial;
  let trough = initial; // lowest value since the peak
  let dropBar = -1; // first bar below the peak
  const endDrop = (bar: number) => {
    if (dropBar === -1) return;
    maxDrawdown = Math.max(maxDrawdown, drawdownOf(trough, peak));
    maxDrawdownBars = Math.max(maxDrawdownBars, bar - dropBar);
    dropBar = -1;
  };
  for (let range = 0; range < movedRanges.length; range += 2) {
    const to = movedRanges[range + 1];
    for (let k = movedRanges[range]; k < to; k++) {
      const value = equity[k];
      if (value < peak) {
        if (dropBar === -1) dropBar = k;
        if (value < trough) trough = value;
      } else {
        endDrop(k);
        peak = value;
        trough = value;
      }
    }
  }
  endDrop(equity.length);
  return { maxDrawdown, maxDrawdownBars };
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
