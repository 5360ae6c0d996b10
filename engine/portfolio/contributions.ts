import type { Purse } from '../execution/index.js';
import { isBoundary, type RebalancePeriod } from './weights.js';

/** Money that is paid in, or out where the amount is below 0, at the first open of each period but the first. */
export interface Contributions {
  readonly every: RebalancePeriod;
  /** Quote currency. */
  readonly amount: number;
}

/** One payment. */
export interface Flow {
  /** Index of the time before whose fills it came. */
  readonly time: number;
  /** Quote currency; below 0 it was paid out. */
  readonly amount: number;
}

/** The number of the next time from one on that begins a period; the end where none follows. */
export function nextFlow(contributions: Contributions | null, times: Float64Array, from: number): number {
  if (contributions === null) return times.length;
  for (let i = from; i < times.length; i++) if (isBoundary(contributions.every, times[i - 1], times[i])) return i;
  return times.length;
}

/**
 * Pays the amount in, or out: at most the cash, since nothing is sold for it.
 * @returns what was paid, below 0 where it was paid out
 */
export function pay({ amount }: Contributions, purse: Purse): number {
  const paid = Math.max(amount, -Math.max(0, purse.cash));
  purse.cash += paid;
  purse.realizedBalance += paid;
  return paid;
}

/** A payment and when: years since the first one. */
interface Payment {
  readonly years: number;
  readonly amount: number;
}

/** Growth of the account by which rates are searched, in logarithms a year. */
const LOG_RATE_MAX = 50;

/**
 * Money-weighted return a year: the rate at which all payments would have grown to the last value,
 * by bisection. Null where no rate does that, as of an account that was emptied.
 *
 * @param payments into the account, the initial balance among them; below 0 those out of it
 */
export function moneyWeightedReturn(payments: readonly Payment[], last: Payment): number | null {
  const surplus = (rate: number): number =>
    payments.reduce((sum, { years, amount }) => sum - amount * Math.exp(rate * (last.years - years)), last.amount);
  let [low, high] = [-LOG_RATE_MAX, LOG_RATE_MAX];
  if (!(surplus(low) > 0 && surplus(high) < 0)) return null;
  for (let step = 0; step < 200; step++) {
    const middle = (low + high) / 2;
    if (surplus(middle) > 0) low = middle;
    else high = middle;
  }
  return Math.expm1((low + high) / 2);
}
