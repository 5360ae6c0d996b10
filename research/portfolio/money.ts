import { type Contributions, moneyWeightedReturn, type PortfolioSimulation } from '../../engine/portfolio/index.js';
import type { PortfolioDefinition } from './definition.js';

/** Amounts in the quote currency, returns as fractions. */
export interface MoneyFlows extends Contributions {
  readonly payments: number;
  readonly paid_in: number;
  readonly paid_out: number;
  /** What was to be paid out beyond the cash that there was. */
  readonly not_paid_out: number;
  readonly ending_value: number;
  /** Ending value and what was paid out, less the initial balance and what was paid in. */
  readonly profit: number;
  /** Whole window: what the initial balance alone returned. */
  readonly time_weighted_return: number;
  /** A year, of 365 days: the internal rate of return. Null where there is none. */
  readonly money_weighted_return: number | null;
}

const YEAR_MS = 365 * 86_400_000;

/** What was paid in and out of a portfolio, and what that returned; null without contributions. */
export function moneyFlows(
  { contributions }: PortfolioDefinition,
  { flows, values, equity, timeline: { times, intervalMs } }: PortfolioSimulation,
  initialBalance: number,
): MoneyFlows | null {
  if (contributions === null) return null;
  const start = times[0] ?? 0;
  const last = times.length - 1;
  const yearsTo = (time: number): number => (time - start) / YEAR_MS;
  const payments = flows.map(({ time, amount }) => ({ years: yearsTo(times[time] ?? start), amount }));
  const sum = (amounts: readonly number[]): number => amounts.reduce((all, one) => all + one, 0);
  const paidIn = sum(flows.map(({ amount }) => Math.max(0, amount)));
  const paidOut = sum(flows.map(({ amount }) => Math.max(0, -amount)));
  const endingValue = values[last] ?? initialBalance;
  const ending = { years: yearsTo((times[last] ?? start) + intervalMs), amount: endingValue };
  return {
    ...contributions,
    payments: flows.length,
    paid_in: paidIn,
    paid_out: paidOut,
    not_paid_out: Math.max(0, -contributions.amount) * flows.length - paidOut,
    ending_value: endingValue,
    profit: endingValue + paidOut - initialBalance - paidIn,
    time_weighted_return: (equity[last] ?? initialBalance) / initialBalance - 1,
    money_weighted_return: moneyWeightedReturn([{ years: 0, amount: initialBalance }, ...payments], ending),
  };
}

/** Says how to read the figures of a run with contributions. */
export function moneyNotes(money: MoneyFlows | null): string[] {
  if (money === null) return [];
  const read = 'contributions: metrics and curves are time-weighted, those of the initial balance alone';
  if (!(money.not_paid_out > 0)) return [read];
  return [read, `${money.not_paid_out.toFixed(2)} was not paid out: at most the cash is, and nothing is sold for it`];
}
