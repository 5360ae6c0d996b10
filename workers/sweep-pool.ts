import { traced } from '../data/tracing/index.js';
import { EngineError, errorMessage } from '../engine/errors.js';
import type { ChunkResult, RunRange, SweepSetup } from './sweep-protocol.js';
import type { SweepThreads } from './sweep-threads.js';
import type { ThreadChoice } from './threads-worth.js';

/** A chunk as a thread takes it: of a sweep of strategies, or another of the same form. */
interface PoolTask<Setup> extends RunRange {
  readonly setup: Setup;
  readonly places?: Float64Array;
  readonly failure?: string;
}

export interface SweepPoolOptions<Setup extends Pick<SweepSetup, 'stop'> = SweepSetup> {
  readonly setup: Setup;
  readonly threads: SweepThreads<PoolTask<Setup>, ChunkResult>;
  /**
   * Runs to do, as ascending ranges without overlap; a search that learns gives them batch by
   * batch. The next batch is requested after `onChunk` has taken all results of the one before.
   */
  readonly batches: Iterable<readonly RunRange[]>;
  /** Decides after each chunk how many threads are worthwhile. Default: all of them. */
  readonly choice?: ThreadChoice | undefined;
  /** Runs of the first chunk, if the time of a run is known. */
  readonly firstChunkRuns?: number | undefined;
  /** In a search that learns: the places of runs in its space. */
  readonly placesOf?: ((range: RunRange) => Float64Array) | undefined;
  /** If set, no run is executed; all rows report this error. */
  readonly failure?: string | undefined;
  /**
   * Called for each finished chunk, one call at a time. A thread gets its next chunk after the
   * call, so a slow caller slows down the threads.
   */
  readonly onChunk: (result: ChunkResult) => Promise<void>;
}

/** Target time of a chunk: long enough to be worth a file, short enough to lose. */
const CHUNK_MS = 600;
const FIRST_CHUNK_RUNS = 8;
const GROWTH_MAX = 16;
const CHUNK_RUNS_MAX = 4_096;
/** Attempts for a run that kills its thread or process before its row reports the error. */
export const RUN_ATTEMPTS_MAX = 3;

interface Chunk extends RunRange {
  /** Number of threads that died on the chunk. */
  readonly deaths: number;
}

/**
 * Lets several threads load their code and plan the sweep ahead of its first chunk. A thread that
 * fails will fail again with a chunk, where the failure counts. A single thread is loading already,
 * and a task would keep it from its first chunk, for which the pool would start another thread.
 * @returns resolves when they are ready; the threads must not be ended before
 */
export async function readyThreads(setup: SweepSetup, threads: SweepThreads, count: number): Promise<void> {
  if (count === 1) return;
  const { broken, leave } = whenBroken(threads, () => {});
  const tasks = Array.from({ length: count }, () => threads.run({ setup, from: 0, to: 0 }));
  await Promise.race([Promise.allSettled(tasks), broken]);
  leave();
}

/**
 * Runs the missing part of a sweep on threads until it is done or `setup.stop` is set. A chunk
 * whose thread dies is repeated. A chunk that kills a second thread is halved, down to the run at
 * fault; after three attempts that run gets an error as its result, and the others are unaffected.
 */
export const runSweepChunks = <Setup extends Pick<SweepSetup, 'stop'> = SweepSetup>(
  options: SweepPoolOptions<Setup>,
): Promise<void> => traced({ name: 'sweep' }, () => runChunks(options));

async function runChunks<Setup extends Pick<SweepSetup, 'stop'>>(options: SweepPoolOptions<Setup>): Promise<void> {
  const { setup, threads, onChunk, placesOf, choice = { count: threads.count, measured() {} } } = options;
  const chunks = new ChunkQueue(options.firstChunkRuns);
  const send: Send = ({ from, to }, failure = options.failure) => {
    const places = placesOf === undefined ? {} : { places: placesOf({ from, to }) };
    return threads.run({ setup, from, to, ...places, ...(failure === undefined ? {} : { failure }) });
  };
  let taking: Promise<void> = Promise.resolve();
  let failure: { readonly error: unknown } | null = null;
  const isOver = (): boolean => failure !== null || Atomics.load(setup.stop, 0) !== 0;
  let working: Promise<void>[] = [];
  /** Starts workers up to the number that is worthwhile. */
  const staff = (): void => {
    chunks.share(choice.count);
    while (working.length < choice.count) working.push(work().catch(fail));
  };
  const work = async (): Promise<void> => {
    for (let chunk = chunks.next(); chunk !== null && !isOver(); chunk = chunks.next()) {
      const result = await attempt(send, chunk, chunks);
      if (result === null) continue;
      choice.measured(result.count, chunkMs(result));
      if (choice.count > working.length) staff();
      if (result.writeError !== null) throw new Error(result.writeError);
      // The thread works on while this chunk is taken, but a slow caller holds it back after that.
      const before = taking;
      taking = before.then(() => onChunk(result));
      taking.catch(() => {}); // told below
      await before;
    }
    await taking;
  };
  // The others finish their chunks first: ending a thread while it writes would crash the process.
  const fail = (error: unknown): void => {
    failure ??= { error };
  };
  const { broken, leave } = whenBroken(threads, fail);
  try {
    for (const batch of options.batches) {
      chunks.add(batch);
      working = [];
      staff();
      const all = async () => {
        for (let k = 0; k < working.length; k++) await working[k]; // others may join meanwhile
      };
      await Promise.race([all(), broken]);
      if (isOver()) break;
    }
  } finally {
    leave();
  }
  if (failure !== null) throw (failure as { readonly error: unknown }).error;
}

