import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { openSweepFolder } from '../../data/sweeps/index.js';
import { EngineError } from '../../engine/errors.js';
import { PORTFOLIOS, type PortfolioSetup, type PortfolioThreads } from '../../research/portfolio/sweep/index.js';
import { btcReturns, missingRanges, requireSame, type SweepRecord, sharedSeries } from '../../research/sweep/index.js';
import {
  type ChunkResult,
  RUN_ATTEMPTS_MAX,
  runStatuses,
  runSweepChunks,
  type SweepSetup,
  type SweepThreads,
  ThreadFailure,
} from '../../workers/index.js';
import { EXPERIMENT_RUNS_MAX } from '../identity/index.js';
import type { SharedFiles } from '../objects/index.js';
import type { WallClock } from '../wall-clock.js';
import { whileHeld } from '../work/lease.js';
import { type PlanDeps, type Planned, planExperiment } from './plan.js';
import type { ExperimentStatus } from './tables.js';
import type { ClaimedBlock, SqlExperimentWork } from './work.js';

export interface BlockRunnerDeps extends PlanDeps {
  readonly work: SqlExperimentWork;
  readonly shared: SharedFiles;
  /** Returns the sweep threads; starts them on first use. */
  readonly threads: () => SweepThreads;
  /** The same for portfolios. */
  readonly portfolioThreads: () => PortfolioThreads;
  /** Folder that holds the rows of all experiments. */
  readonly corpus: string;
  /** Unique to this process: another process, or this one after a restart, has another name. */
  readonly name: string;
  readonly nowMs: WallClock;
  readonly onInternalError: (error: unknown) => void;
  /** Most bytes in the caches of all threads together. */
  readonly cacheBytesMax?: number;
  /** How long a runner keeps a block without renewing its lease, in ms. */
  readonly leaseMs?: number;
}

const LEASE_MS = 30_000;
/** A block has as many runs as fit into this time: organizations take turns block by block. */
const BLOCK_MS = 1_500;
const FIRST_BLOCK_RUNS = 500;
const BLOCK_RUNS_MAX = 50_000;
const BLOCK_GROWTH_MAX = 8;
/**
 * Chunks of a block per thread: each is large enough for a file and small enough to show progress.
 */
const CHUNKS_PER_BLOCK = 3;
const CACHE_BYTES_MAX = 64 * 1024 * 1024;
/** Most experiments that a process keeps ready to continue. */
const READY_MAX = 3;

/** Attempts at a plan that ends its thread, before the experiment fails. */
const PLAN_ATTEMPTS_MAX = 3;

/** The parts of a setup that all blocks of an experiment share: of strategies, or of portfolios. */
type Ready = { readonly sweep: Omit<SweepSetup, 'stop'> } | { readonly portfolios: Omit<PortfolioSetup, 'stop'> };

const folderIn = (ready: Ready): string => ('sweep' in ready ? ready.sweep : ready.portfolios).rows.folder;

export const experimentFolder = (corpus: string, orgId: string, experimentId: string): string =>
  join(corpus, orgId, experimentId);

/** Runs blocks of experiments on the threads of this process, one at a time. */
export class BlockRunner {
  readonly #ready = new LRUCache<string, Promise<Ready>>({ max: READY_MAX });
  readonly #leaseMs: number;
  #blockRuns = FIRST_BLOCK_RUNS;
  #chunkRuns: number | undefined;
  readonly #stopping = new AbortController();

  constructor(private readonly deps: BlockRunnerDeps) {
    this.#leaseMs = deps.leaseMs ?? LEASE_MS;
  }

  /** Number of runs in the next block that this process claims. */
  get blockRuns(): number {
    return this.#blockRuns;
  }

