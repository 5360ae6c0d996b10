import type * as state from '../../data/state/index.js';
import type {
  BacktestRequest,
  BacktestResult,
  BacktestTrade,
  Diagnostics,
  Manifest,
} from '../../research/backtest/index.js';

export {
  type BacktestStatus,
  backtestStatuses,
  type HistoryFilter,
  type Owner,
  UnreadableRun,
} from '../../data/state/index.js';

export type BacktestMetrics = BacktestResult['metrics'] & { readonly benchmark_btc_return: number | null };

/** Types of the contents of stored records. */
export interface BacktestContent extends state.BacktestContent {
  readonly request: BacktestRequest;
  readonly metrics: BacktestMetrics;
  readonly trade: BacktestTrade;
  readonly diagnostics: Diagnostics;
  readonly sideMetrics: NonNullable<BacktestResult['side_metrics']>;
  readonly deniedSignal: BacktestResult['denied_signals'][number];
  readonly manifest: Manifest;
}

export type BacktestPlan = state.BacktestPlan<BacktestContent>;
export type BacktestOutcome = state.BacktestOutcome<BacktestContent>;
export type BacktestRecord = state.BacktestRecord<BacktestContent>;
export type BacktestSummary = state.BacktestSummary<BacktestContent>;
export type AwaitedEnd = state.AwaitedEnd<BacktestContent>;
export type BacktestStore = state.SqlBacktestStore<BacktestContent>;

/** Finds saved strategies by id, for users who may read them. */
export interface StrategySource {
  /** Null for an unknown id and for another user's strategy. */
  find(owner: state.Owner, id: string): Promise<SavedStrategy | null>;
}

export interface SavedStrategy {
  readonly name: string;
  readonly asset: string;
  /** `{entry, exit, reward_factor?}`, as stored. */
  readonly rules: Readonly<Record<string, unknown>>;
  readonly executionConfig: Readonly<Record<string, unknown>>;
}
