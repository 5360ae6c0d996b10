import { apart, isUuid, refuseInTransaction } from '../../data/state/index.js';
import { EngineError } from '../../engine/errors.js';
import { isoTime } from '../../engine/series/index.js';
import type { HeldOut } from '../../engine/sweep/index.js';
import { openDays, type RunChoices } from '../../research/portfolio/index.js';
import { BackgroundThread } from '../../workers/index.js';
import { ApiError, notFound } from '../api-error.js';
import {
  asSeen,
  type BacktestDeps,
  failureSeen,
  readPage,
  readWhole,
  refuseQueuedOpening,
  requireRoom,
  withEngine,
} from '../backtests/index.js';
import type { Caller } from '../caller.js';
import type { WarningLog } from '../setting-warnings.js';
import type { OutlineTask, PortfolioAnswer, PortfolioTask } from './portfolio-task.js';
import { readOrder } from './request.js';
import {
  type PortfolioOutcome,
  type PortfolioPlan,
  type PortfolioRecord,
  type PortfolioRequest,
  type PortfolioStore,
  portfolioFacts,
  portfolioItem,
  portfolioRun,
} from './store.js';

type Json = Readonly<Record<string, unknown>>;

interface PortfolioDeps
  extends Pick<
    BacktestDeps,
    'strategies' | 'admit' | 'engineVersion' | 'tries' | 'heldOut' | 'nowMs' | 'newId' | 'onQueued'
  > {
  readonly store: PortfolioStore;
  /** The queue that backtests wait in too. */
  readonly queue: Pick<BacktestDeps, 'store' | 'queueLimits'>;
  /** Where the bars are stored. */
  readonly home: string;
  readonly sampleDir: string;
  readonly onWarnings?: WarningLog;
}

interface ComputeOptions {
  /** Called when the turn of the run comes. */
  readonly admit?: () => Promise<void>;
  /** Whether the run opens the held-out days that it trades. */
  readonly isOpening?: boolean;
  /** Whether the course of the account is asked for. */
  readonly asksCourse?: boolean;
}

const IDLE_MS = 30_000;
const QUEUE_MAX = 16;
/**
 * Room for the columns of the most bars that a run may trade, which lie outside of the heap, and
 * for values made of them.
 */
const HEAP_MB_MAX = 2_048;
const LIMIT = 50;
const LIMIT_MAX = 1_000;

