import type { ExtendedRunFacts } from './extended-run.js';
import type { ExitsByReason } from './trade-risk.js';

/** One record of the tables of extended metrics. */
export interface ExtendedMetric {
  readonly unit:
    | 'ratio'
    | 'fraction'
    | 'fraction per year'
    | 'multiple'
    | 'multiple per year'
    | 'bars'
    | 'amount'
    | 'probability'
    | 'trades and amount';
  /** What a figure is made of: the returns of bars, UTC days or UTC months, trades, or the run. */
  readonly period: 'bar' | 'day' | 'month' | 'trade' | 'run';
  readonly description: string;
  /** Where the formula is published. */
  readonly source: string;
  /** NaN or infinite where it is undefined. */
  readonly of: (run: ExtendedRunFacts) => number | ExitsByReason;
}
