import { DAY_MS } from '../series/index.js';
import { returnOf } from './returns.js';

/** Sums over the equity curve. Returns are fractions, of one value over the one before. */
export interface EquityFacts {
  readonly meanReturn: number;
  /** Of the returns from their mean. */
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
 * Measures an equity curve of at least one value.
 *
 * @param time open time per value, epoch ms, ascending
 * @param equity account value at the close of each bar
 * @param initial value before the first bar, above 0
 */
export function measureEquity(
  time: Float64Array,
  equity: Float64Array,
  initial: number,
  intervalMs: number,
): EquityFacts {
  const barCount = equity.length;
  let sum = 0;
  let squaredLossSum = 0;
  let maxDrawdown = 0;
  let maxDrawdownBars = 0;
  let before = initial;
  let peak = initial;
  let trough = initial; // lowest value since the peak
  let dropBar = -1; // first bar below the peak
  for (let k = 0; k < barCount; k++) {
    const value = equity[k];
    if (value === before) continue; // nothing open: neither a return nor a new extreme
    const change = returnOf(value, before);
    before = value;
    sum += change;
    const loss = 0.5 * (change - Math.abs(change)); // the change where it is below 0, else 0: no branch to mispredict
    squaredLossSum += loss * loss;
    if (value < peak) {
      if (dropBar === -1) dropBar = k;
      if (value < trough) trough = value;
    } else {
      if (dropBar !== -1) {
        maxDrawdown = Math.max(maxDrawdown, 1 - trough / peak);
        maxDrawdownBars = Math.max(maxDrawdownBars, k - dropBar);
        dropBar = -1;
      }
      peak = value;
      trough = value;
    }
  }
  if (dropBar !== -1) {
    maxDrawdown = Math.max(maxDrawdown, 1 - trough / peak);
    maxDrawdownBars = Math.max(maxDrawdownBars, barCount - dropBar);
  }

  const meanReturn = sum / barCount;
  return {
    meanReturn,
    squaredDeviationSum: squaredDeviations(equity, initial, meanReturn),
    squaredLossSum,
    maxDrawdown,
    maxDrawdownBars,
    ...measureDays(time, equity, initial, intervalMs),
  };
}

/** A second pass, because sums of squares lose their digits where returns are small against their mean. */
function squaredDeviations(equity: Float64Array, initial: number, mean: number): number {
  let squares = 0;
  let before = initial;
  for (let k = 0; k < equity.length; k++) {
    const value = equity[k];
    const deviation = (value === before ? 0 : returnOf(value, before)) - mean; // most bars change nothing
    before = value;
    squares += deviation * deviation;
  }
  return squares;
}

/** Day-on-day returns of the last value of every UTC date that has a bar; a bar belongs to the date of its open. */
function measureDays(time: Float64Array, equity: Float64Array, initial: number, intervalMs: number) {
  const barCount = equity.length;
  let dayCount = 0;
  let dailyReturnSum = 0;
  let dailyLossSum = 0;
  let before = initial;
  for (let from = 0; from < barCount; ) {
    const dayEnd = (Math.floor(time[from] / DAY_MS) + 1) * DAY_MS;
    // Where no bar is missing the first guess is right, so this costs days, not bars.
    let next = Math.min(from + Math.ceil((dayEnd - time[from]) / intervalMs), barCount);
    while (next > from + 1 && time[next - 1] >= dayEnd) next--;
    while (next < barCount && time[next] < dayEnd) next++;
    const change = returnOf(equity[next - 1], before);
    before = equity[next - 1];
    dayCount++;
    dailyReturnSum += change;
    if (change < 0) dailyLossSum += change;
    from = next;
  }
  return { dayCount, dailyReturnSum, dailyLossSum };
}
