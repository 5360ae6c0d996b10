import type {
  BacktestRequest,
  BacktestResult,
  BacktestTrade,
  Diagnostics,
  Manifest,
} from '../../research/backtest/index.js';
import type { Owner } from '../execution/stored.js';
import type { SqlBacktestStore } from './store.js';
import type * as stored from './stored.js';

export type { Owner } from '../execution/stored.js';
export { type BacktestStatus, backtestStatuses, type HistoryFilter, UnreadableRun } from './stored.js';

export type BacktestMetrics = BacktestResult['metrics'] & { readonly benchmark_btc_return: number | null };

/** Types of the contents of stored records. */
export interface BacktestContent extends stored.BacktestContent {
  readonly request: BacktestRequest;
  readonly metrics: BacktestMetrics;
  readonly trade: BacktestTrade;
  readonly diagnostics: Diagnostics;
  readonly sideMetrics: NonNullable<BacktestResult['side_metrics']>;
  readonly deniedSignal: BacktestResult['denied_signals'][number];
  readonly manifest: Manifest;
}

export type BacktestPlan = stored.BacktestPlan<BacktestContent>;
export type BacktestOutcome = stored.BacktestOutcome<BacktestContent>;
export type BacktestRecord = stored.BacktestRecord<BacktestContent>;
export type BacktestSummary = stored.BacktestSummary<BacktestContent>;
export type AwaitedEnd = stored.AwaitedEnd<BacktestContent>;
export type BacktestStore = SqlBacktestStore<BacktestContent>;

/** Finds saved strategies by id, for users who may read them. */
export interface StrategySource {
  /** Null for an unknown id and for another user's strategy. */
  find(owner: Owner, id: string): Promise<SavedStrategy | null>;
}

export interface SavedStrategy {
  readonly name: string;
  readonly asset: string;
  /** `{entry, exit, reward_factor?}`, as stored. */
  readonly rules: Readonly<Record<string, unknown>>;
  readonly executionConfig: Readonly<Record<string, unknown>>;
}