/**
 * Calls `fail` when no thread is left; `broken` resolves then. `leave` ends the listening: threads
 * outlive a sweep, and would keep its setup and bars with the listener.
 */
function whenBroken({ broken: signal }: Pick<SweepThreads, 'broken'>, fail: (error: unknown) => void) {
  const listening = new AbortController();
  const broken = new Promise<void>((resolve) => {
    const onBroken = () => {
      fail(signal.reason);
      resolve();
    };
    if (signal.aborted) onBroken();
    else signal.addEventListener('abort', onBroken, { signal: listening.signal });
  });
  return { broken, leave: () => listening.abort() };
}

/**
 * @param failure error to write instead of running
 */
type Send = (chunk: RunRange, failure?: string) => Promise<ChunkResult>;

/** Null if the thread died; the chunk or its halves are then back in the queue. */
async function attempt(send: Send, chunk: Chunk, chunks: ChunkQueue): Promise<ChunkResult | null> {
  const { from, to, deaths } = chunk;
  try {
    const result = await send(chunk);
    chunks.measured(result.count, chunkMs(result));
    chunks.putBack({ from: from + result.count, to, deaths: 0 });
    return result;
  } catch (error) {
    if (to - from === 1 && deaths + 1 >= RUN_ATTEMPTS_MAX) {
      return failedRun(send, chunk, errorMessage(error));
    }
    chunks.putBackBroken(chunk);
    return null;
  }
}

/**
 * Lets a thread write the error row of a run that kills its threads.
 * @throws EngineError INVALID_DATA if that kills the thread too
 */
async function failedRun(send: Send, run: RunRange, reason: string): Promise<ChunkResult> {
  try {
    return await send(run, `the run ended its thread ${RUN_ATTEMPTS_MAX} times: ${reason}`);
  } catch (error) {
    throw new EngineError('INVALID_DATA', `run ${run.from} cannot have a row: ${errorMessage(error)}`);
  }
}

const chunkMs = ({ elapsedMs }: ChunkResult): number => elapsedMs.reduce((sum, ms) => sum + ms, 0);

/** Cuts the remaining work into chunks whose size follows the measured cost of a run. */
class ChunkQueue {
  #ranges: Chunk[] = [];
  /** Chunks to repeat; their size is fixed. */
  readonly #again: Chunk[] = [];
  #size: number;
  #sizeMax = CHUNK_RUNS_MAX;

  constructor(firstRuns = FIRST_CHUNK_RUNS) {
    this.#size = firstRuns;
  }

  /** Adds the next batch, once the one before is done. */
  add(batch: readonly RunRange[]): void {
    this.#ranges = batch.map(({ from, to }) => ({ from, to, deaths: 0 })).reverse();
  }

  /** Limits chunks so that each of the threads gets one. */
  share(threads: number): void {
    const left = this.#ranges.reduce((sum, { from, to }) => sum + to - from, 0);
    this.#sizeMax = Math.max(1, Math.min(Math.ceil(left / threads), CHUNK_RUNS_MAX));
  }

  next(): Chunk | null {
    const again = this.#again.pop();
    if (again !== undefined) return again;
    const range = this.#ranges.pop();
    if (range === undefined) return null;
    const { from, deaths } = range;
    const to = Math.min(from + Math.min(this.#size, this.#sizeMax), range.to);
    this.putBack({ ...range, from: to });
    return { from, to, deaths };
  }

  putBack(range: Chunk): void {
    if (range.from < range.to) this.#ranges.push(range);
  }

  putBackBroken({ from, to, deaths }: Chunk): void {
    if (deaths === 0 || to - from === 1) {
      this.#again.push({ from, to, deaths: deaths + 1 });
      return;
    }
    const middle = from + ((to - from) >> 1);
    this.#again.push({ from: middle, to, deaths }, { from, to: middle, deaths });
  }

  /**
   * Sizes the next chunks to take about `CHUNK_MS`. Growth per step is limited, because one chunk
   * says little.
   */
  measured(runs: number, ms: number): void {
    const fitting = Math.round((runs * CHUNK_MS) / Math.max(ms, 1));
    this.#size = Math.max(1, Math.min(fitting, GROWTH_MAX * this.#size, CHUNK_RUNS_MAX));
  }
}
