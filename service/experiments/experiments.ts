import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { experimentIdAt } from '../../data/sweeps/index.js';
import { quote } from '../../engine/errors.js';
import { clip } from '../../engine/text.js';
import { ApiError, notFound, requireFields } from '../api-error.js';
import { asObject } from '../backtests/settings.js';
import type { Caller } from '../caller.js';
import type { Tiers } from '../identity/index.js';
import type { SharedFiles } from '../objects/index.js';
import { clampPage } from '../read-fields.js';
import type { WallClock } from '../wall-clock.js';
import { type Configuration, orBusy, type PlanDeps, planExperiment, requestedRuns } from './plan.js';
import { type ProgressRecord, progressRecord, toRecord, toSummary } from './records.js';
import type { ExperimentProgress, ExperimentRow, SqlExperimentStore, Transition } from './store.js';

export interface ExperimentDeps extends PlanDeps {
  readonly store: SqlExperimentStore;
  readonly tiers: Tiers;
  readonly shared: Pick<SharedFiles, 'syncSeries'>;
  readonly nowMs: WallClock;
  /** Microseconds of wall time, never the same twice in this process. */
  readonly nowMicros: () => number;
  /** Called with the approximate number of runs that are ready to run. */
  readonly onLaunched: (runs: number) => void;
}

interface ListExperimentsRequest {
  readonly limit?: number;
  readonly offset?: number;
  readonly include_archived?: boolean;
}

const NAME_LENGTH_MAX = 200;
/**
 * The answer states no total, so the default is large enough to hold the whole list of nearly every
 * caller.
 */
const LIST_LIMIT = 1_000;
/** How often a watched experiment is looked at, and the longest silence between two messages. */
const WATCH_MS = 500;
const WATCH_MS_MAX = 15_000;
const WATCHED_MAX = 1_000;
const terminal: readonly string[] = ['completed', 'failed', 'cancelled'];

/** Experiments: sweeps that the service plans, runs and keeps. */
export class Experiments {
  /** Progress of watched experiments, read once for all watchers of one. */
  readonly #watched = new LRUCache<string, Promise<ExperimentProgress | null>>({ max: WATCHED_MAX, ttl: WATCH_MS / 2 });

  readonly #closing = new AbortController();

  constructor(private readonly deps: ExperimentDeps) {}

  /** Ends all watches. */
  close(): void {
    this.#closing.abort();
  }

