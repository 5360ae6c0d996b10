import type { MetricName } from '../metrics/index.js';
import type { FindableEdge } from '../statistics/index.js';
import type { LeaderAssessment, LeaderPaths } from './assess-leader.js';
import type { WindowDates } from './dataset-name.js';
import type { WholeSweep } from './whole-sweep.js';

/**
 * How far the results of a sweep on one dataset can be trusted. In a walk-forward sweep, every
 * field but `walkForward` is about the training window of the newest fold with a run that traded:
 * its leader is the choice that would be used today, and trials of other windows are not trials of
 * the same thing.
 */
export interface Assessment extends AssessedLeader, LeaderPaths {}

/** What the words of a verdict say. */
export interface AssessedLeader extends Omit<LeaderAssessment, 'steps'> {
  readonly asset: string;
  readonly timeframe: string;
  /** Days of the dataset where the sweep searches a window of it. */
  readonly window?: WindowDates;
  /** The best run by the metric, among those with enough trades if there are any. */
  readonly leader: {
    readonly run: number;
    readonly metric: MetricName;
    /** Null where the metric is not defined, which ranks last. */
    readonly value: number | null;
    readonly trades: number;
  };
  /** Trades that a leader needs. */
  readonly minTrades: number;
  /** Trials with that many. If there are none, all that traded may lead. */
  readonly eligibleTrials: number;
  /** The trials with the highest t-values, best first, with the p-values of Romano and Wolf. */
  readonly steps: readonly { readonly run: number; readonly t: number; readonly pValue: number }[];
  /** Trials whose returns were examined: all, or a random sample of them. */
  readonly sampledTrials: number;
  /** Runs of the sweep one step away from the leader that traded, and the mean of their metric. */
  readonly plateau: { readonly neighbours: number; readonly mean: number | null };
  /** Trials that traded and ended with more than they started with. */
  readonly profitableTrials: number;
  /** Highest growth of a trial that traded, a fraction. */
  readonly bestReturn: number;
  /** The leader with fees and slippage times each factor. */
  readonly costStress: readonly StressedCosts[];
  /** What to know about the fills of the leader before believing it. */
  readonly warnings: readonly string[];
  /** Null where the sweep has no other dataset with a leader. */
  readonly wholeSweep: WholeSweep | null;
  /** Null when the sweep does not walk forward. */
  readonly walkForward: WalkForward | null;
}

/** What edge a sweep could find on a dataset, known before a run. */
export interface SearchPower extends FindableEdge {
  readonly asset: string;
  readonly timeframe: string;
  /** As of a judged leader. */
  readonly window?: WindowDates;
  readonly tries: number;
  /** Tries on the asset that were made before. */
  readonly earlierTries: number;
  /** Of the window that is judged. */
  readonly years: number;
}

interface StressedCosts {
  readonly factor: number;
  /** Annualized, of the returns of bars, as the metric `sharpe_ratio`. */
  readonly sharpe: number;
  readonly totalReturn: number;
  /** UTC date from which on too little was left for any entry; null where enough was left. */
  readonly exhaustedOn: string | null;
}

/**
 * One step of a walk-forward sweep: the best run of the training window, then run over the test
 * window that follows.
 */
export interface WalkForwardFold {
  /** UTC dates, both inclusive. */
  readonly trainFrom: string;
  readonly trainTo: string;
  readonly testFrom: string;
  readonly testTo: string;
  /** The leader of the training window, and how many runs it was chosen from. */
  readonly run: number;
  readonly trialCount: number;
  /** Trades of the leader in the training window. */
  readonly trainTrades: number;
  /** The metric that chose it, over the training and over the test window; null where undefined. */
  readonly inSample: number | null;
  readonly outOfSample: number | null;
  /** Growth over the test window, a fraction. */
  readonly totalReturn: number;
  /** The same for holding the asset: bought at the first open, sold at the last close, no costs. */
  readonly marketReturn: number;
  readonly maxDrawdown: number;
  readonly trades: number;
}

/** Results of the leaders on bars that had no part in choosing them. */
export interface WalkForward {
  readonly folds: readonly WalkForwardFold[];
  /**
   * Mean metric out of sample over mean metric in sample. Null where the latter is not above 0, and
   * for a metric whose lower values are better.
   */
  readonly efficiency: number | null;
  /** Growth over the test windows, one after the other. */
  readonly totalReturn: number;
  /**
   * Annualized by the trading days of the newest leader, of the daily returns of all test windows.
   */
  readonly sharpe: number;
  /** The same two for holding the asset over the test windows. */
  readonly marketReturn: number;
  readonly marketSharpe: number;
  /** Share of folds that gained out of sample. */
  readonly profitableFolds: number;
  /** The metric that chose the leaders. */
  readonly metric: MetricName;
  /** Trades in the training window that a leader needs, unless no run there has as many. */
  readonly minTrades: number;
  /** Folds in which no run traded in training: they have no leader and so no figures. */
  readonly foldsLeftOut: number;
}
