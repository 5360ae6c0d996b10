import type { ExecutionConfig } from '../../../engine/index.js';
import type { Owner } from '../execution/port.js';

export const backtestStatuses = ['queued', 'running', 'completed', 'failed'] as const;
export type BacktestStatus = (typeof backtestStatuses)[number];

/** The parts of a backtest that a store keeps as JSON without reading them. */
export interface BacktestContent {
  readonly request: object;
  readonly metrics: object;
  readonly trade: object;
  readonly diagnostics: object;
  readonly deniedSignal: object;
  readonly manifest: object;
}

/** The part of a backtest that is known before the run and never changes. Times are epoch ms. */
export interface BacktestPlan<Content extends BacktestContent> extends Owner {
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
export interface BacktestOutcome<Content extends BacktestContent> {
  readonly metrics: Content['metrics'];
  readonly trades: readonly Content['trade'][];
  readonly diagnostics: Content['diagnostics'];
  readonly deniedSignals: readonly Content['deniedSignal'][];
  readonly warnings: readonly string[];
  readonly manifest: Content['manifest'];
}

/** How a run ended: with an outcome or an error. */
export type BacktestEnd<Content extends BacktestContent> = {
  readonly completedAtMs: number;
  readonly executionSeconds: number;
} & ({ readonly outcome: BacktestOutcome<Content> } | { readonly error: string });

export interface BacktestRecord<Content extends BacktestContent> extends BacktestPlan<Content> {
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
export interface BacktestSummary<Content extends BacktestContent>
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
export interface BacktestClaim<Content extends BacktestContent> {
  readonly plan: BacktestPlan<Content>;
  /** How often a runner took it, including this time. */
  readonly attempt: number;
}

/** The answer about an awaited run that has ended. */
export type AwaitedEnd<Content extends BacktestContent> = {
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

/**
 * The store of backtests. A run changes only by its end and its archive mark, and a completed run
 * is never deleted. A user reads and marks only their own runs; an id of another user counts as
 * unknown.
 */
export interface BacktestStore<Content extends BacktestContent> {
  /** Adds a run that has already ended. */
  addEnded(plan: BacktestPlan<Content>, end: BacktestEnd<Content>): Promise<void>;
  /** Adds those runs that are not known, for runners to take: all of them or none. */
  addQueued(...plans: readonly BacktestPlan<Content>[]): Promise<void>;
  get(userId: string, id: string): Promise<BacktestRecord<Content> | null>;
  /**
   * The user's own run, or one shared in their organization; null for a run of another
   * organization.
   */
  getShared(owner: Owner, id: string): Promise<BacktestRecord<Content> | null>;
  /** Newest first, then by id; `total` counts all runs that match the filter. */
  history(
    userId: string,
    filter: HistoryFilter,
  ): Promise<{ readonly rows: readonly BacktestSummary<Content>[]; readonly total: number }>;
  /**
   * Sets or clears the archive mark; a mark that is already set keeps its time. Null for an unknown
   * id.
   */
  setArchived(
    userId: string,
    id: string,
    archivedAtMs: number | null,
  ): Promise<{ readonly archivedAtMs: number | null } | null>;

  /** The number of queued runs: of the organization and of all. */
  countQueued(orgId: string): Promise<{ readonly ofOrganization: number; readonly ofAll: number }>;

  /**
   * Takes a run for `runner` until `untilMs`: a queued one, or a running one whose lease has ended.
   * It chooses the organization whose last turn is longest ago, then its awaited runs before the
   * others, then the oldest, then the first by id. It never gives a run to two runners at once.
   *
   * @throws UnreadableRun when the input of the run it took cannot be read; the caller then ends
   *   the run
   */
  claim(runner: string, nowMs: number, untilMs: number): Promise<BacktestClaim<Content> | null>;
  /** Extends a lease; false when the runner no longer holds the run. */
  renew(runner: string, id: string, untilMs: number): Promise<boolean>;
  /**
   * Returns a run to the queue without counting the attempt. No effect when the runner no longer
   * holds it.
   */
  release(runner: string, id: string): Promise<void>;
  /** Ends a run; false, without effect, when the runner no longer holds it. */
  end(runner: string, id: string, end: BacktestEnd<Content>): Promise<boolean>;
  /**
   * Ends a run of a user that is queued or running in any process; false, without effect, for any
   * other run, and for one that a call waits for.
   */
  cancel(userId: string, id: string, end: BacktestEnd<Content>): Promise<boolean>;

  /** Deletes those runs that a claim could take now. @returns their ids */
  withdraw(ids: readonly string[], nowMs: number): Promise<readonly string[]>;
  /** The ends of those runs that have ended. */
  readEnds(ids: readonly string[]): Promise<readonly AwaitedEnd<Content>[]>;
  /** Deletes those runs that have failed. */
  deleteFailed(ids: readonly string[]): Promise<void>;
}
