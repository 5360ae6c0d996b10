import type { MetricName } from '../../engine/index.js';

/** One step of a walk-forward sweep: the best run of the training window, then run over the window that follows it. */
export interface WalkForwardFold {
  /** UTC dates, both inclusive. */
  readonly trainFrom: string;
  readonly trainTo: string;
  readonly testFrom: string;
  readonly testTo: string;
  /** The leader of the training window, and how many runs it was chosen from. */
  readonly run: number;
  readonly trialCount: number;
  /** The metric that chose it, over the training and over the test window. */
  readonly inSample: number;
  readonly outOfSample: number;
  /** Growth over the test window, a fraction. */
  readonly totalReturn: number;
  readonly maxDrawdown: number;
  readonly trades: number;
}

/** What the leaders were worth on bars that had no part in choosing them. */
export interface WalkForward {
  readonly folds: readonly WalkForwardFold[];
  /** Mean metric out of sample over mean metric in sample; null where the latter is not above 0. */
  readonly efficiency: number | null;
  /** Of the test windows one after the other. */
  readonly totalReturn: number;
  /** Annualized, of the daily returns of all test windows. */
  readonly sharpe: number;
  /** Share of folds that gained out of sample. */
  readonly profitableFolds: number;
  /** The metric that chose the leaders. */
  readonly metric: MetricName;
  /** Folds without a run that traded in training; nobody could be chosen there, so they have no figures. */
  readonly foldsLeftOut: number;
}
