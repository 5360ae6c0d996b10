import type { ExecutionConfig } from '../../../engine/index.js';
import type { Owner } from '../execution/port.js';

export const backtestStatuses = ['queued', 'running', 'completed', 'failed'] as const;
export type BacktestStatus = (typeof backtestStatuses)[number];

/** The parts of a backtest that a store keeps as JSON without looking inside. */
export interface BacktestContent {
  readonly request: object;
  readonly metrics: object;
  readonly trade: object;
  readonly diagnostics: object;
  readonly deniedSignal: object;
  readonly manifest: object;
}

/** What is known of a backtest before it is run, and never changes. Times are epoch ms. */
export interface BacktestPlan<Content extends BacktestContent> extends Owner {
  /** UUID. */
  readonly id: string;
  readonly strategyId: string | null;
  readonly strategyName: string;
  readonly sessionId: string | null;
  /** As the caller spelled them. */
  readonly asset: string;
  readonly interval: string;
  /** Name under which bars of the asset are kept; what the history is filtered by. */
  readonly baseAsset: string;
  /** Open of the first tradable bar, close of the last. */
  readonly startMs: number;
  readonly endMs: number;
  readonly config: ExecutionConfig;
  /** What to run, defaults not filled in; JSON, so that a process that starts later can run it. */
  readonly request: Content['request'];
  /** About the request; those about the run come with its outcome. */
  readonly warnings: readonly string[];
  readonly createdAtMs: number;
  /** Whether everybody in the organization may read it, and not only the user. */
  readonly isShared: boolean;
  /**
   * Whether a caller waits for the run: it goes before what else its organization has queued, and
   * webhooks are told nothing.
   */
  readonly isAwaited: boolean;
}

/** What a run leaves behind. */
export interface BacktestOutcome<Content extends BacktestContent> {
  readonly metrics: Content['metrics'];
  readonly trades: readonly Content['trade'][];
  readonly diagnostics: Content['diagnostics'];
  readonly deniedSignals: readonly Content['deniedSignal'][];
  readonly warnings: readonly string[];
  readonly manifest: Content['manifest'];
}

/** How a run ended: with an outcome, or with what was wrong. */
export type BacktestEnd<Content extends BacktestContent> = {
  readonly completedAtMs: number;
  readonly executionSeconds: number;
} & ({ readonly outcome: BacktestOutcome<Content> } | { readonly error: string });

export interface BacktestRecord<Content extends BacktestContent> extends BacktestPlan<Content> {
  readonly status: BacktestStatus;
  /** Null until the run has ended. */
  readonly completedAtMs: number | null;
  readonly executionSeconds: number | null;
  /** Of a completed run. */
  readonly outcome: BacktestOutcome<Content> | null;
  /** Of a failed run. */
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

/** A run that a runner has taken, until its lease ends. */
export interface BacktestClaim<Content extends BacktestContent> {
  readonly plan: BacktestPlan<Content>;
  /** How often it was taken, this time included. */
  readonly attempt: number;
}

/** What is answered of an awaited run that has ended. */
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

/** The input of a run can no longer be read; `id` says of which. */
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
 * Where backtests are kept. They are never changed but for their end and their archive mark, and
 * completed ones never deleted. Whatever a user reads or marks is that user's; another's id is like
 * an unknown one.
 */
export interface BacktestStore<Content extends BacktestContent> {
  /** A run that was computed already. */
  addEnded(plan: BacktestPlan<Content>, end: BacktestEnd<Content>): Promise<void>;
  /** Runs to be taken by runners, all or none. */
  addQueued(...plans: readonly BacktestPlan<Content>[]): Promise<void>;
  get(userId: string, id: string): Promise<BacktestRecord<Content> | null>;
  /** A run that is shared in the organization or the user's own; none of another organization. */
  getShared(owner: Owner, id: string): Promise<BacktestRecord<Content> | null>;
  /** Newest first, then by id; `total` counts all that the filter lets through. */
  history(
    userId: string,
    filter: HistoryFilter,
  ): Promise<{ readonly rows: readonly BacktestSummary<Content>[]; readonly total: number }>;
  /** Sets or clears the mark; one that is set keeps its time. Null for an unknown id. */
  setArchived(
    userId: string,
    id: string,
    archivedAtMs: number | null,
  ): Promise<{ readonly archivedAtMs: number | null } | null>;

  /** Runs that are queued: those of an organization, and all. */
  countQueued(orgId: string): Promise<{ readonly ofOrganization: number; readonly ofAll: number }>;

  /**
   * Takes a run that is queued, or running under a lease that has ended, for `runner` until
   * `untilMs`: of the organization whose turn is longest ago the oldest awaited one, or else the
   * oldest; of those as old the first by id. Never gives a run to two at a time.
   *
   * @throws UnreadableRun when the run that it took cannot be read; the caller then ends it
   */
  claim(runner: string, nowMs: number, untilMs: number): Promise<BacktestClaim<Content> | null>;
  /** Prolongs a lease; false when the run is no longer the runner's. */
  renew(runner: string, id: string, untilMs: number): Promise<boolean>;
  /**
   * Gives a run back, for the next claim, as if it had not been tried. Nothing happens when it is
   * no longer the runner's.
   */
  release(runner: string, id: string): Promise<void>;
  /** Ends a run; false, and nothing written, when it is no longer the runner's. */
  end(runner: string, id: string, end: BacktestEnd<Content>): Promise<boolean>;

  /** Deletes those of the runs that a claim could take now, and gives their ids. */
  withdraw(ids: readonly string[], nowMs: number): Promise<readonly string[]>;
  /**
   * The ends of those of the runs that have ended. A failed one is deleted with that: its failure
   * is read once.
   */
  collectEnds(ids: readonly string[]): Promise<readonly AwaitedEnd<Content>[]>;
}
