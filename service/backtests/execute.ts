import type { MarketData } from '../../data/providers/index.js';
import { apart, refuseInTransaction } from '../../data/state/index.js';
import type { Holdouts } from '../../data/tries/index.js';
import type { BacktestWork } from '../../engine/backtest/index.js';
import { EngineError } from '../../engine/errors.js';
import { closeOfLast } from '../../engine/series/index.js';
import {
  type BacktestRequest,
  type BacktestRun,
  openHeldOut,
  type RunServices,
  runBacktest,
} from '../../research/backtest/index.js';
import { holdReturn, type RunBars } from '../../research/index.js';
import { type BacktestEngine, ThreadFailure } from '../../workers/index.js';
import { ApiError, asApiError } from '../api-error.js';
import type { Caller } from '../caller.js';
import type { WarningLog } from '../setting-warnings.js';
import type { State } from '../state/tables.js';
import type { Slot } from './slot.js';
import type { SqlBacktestStore } from './store.js';
import type { BacktestOutcome, StrategySource } from './stored.js';

interface QueueLimits {
  readonly ofOrganization: number;
  readonly ofAll: number;
}

/** What the use cases of backtests need. */
export interface BacktestDeps {
  readonly market: MarketData;
  readonly engine: BacktestEngine;
  /** Serialises the synchronous runs of this process. */
  readonly slot: Slot;
  readonly store: SqlBacktestStore;
  readonly strategies: StrategySource;
  /** Most runs that may be queued at a time. */
  readonly queueLimits: QueueLimits;
  /**
   * Counts the runs for a caller, all or nothing; fails with USAGE_LIMIT_EXCEEDED if they are too
   * many. Runs with the same `key` count once.
   */
  readonly admit: (caller: Caller, runs: number, key?: string) => Promise<void>;
  readonly engineVersion: string;
  /** Counts what an organization tries on an asset. */
  readonly tries: { add(orgId: string, asset: string, identities: readonly string[]): Promise<void> };
  /** The days that an organization holds out. */
  readonly heldOut: (orgId: string) => Holdouts;
  /** The system clock, for the times of rows; the market has a clock of its own. */
  readonly nowMs: () => number;
  /** Returns a new UUID. */
  readonly newId: () => string;
  /** Called after runs were queued, to wake the runners of this process and others. */
  readonly onQueued: (runs: number) => void;
  readonly endNotices: EndNotices;
  /** Called with failures that are answered inside a result and are bugs. */
  readonly onInternalError: (error: unknown) => void;
  /** Called with the warnings of a run, once. */
  readonly onWarnings?: WarningLog;
}

export const runServices = ({ market, engine, engineVersion }: BacktestDeps) => ({
  store: market,
  engine,
  engineVersion,
});

/** The same for runs that must not touch the days that an organization holds out. */
export const newRunServices = (deps: BacktestDeps, orgId: string): RunServices => ({
  ...runServices(deps),
  heldOut: deps.heldOut(orgId),
});

export interface Executed {
  readonly run: BacktestRun;
  readonly outcome: BacktestOutcome;
  readonly executionSeconds: number;
}

interface ExecuteOptions {
  /** The organization among whose tries the run counts. */
  readonly orgId: string;
  readonly signal?: AbortSignal | undefined;
  /** Called after the request was fully validated, before anything is computed. */
  readonly admit?: (work: BacktestWork) => Promise<void>;
  /**
   * Bars to run on instead of the market's. Synthetic bars belong to no market, so they have no BTC
   * benchmark.
   */
  readonly source?: { readonly bars: RunBars; readonly isSynthetic: boolean };
  /** Whether the run opens the held-out days of its asset, and trades exactly them. */
  readonly opensHoldout?: boolean;
}

/**
 * Runs one request and returns the run with the outcome to store. Thread failures become API
 * errors.
 */
