import type { Diagnostics } from '../../engine/backtest/index.js';
import type { ExecutionConfig } from '../../engine/execution/index.js';
import type { BacktestRequest, BacktestResult, BacktestTrade, Manifest } from '../../research/backtest/index.js';
import type { Owner } from '../execution/stored.js';

export type { Owner } from '../execution/stored.js';

export const backtestStatuses = ['queued', 'running', 'completed', 'failed'] as const;
export type BacktestStatus = (typeof backtestStatuses)[number];

/** The parts of a backtest that a store keeps as JSON without reading them. */
export interface RunContent {
  readonly request: object;
  readonly metrics: object;
  readonly trade: object;
  readonly diagnostics: object;
  readonly sideMetrics: object;
  readonly deniedSignal: object;
  readonly manifest: object;
}

export type BacktestMetrics = BacktestResult['metrics'] & { readonly benchmark_btc_return: number | null };

/** The same of a run of one strategy. */
export interface BacktestContent extends RunContent {
  readonly request: BacktestRequest;
  readonly metrics: BacktestMetrics;
  readonly trade: BacktestTrade;
  readonly diagnostics: Diagnostics;
  readonly sideMetrics: NonNullable<BacktestResult['side_metrics']>;
  readonly deniedSignal: BacktestResult['denied_signals'][number];
  readonly manifest: Manifest;
}

/** The part of a backtest that is known before the run and never changes. Times are epoch ms. */
export interface BacktestPlan<Content extends RunContent = BacktestContent> extends Owner {
  /** UUID. */
  readonly id: string;
  readonly strategyId: string | null;
  readonly strategyName: string;
  readonly sessionId: string | null;
  /** As spelled by the caller. */
  readonly asset: string;
  readonly interval: string;
  /** Name under which bars of the asset are stored; the history filters by it. */
  readonly baseAsset: string;
  /** Open of the first tradable bar, close of the last. */
  readonly startMs: number;
  readonly endMs: number;
  readonly config: ExecutionConfig;
  /** The run's input, without defaults; JSON, so that a later process can run it. */
  readonly request: Content['request'];
  /** Warnings about the request; those about the run are in its outcome. */
  readonly warnings: readonly string[];
  readonly createdAtMs: number;
  /** Whether the whole organization may read it, or only the user. */
  readonly isShared: boolean;
  /**
   * Whether a caller waits for the run. Such a run is taken before the others of its organization,
   * and it sends no webhook event.
   */
  readonly isAwaited: boolean;
}

/** The results of a completed run. */
export interface BacktestOutcome<Content extends RunContent = BacktestContent> {
  readonly metrics: Content['metrics'];
  readonly trades: readonly Content['trade'][];
  readonly diagnostics: Content['diagnostics'];
  /** Absent from runs that use nothing of sides, margin, orders and guards. */
  readonly sideMetrics?: Content['sideMetrics'];
  readonly deniedSignals: readonly Content['deniedSignal'][];
  readonly warnings: readonly string[];
  readonly manifest: Content['manifest'];
}

/** How a run ended: with an outcome or an error. */
export type BacktestEnd<Content extends RunContent = BacktestContent> = {
  readonly completedAtMs: number;
  readonly executionSeconds: number;
} & ({ readonly outcome: BacktestOutcome<Content> } | { readonly error: string });

export interface BacktestRecord<Content extends RunContent = BacktestContent> extends BacktestPlan<Content> {
  readonly status: BacktestStatus;
  /** Null until the run has ended. */
  readonly completedAtMs: number | null;
  readonly executionSeconds: number | null;
  /** Only of a completed run. */
  readonly outcome: BacktestOutcome<Content> | null;
  /** Only of a failed run. */
  readonly error: string | null;
  readonly archivedAtMs: number | null;
}

/** A row of the history: a record without its trades. */
export interface BacktestSummary<Content extends RunContent = BacktestContent>
  extends Omit<BacktestRecord<Content>, 'outcome' | 'request'> {
  /** Null until the run has completed. */
  readonly metrics: Content['metrics'] | null;
}

export interface HistoryFilter {
  readonly statuses?: readonly BacktestStatus[] | undefined;
  readonly baseAsset?: string | undefined;
  readonly sessionId?: string | undefined;
  /** By time of creation: from (inclusive), to (exclusive). */
  readonly createdFromMs?: number | undefined;
  readonly createdToMs?: number | undefined;
  readonly includeArchived: boolean;
  readonly limit: number;
  readonly offset: number;
}

/** A run that a runner holds until its lease ends. */
export interface BacktestClaim<Content extends RunContent = BacktestContent> {
  readonly plan: BacktestPlan<Content>;
  /** How often a runner took it, including this time. */
  readonly attempt: number;
}

/** The answer about an awaited run that has ended. */
export type AwaitedEnd<Content extends RunContent = BacktestContent> = {
  readonly id: string;
  readonly executionSeconds: number;
} & (
  | {
      readonly metrics: Content['metrics'];
      readonly tradeCount: number;
      readonly deniedSignals: readonly Content['deniedSignal'][];
      readonly warnings: readonly string[];
    }
  | { readonly error: string }
);

/** The input of run `id` cannot be read. */
export class UnreadableRun extends Error {
  override readonly name = 'UnreadableRun';

  constructor(
    readonly id: string,
    message: string,
  ) {
    super(message);
  }
}

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