/** The task runs in the form of this file: compiled, or through a loader. */
const task = new URL(`./portfolio-task${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url);

// Native code reads the bars and cannot be interrupted, so a run that has begun goes on after its
// caller leaves.
const openThread = () =>
  new BackgroundThread<PortfolioTask | OutlineTask, PortfolioAnswer>({
    ...{ task, queueMax: QUEUE_MAX, idleMs: IDLE_MS, heapMbMax: HEAP_MB_MAX },
    endsBySignal: false,
  });

/** Runs of portfolios: one account over many assets. */
export class Portfolios {
  readonly #thread = openThread();
  /** Reads requests, which must not wait for a run. */
  readonly #reader = openThread();

  constructor(private readonly deps: PortfolioDeps) {}

  /**
   * Computes a run while the caller waits, and stores it. It counts as a backtest for each member.
   * @throws as `readOrder` and `openDays`; ENGINE_BUSY when too many runs wait; USAGE_LIMIT_EXCEEDED
   */
  async run(caller: Caller, request: Json, signal?: AbortSignal) {
    const { plan, size, opened } = await readOrder(caller, request, this.#reading);
    const admit = () => this.deps.admit(caller, size);
    const computed = opened === null ? this.compute(plan, signal, { admit }) : this.#open(plan, opened, admit, signal);
    const { outcome, executionSeconds } = await computed.catch((error: unknown) => {
      throw failureSeen(caller, plan.request.stored !== undefined, request, error);
    });
    const end = { outcome, executionSeconds, completedAtMs: this.deps.nowMs() };
    await this.deps.store.addEnded(plan, end);
    return portfolioRun(caller, { ...plan, ...end, status: 'completed', error: null, archivedAtMs: null });
  }

  /**
   * Computes and stores a run under a given id. A run that is stored already is computed again, and
   * neither stored nor counted twice.
   * @throws as `run`
   */
  async runAs(caller: Caller, id: string, request: Json, signal?: AbortSignal) {
    const { plan, size } = await readOrder(caller, request, { ...this.#reading, newId: () => id });
    const isKnown = (await this.deps.store.get(caller.userId, id)) !== null;
    // The run counts once, also after a crash between count and store.
    const admit = isKnown ? async () => {} : () => this.deps.admit(caller, size, id);
    const { outcome, result, course, executionSeconds } = await this.compute(plan, signal, {
      admit,
      asksCourse: true,
    });
    if (course === null) throw new Error('the thread of portfolios answered without a course');
    const end = { outcome, executionSeconds, completedAtMs: this.deps.nowMs() };
    if (!isKnown) await this.deps.store.addEnded(plan, end);
    return { result, course };
  }

  /**
   * Queues a run; it is stored when this returns.
   * @throws as `run`; RATE_LIMITED when the organization has too many runs queued
   */
  async submit(caller: Caller, request: Json) {
    const { plan, size, opened } = await readOrder(caller, request, this.#reading);
    if (opened !== null) refuseQueuedOpening();
    await requireRoom(caller, 1, this.deps.queue);
    await this.deps.admit(caller, size);
    await this.deps.store.addQueued(plan);
    this.deps.onQueued(1);
    const { id, createdAtMs, warnings } = plan;
    const answer = { portfolio_id: id, status: 'queued' as const, created_at: isoTime(createdAtMs), warnings };
    return asSeen(caller, plan.request.stored !== undefined, answer);
  }

  /** @throws RESOURCE_NOT_FOUND for an unknown id and for the run of another user */
  async get(caller: Caller, id: string) {
    return portfolioRun(caller, await this.#require(caller, id));
  }

  /** All trades of a run, or a page of them. @throws RESOURCE_NOT_FOUND */
  async listTrades({ userId }: Caller, id: string, request: Json) {
    const page = isUuid(id) ? await this.deps.store.tradePage(userId, id, readPage(request)) : null;
    if (page === null) throw notFound('portfolio', id);
    return { portfolio_id: id, trade_count: page.total, trades: page.trades };
  }

  /** The runs of the caller, newest first. */
  async list({ userId }: Caller, request: Json) {
    const limit = readWhole(request, 'limit', LIMIT, [1, LIMIT_MAX]);
    const offset = readWhole(request, 'offset', 0, [0, Number.MAX_SAFE_INTEGER]);
    const includeArchived = request.include_archived === true;
    const { rows, total } = await this.deps.store.history(userId, { includeArchived, limit, offset });
    return { portfolios: rows.map(portfolioItem), total, limit, offset };
  }

  /**
   * Ends a run that is queued or running as failed.
   * @throws RESOURCE_NOT_FOUND; INVALID_STATE for a run that has ended
   */
  async cancel(caller: Caller, id: string) {
    const { createdAtMs } = await this.#require(caller, id);
    const completedAtMs = Math.max(this.deps.nowMs(), createdAtMs);
    const end = { error: 'cancelled by its caller', executionSeconds: 0, completedAtMs };
    const isEnded = await this.deps.store.cancel(caller.userId, id, end);
    const record = await this.#require(caller, id);
    if (isEnded) return portfolioRun(caller, record);
    const message = `portfolio ${id} cannot be cancelled: it is ${record.status}`;
    throw new ApiError('INVALID_STATE', message, { status: record.status });
  }

  /** Sets or clears the archive mark. @throws RESOURCE_NOT_FOUND */
  async setArchived({ userId }: Caller, id: string, isArchived: boolean) {
    const { store, nowMs } = this.deps;
    const marked = isUuid(id) ? await store.setArchived(userId, id, isArchived ? nowMs() : null) : null;
    if (marked === null) throw notFound('portfolio', id);
    const { archivedAtMs } = marked;
    return {
      portfolio_id: id,
      archived: archivedAtMs !== null,
      archived_at: archivedAtMs === null ? null : isoTime(archivedAtMs),
    };
  }

  /** Runs a plan in the thread. */
  async compute({ orgId, request, warnings }: PortfolioPlan, signal?: AbortSignal, options: ComputeOptions = {}) {
    refuseInTransaction('a portfolio');
    const { tries, heldOut, onWarnings } = this.deps;
    const start = performance.now();
    const prepare = async (): Promise<PortfolioTask> => {
      await options.admit?.();
      const held = options.isOpening === true ? [] : await apart(() => heldOut(orgId).list());
      return { ...this.#taskOf(request, held), asksCourse: options.asksCourse === true };
    };
    const { result, tried, course } = await this.#ask(this.#thread, prepare, 'result', signal);
    // Known tries count once.
    for (const asset of tried.assets) await apart(() => tries.add(orgId, asset, [tried.identity]));
    const outcome: PortfolioOutcome = {
      metrics: result.metrics,
      trades: result.trades,
      diagnostics: portfolioFacts(result),
      deniedSignals: result.denied_signals,
      warnings: [...warnings, ...result.warnings],
      manifest: result.manifest,
    };
    const { run_id } = result.manifest;
    if (outcome.warnings.length > 0) onWarnings?.({ run_id, strategy: result.portfolio }, outcome.warnings);
    return { outcome, result, course, executionSeconds: (performance.now() - start) / 1000 };
  }

  /** Opens held-out days for a run, which must be the first to trade them: see `openDays`. */
  async #open(plan: PortfolioPlan, days: readonly HeldOut[], admit: () => Promise<void>, signal?: AbortSignal) {
    const name = async (): Promise<PortfolioTask> => ({ ...this.#taskOf(plan.request, []), asksIdentity: true });
    const { run } = await openDays(days, this.deps.heldOut(plan.orgId), this.deps.nowMs(), {
      identity: async () => (await this.#ask(this.#thread, name, 'identity', signal)).identity,
      admit,
      run: () => this.compute(plan, signal, { isOpening: true }),
    });
    return run;
  }

  #taskOf(request: PortfolioRequest, heldOut: readonly HeldOut[]): PortfolioTask {
    const { home, sampleDir, engineVersion } = this.deps;
    return { ...request, home, sampleDir, engineVersion, heldOut };
  }

  /** What reading a request needs. */
  get #reading() {
    const { home, sampleDir } = this.deps;
    const outline = async (portfolio: object, choices: RunChoices) =>
      (await this.#ask(this.#reader, async () => ({ portfolio, choices, home, sampleDir }), 'outline')).outline;
    return { ...this.deps, outline };
  }

  /** The answer of the thread that has this key. @throws EngineError its refusal */
  async #ask<Key extends 'result' | 'identity' | 'outline'>(
    thread: ReturnType<typeof openThread>,
    prepare: () => Promise<PortfolioTask | OutlineTask>,
    key: Key,
    signal?: AbortSignal,
  ): Promise<Extract<PortfolioAnswer, Record<Key, unknown>>> {
    const answer = await withEngine(() => thread.run(prepare, signal));
    if ('code' in answer) throw new EngineError(answer.code, answer.message, answer.details);
    if (!(key in answer)) throw new Error(`the thread of portfolios answered without ${key}`);
    return answer as Extract<PortfolioAnswer, Record<Key, unknown>>;
  }

  async close(): Promise<void> {
    await Promise.all([this.#thread.close(), this.#reader.close()]);
  }

  async #require({ userId }: Caller, id: string): Promise<PortfolioRecord> {
    const record = isUuid(id) ? await this.deps.store.get(userId, id) : null;
    if (record === null) throw notFound('portfolio', id);
    return record;
  }
}