  /**
   * Stores a draft without validating it.
   * @throws MISSING_FIELD, VALIDATION_ERROR for the name
   */
  async create(caller: Caller, sent: unknown) {
    const { store, nowMicros } = this.deps;
    const config = asObject('config', sent);
    const name = readName(config);
    const row = { org_id: caller.orgId, user_id: caller.userId, name, search_mode: shownSearchMode(config), config };
    for (;;) {
      const micros = nowMicros();
      const id = experimentIdAt(micros);
      // The id is taken.
      if (!(await store.add({ ...row, id, created_at_ms: Math.floor(micros / 1_000) }))) continue;
      return toRecord(await this.#found(caller, id), 0);
    }
  }

  async list({ orgId }: Caller, { offset, limit, include_archived }: ListExperimentsRequest) {
    const page = { ...clampPage(offset, limit, LIST_LIMIT), includeArchived: include_archived ?? false };
    const listed = await this.deps.store.list(orgId, page);
    return { experiments: listed.map(toSummary) };
  }

  async get({ orgId }: Caller, id: string) {
    const found = await this.deps.store.progress(orgId, id);
    if (found === null) throw unknown(id);
    return { ...toRecord(found.experiment, completedRuns(found)), progress: progressRecord(found, this.deps.nowMs()) };
  }

  /** @throws VALIDATION_ERROR for a launched experiment; RESOURCE_NOT_FOUND */
  async replace({ orgId }: Caller, id: string, sent: unknown) {
    const { store, nowMs } = this.deps;
    const config = asObject('config', sent);
    const row = { name: readName(config), search_mode: shownSearchMode(config), config };
    return done(id, await store.replace(orgId, id, row, nowMs()), 'replaced', 'draft or validated', 'VALIDATION_ERROR');
  }

  /** Cancels an experiment and deletes its rows. */
  async remove({ orgId }: Caller, id: string) {
    if (!(await this.deps.store.remove(orgId, id))) throw unknown(id);
    return { experiment_id: id, status: 'deleted' };
  }

  /**
   * Reports everything wrong with an experiment, or counts its runs and makes it ready to launch.
   * @throws TIER_UPGRADE_REQUIRED for more runs than the tier allows, without planning if the
   *   request's numbers show it; INVALID_STATE for a launched experiment; ENGINE_BUSY; the reason
   *   of the signal
   */
  async validate(caller: Caller, id: string, signal?: AbortSignal) {
    const { store, tiers, nowMs } = this.deps;
    const experiment = await this.#found(caller, id);
    if (experiment.status !== 'draft' && experiment.status !== 'validated') {
      throw wrongState(id, 'validated', experiment.status, 'draft or validated');
    }
    const { backtestsPerSweepMax: cap } = tiers.of(caller.tier);
    const { config } = experiment;
    this.#requireWithinTier(caller, requestedRuns(config) ?? 0);
    await this.deps.shared.syncSeries(); // the bars of the plan must be there for every worker
    const plan = planExperiment({ orgId: caller.orgId, config }, cap, this.deps, signal);
    const { errors, warnings, totalRuns, found } = await orBusy('validation', plan);
    if (errors.length === 0) this.#requireWithinTier(caller, totalRuns);
    await store.setValidated(experiment, found === null ? null : { ...found, totalRuns }, nowMs());
    return { valid: errors.length === 0, total_runs: totalRuns, errors, warnings };
  }

  /**
   * Starts a validated experiment or resumes a paused one.
   * @throws TIER_UPGRADE_REQUIRED for a validated experiment of more runs than the tier allows now;
   *   INVALID_STATE, CONCURRENT_SWEEP_LIMIT, RESOURCE_NOT_FOUND
   */
  async launch(caller: Caller, id: string) {
    const { store, tiers, nowMs, onLaunched } = this.deps;
    const { name, concurrentSweepsMax: cap } = tiers.of(caller.tier);
    const { status: before, total_runs: runs } = await this.#found(caller, id);
    // A paused experiment was within the tier when it was launched, so it may go on.
    if (before === 'validated') this.#requireWithinTier(caller, runs ?? 0);
    const transition = await store.launch(caller.orgId, id, cap, nowMs());
    if (transition !== null && !transition.isDone && transition.reason === 'cap') {
      const message = `Tier ${name} allows ${cap} experiments at a time: wait for one to end, or pause or cancel it`;
      throw new ApiError('CONCURRENT_SWEEP_LIMIT', message, { limit: cap });
    }
    const { status } = done(id, transition, 'launched', 'validated or paused', 'INVALID_STATE');
    const { total_runs } = await this.#found(caller, id);
    // biome-ignore lint/style/noNonNullAssertion: counted when the experiment was validated
    onLaunched(total_runs!);
    return { experiment_id: id, status, total_runs };
  }

  /**
   * @throws VALIDATION_ERROR for an experiment that is not queued or running; RESOURCE_NOT_FOUND
   */
  async pause({ orgId }: Caller, id: string) {
    const { store, nowMs } = this.deps;
    return done(id, await store.pause(orgId, id, nowMs()), 'paused', 'queued or running', 'VALIDATION_ERROR');
  }

  /**
   * @throws VALIDATION_ERROR for an experiment that was not launched or has ended;
   *   RESOURCE_NOT_FOUND
   */
  async cancel({ orgId }: Caller, id: string) {
    const { store, nowMs } = this.deps;
    return done(
      id,
      await store.cancel(orgId, id, nowMs()),
      'cancelled',
      'queued, running or paused',
      'VALIDATION_ERROR',
    );
  }

  /**
   * Yields the progress now, whenever it changes and every 15 s, until the experiment ends or is
   * removed.
   */
  async *watch({ orgId }: Caller, id: string, gone: AbortSignal): AsyncGenerator<ProgressRecord> {
    const signal = AbortSignal.any([gone, this.#closing.signal]);
    let last = '';
    let saidMs = 0;
    for (let isFirst = true; !signal.aborted; isFirst = false) {
      const found = await this.#watch(orgId, id);
      if (found === null && isFirst) throw unknown(id);
      if (found === null) return;
      const nowMs = this.deps.nowMs();
      const { status } = found.experiment;
      const now = `${status} ${completedRuns(found)}`;
      if (now !== last || nowMs - saidMs >= WATCH_MS_MAX) {
        yield progressRecord(found, nowMs);
        last = now;
        saidMs = nowMs;
      }
      if (terminal.includes(status)) return;
      await delay(WATCH_MS, undefined, { signal }).catch(() => {});
    }
  }

  #watch(orgId: string, id: string): Promise<ExperimentProgress | null> {
    const key = `${orgId} ${id}`;
    let shown = this.#watched.get(key);
    if (shown === undefined) {
      shown = this.deps.store.progress(orgId, id);
      this.#watched.set(key, shown);
    }
    return shown;
  }

  #requireWithinTier({ tier }: Caller, runs: number): void {
    const { name, backtestsPerSweepMax: cap } = this.deps.tiers.of(tier);
    if (runs <= cap) return;
    // Counting stops one past the cap.
    const counted = runs === cap + 1 ? `more than ${cap}` : String(runs);
    const message = `Tier ${name} allows ${cap} backtests per sweep, this experiment has ${counted}`;
    throw new ApiError('TIER_UPGRADE_REQUIRED', message, { limit: cap, used: runs });
  }

  async #found({ orgId }: Caller, id: string): Promise<ExperimentRow> {
    const row = await this.deps.store.find(orgId, id);
    if (row === null) throw unknown(id);
    return row;
  }
}

const unknown = (id: string): ApiError => notFound('Experiment', id);

const completedRuns = ({ ok, no_trades, skipped, errors }: ExperimentProgress): number =>
  ok + no_trades + skipped + errors;

function done(
  id: string,
  transition: Transition | null,
  wanted: string,
  from: string,
  code: 'VALIDATION_ERROR' | 'INVALID_STATE',
) {
  if (transition === null) throw unknown(id);
  if (transition.isDone) return { experiment_id: id, status: transition.status };
  const { message, details } = wrongState(id, wanted, transition.status, from);
  throw new ApiError(code, message, details);
}

const wrongState = (id: string, wanted: string, status: string, from: string): ApiError =>
  new ApiError('INVALID_STATE', `Experiment ${id} is ${status}; only a ${from} experiment can be ${wanted}`, {
    status,
  });

function readName(config: Configuration): string {
  requireFields(config, ['name']);
  const { name } = config;
  if (typeof name === 'string' && name.length >= 1 && name.length <= NAME_LENGTH_MAX) return name;
  throw new ApiError(
    'VALIDATION_ERROR',
    `name must be a text of 1..${NAME_LENGTH_MAX} characters, was ${quote(name)}`,
    {
      field: 'name',
    },
  );
}

/** As the list shows it; validation decides whether the mode exists. */
const shownSearchMode = ({ search_mode: mode }: Configuration): string =>
  typeof mode === 'string' ? clip(mode, 40) : 'grid';