  /** Claims a block and runs it; false if there is nothing to run. */
  async runNext(): Promise<boolean> {
    if (this.#stopping.signal.aborted) return false;
    const { work, name, nowMs, onInternalError } = this.deps;
    const block = await work.claim(name, this.#blockRuns, nowMs(), nowMs() + this.#leaseMs);
    if (block === null) {
      await work.finish(nowMs()); // experiments whose last runner died before it did
      return false;
    }
    const renew = (untilMs: number) => work.renew(name, block, untilMs);
    await whileHeld({ leaseMs: this.#leaseMs, renew, clock: nowMs, onInternalError }, (lost) => this.#run(block, lost));
    return true;
  }

  /**
   * Stops the current block after its current runs, or its planning at once, and returns the rest
   * of it to the store.
   */
  stop(): void {
    this.#stopping.abort();
  }

  async #run(block: ClaimedBlock, lost: AbortSignal): Promise<void> {
    const { work, name, nowMs } = this.deps;
    const ending = AbortSignal.any([this.#stopping.signal, lost]);
    let isDone = false;
    try {
      isDone = await this.#runMissing(block, await this.#readyFor(block, ending), ending);
    } catch (error) {
      this.#ready.delete(block.experimentId);
      if (error instanceof EngineError) await work.fail(block.experimentId, error.message, nowMs());
      else if (error !== ending.reason) throw error;
    } finally {
      await work.release(name, block, isDone);
    }
    if (isDone) await work.finish(nowMs());
  }

  /** True if every run of the block has a row. */
  async #runMissing(block: ClaimedBlock, ready: Ready, ending: AbortSignal): Promise<boolean> {
    const missing = missingRanges([{ from: 0, to: block.from }, ...block.committed], block.to);
    const asked = missing.reduce((runs, { from, to }) => runs + to - from, 0);
    let left = asked;
    const stop = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    if (ending.aborted) return false;
    ending.addEventListener('abort', () => Atomics.store(stop, 0, 1));
    const { work, name } = this.deps;
    await work.begin(name, block);
    const start = performance.now();
    const chunks = {
      batches: missing.length === 0 ? [] : [missing],
      firstChunkRuns: this.#chunkRuns,
      failure: blockFailure(block),
      onChunk: async (result: ChunkResult) => {
        const status = await this.#commit(block, folderIn(ready), result);
        if (status !== null) left -= result.count;
        if (status !== 'running') Atomics.store(stop, 0, 1); // paused, or no longer ours
      },
    };
    if ('sweep' in ready) {
      await runSweepChunks({ ...chunks, setup: { ...ready.sweep, stop }, threads: this.deps.threads() });
    } else {
      const setup = { ...ready.portfolios, stop };
      await runSweepChunks({ ...chunks, setup, threads: this.deps.portfolioThreads() });
    }
    if (left === 0 && asked > 0) this.#measured(asked, performance.now() - start);
    return left === 0;
  }

  async #commit(block: ClaimedBlock, folder: string, result: ChunkResult): Promise<ExperimentStatus | null> {
    const { from, count, statuses } = result;
    const to = from + count;
    const path = openSweepFolder(folder).partPath(from, to);
    const { size: bytes } = await stat(path);
    await this.deps.shared.parts.publish(path);
    const counts = runStatuses.map((_, status) => statuses.reduce((sum, one) => sum + Number(one === status), 0));
    const [ok, no_trades, skipped, errors] = counts as [number, number, number, number];
    const { work, name } = this.deps;
    return work.commit(name, block, { from, to, bytes, ok, no_trades, skipped, errors });
  }

  /**
   * Sizes the next block to take about `BLOCK_MS`, and its first chunk to take about as long as the
   * last ones of this block.
   */
  #measured(runs: number, ms: number): void {
    const fitting = Math.round((runs * BLOCK_MS) / Math.max(ms, 1));
    this.#blockRuns = Math.max(1, Math.min(fitting, BLOCK_GROWTH_MAX * this.#blockRuns, BLOCK_RUNS_MAX));
    this.#chunkRuns = Math.max(1, Math.ceil(this.#blockRuns / (CHUNKS_PER_BLOCK * this.deps.threads().count)));
  }

  #readyFor(block: ClaimedBlock, ending: AbortSignal): Promise<Ready> {
    const { experimentId } = block;
    let ready = this.#ready.get(experimentId);
    if (ready === undefined) {
      ready = this.#makeReady(block, ending);
      this.#ready.set(experimentId, ready);
    }
    return ready;
  }

  /** @throws EngineError if the experiment has changed since its validation or cannot be planned */
  async #makeReady(block: ClaimedBlock, ending: AbortSignal): Promise<Ready> {
    const { experimentId, orgId, config, plan, planHash, totalRuns } = block;
    const { deps } = this;
    await deps.shared.syncSeries(); // the plan must find the bars of its validation
    const { errors, found, totalRuns: total_runs } = await this.#plan(block, ending);
    if (errors.length > 0) throw new EngineError('CONFLICT', errors.join('; '));
    const { engineVersion, datasets } = plan;
    const known = { engine_version: engineVersion, datasets, total_runs: totalRuns, plan_hash: planHash };
    if (found === null) throw new EngineError('CONFLICT', `the experiment has more than ${EXPERIMENT_RUNS_MAX} runs`);
    const now = { engine_version: deps.engineVersion, datasets: found.plan.datasets, total_runs };
    requireSame('experiment', known, { ...now, plan_hash: found.planHash });
    // First of all: from here on no run may touch these days, whatever becomes of this one.
    for (const days of found.declared) await deps.heldOut(orgId).declare(days);
    const folder = experimentFolder(deps.corpus, orgId, experimentId);
    const { portfolios } = found;
    const kind = portfolios === null ? {} : { kind: PORTFOLIOS, assets: portfolios.assets };
    const record: SweepRecord = { version: 1, ...kind, experiment_id: experimentId, sweep: config, ...known };
    const { writeRecord, recordPath } = openSweepFolder(folder);
    await writeRecord(record);
    await deps.shared.parts.publish(recordPath);
    if (portfolios !== null) {
      const { windows, totalRuns, datasets } = portfolios;
      const { home, sampleDir } = deps;
      const rows = { folder, experimentId, engineVersion: deps.engineVersion, datasets };
      return { portfolios: { plan: config, windows, totalRuns, home, sampleDir, rows } };
    }
    const sweep = {
      sweep: config,
      datasets: found.loaded.map(({ dataset }) => dataset),
      bars: found.loaded.map(sharedSeries),
      runsMax: EXPERIMENT_RUNS_MAX,
      cacheBytesMax: Math.floor((deps.cacheBytesMax ?? CACHE_BYTES_MAX) / deps.threads().count),
      rows: {
        folder,
        experimentId,
        engineVersion: deps.engineVersion,
        btcReturns: await btcReturns(found.datasets, found.loaded, deps.bars),
      },
    };
    return { sweep };
  }

  async #plan(block: ClaimedBlock, ending: AbortSignal): Promise<Planned> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await planExperiment(block, EXPERIMENT_RUNS_MAX, this.deps, ending);
      } catch (error) {
        if (!(error instanceof ThreadFailure) || error.fault !== 'died') throw error;
        if (attempt < PLAN_ATTEMPTS_MAX) continue;
        const message = `the plan of the experiment ended its thread ${attempt} times: ${error.message}`;
        throw new EngineError('INVALID_DATA', message);
      }
    }
  }
}

/**
 * The error for the row of a run that ended every process that tried it; undefined if the block may
 * still run. Such a run forms a block of its own and is not tried again.
 * @throws INVALID_DATA if processes also end while its row is written
 */
function blockFailure({ from, deaths }: ClaimedBlock): string | undefined {
  if (deaths < RUN_ATTEMPTS_MAX) return undefined;
  const failure = `the run ended its process ${deaths} times`;
  if (deaths < 2 * RUN_ATTEMPTS_MAX) return failure;
  throw new EngineError(
    'INVALID_DATA',
    `run ${from} cannot have a row: ${failure}, the last times while only its row was written`,
  );
}
