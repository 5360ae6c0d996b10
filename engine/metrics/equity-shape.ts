import { returnOf } from '../formulas/curve-sums.js';

/** Mean and drawdowns of the equity curve. */
export interface EquityShape {
  readonly mean: number;
  /** Over all closes; a drawdown is a fraction of the highest value so far. */
  readonly squaredDrawdownSum: number;
  /** Largest fall below the highest value so far, as an amount. */
  readonly maxDrawdownAmount: number;
}

/** The initial balance is the first peak but not one of the values. */
export function measureEquityShape(equity: Float64Array, initialBalance: number): EquityShape {
  let sum = 0;
  let squaredDrawdownSum = 0;
  let maxDrawdownAmount = 0;
  let peak = initialBalance;
  for (let k = 0; k < equity.length; k++) {
    const value = equity[k];
    sum += value;
    if (value >= peak) {
      peak = value;
      continue;
    }
    const fall = peak - value;
    if (fall > maxDrawdownAmount) maxDrawdownAmount = fall;
    const drawdown = fall / peak;
    squaredDrawdownSum += drawdown * drawdown;
  }
  return { mean: sum / equity.length, squaredDrawdownSum, maxDrawdownAmount };
}

/**
 * Month-on-month returns of the last value of every UTC month that has a bar, the first against the
 * initial balance; a bar belongs to the month of its open.
 *
 * @param time open time per value, epoch ms, ascending
 */
export function monthlyReturns(time: Float64Array, equity: Float64Array, initialBalance: number): Float64Array {
  const returns: number[] = [];
  let before = initialBalance;
  for (let from = 0; from < equity.length; ) {
    const end = nextMonth(time[from]);
    let next = from + 1;
    while (next < equity.length && time[next] < end) next++;
    returns.push(returnOf(equity[next - 1], before));
    before = equity[next - 1];
    from = next;
  }
  return Float64Array.from(returns);
}

function nextMonth(timeMs: number): number {
  const date = new Date(timeMs);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}