export async function execute(
  request: BacktestRequest,
  warnings: readonly string[],
  deps: BacktestDeps,
  { orgId, signal, admit, source, opensHoldout = false }: ExecuteOptions,
): Promise<Executed> {
  refuseInTransaction('a backtest');
  const start = performance.now();
  const engine: BacktestEngine = {
    ...deps.engine,
    async compute(work, stop) {
      await admit?.(work);
      return deps.engine.compute(work, stop);
    },
  };
  const { store, engineVersion } = runServices(deps);
  const services = { store: source?.bars ?? store, engine, engineVersion };
  const holdouts = deps.heldOut(orgId);
  const add = (asset: string, tries: Iterable<string>) => apart(() => deps.tries.add(orgId, asset, [...tries]));
  const opening = { ...services, holdouts, ledger: { add }, nowMs: deps.nowMs() };
  const guarded = source?.isSynthetic === true ? services : { ...services, heldOut: holdouts };
  const run = await withEngine(async () =>
    opensHoldout ? (await openHeldOut(request, opening, signal)).run : runBacktest(request, guarded, signal),
  );
  const { metrics, trades, diagnostics, side_metrics, denied_signals, manifest } = run.result;
  const outcome: BacktestOutcome = {
    metrics: {
      ...metrics,
      benchmark_btc_return: source?.isSynthetic === true ? null : await btcReturn(run, deps.market),
    },
    trades,
    diagnostics,
    ...(side_metrics !== undefined && { sideMetrics: side_metrics }),
    deniedSignals: denied_signals,
    warnings: [...warnings, ...run.result.warnings],
    manifest,
  };
  const { tried } = run;
  if (tried !== null && source?.isSynthetic !== true) {
    // Known tries count once.
    await apart(() => deps.tries.add(orgId, tried.asset, [tried.identity]));
  }
  if (outcome.warnings.length > 0) {
    const { strategy } = run.result;
    deps.onWarnings?.({ run_id: manifest.run_id, strategy }, outcome.warnings);
  }
  return { run, outcome, executionSeconds: (performance.now() - start) / 1000 };
}

const BUSY_SECONDS = 5;

/** Calls something that may wait for a thread and turns thread failures into API errors. */
export async function withEngine<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof ThreadFailure)) throw error;
    switch (error.fault) {
      case 'full':
      case 'closed':
        throw new ApiError('ENGINE_BUSY', `the engine is busy: ${error.message}`, {
          retry_after: BUSY_SECONDS,
        });
      case 'deadline':
        throw new ApiError('VALIDATION_ERROR', `the backtest takes too long (${error.message}): narrow its window`);
      case 'died':
        throw new ApiError('INTERNAL_ERROR', error.message);
    }
  }
}

/** The message of a failure that a caller may read; of a bug, only that it happened. */
export function failureMessage(error: unknown, { onInternalError }: Pick<BacktestDeps, 'onInternalError'>): string {
  const known = asApiError(error);
  if (known === null || known.code === 'INTERNAL_ERROR') onInternalError(error);
  return known?.message ?? 'internal error';
}

/**
 * Buy-and-hold return of BTC from the first open to the last close of a run; null if the BTC bars
 * do not cover it.
 */
async function btcReturn({ bars, first }: BacktestRun, market: MarketData): Promise<number | null> {
  // biome-ignore lint/style/noNonNullAssertion: an index of a bar of the run
  const fromMs = bars.time[first]!;
  const toMs = closeOfLast(bars);
  try {
    const { entry } = await market.resolveSource('BTC', bars.intervalMs);
    const { bars: btc } = await market.load({ asset: 'BTC', intervalMs: entry.intervalMs, fromMs, toMs });
    return holdReturn(btc, fromMs, toMs);
  } catch (error) {
    if (error instanceof EngineError) return null;
    throw error;
  }
}

/**
 * Carries the ends of awaited runs from the process that ran them to the process that waits. A
 * notice can be lost.
 */
export interface EndNotices {
  /** Never fails. */
  tell(id: string): Promise<void>;
  /**
   * Calls back with the ids of all runs that end, of any caller, until the returned function is
   * called. Never fails.
   */
  hear(onEnd: (id: string) => void): Promise<() => void>;
}

const CHANNEL = 'barline_ends';

/**
 * Notices between all processes on a state. A process starts to listen when it first waits for a
 * run.
 */
export function sharedEndNotices(state: State, onError: (error: unknown) => void): EndNotices {
  const hearers = new Set<(id: string) => void>();
  const onNotice = (id: string): void => {
    for (const hear of hearers) hear(id);
  };
  let listening: Promise<void> | null = null;
  const listen = async (): Promise<void> => {
    try {
      // A waiting call also polls now and then.
      await state.listen(CHANNEL, { onNotice, onDeaf() {}, onHearing() {} });
    } catch (error) {
      listening = null;
      onError(error);
    }
  };
  return {
    tell: (id) => state.notify(CHANNEL, id).catch(onError),
    async hear(onEnd) {
      listening ??= listen();
      await listening;
      hearers.add(onEnd);
      return () => {
        hearers.delete(onEnd);
      };
    },
  };
}
