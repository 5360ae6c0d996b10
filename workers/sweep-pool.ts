import { EngineError } from '../engine/index.js';
import type { ChunkResult, RunRange, SweepSetup } from './sweep-protocol.js';
import type { SweepThreads } from './sweep-threads.js';
import type { ThreadChoice } from './threads-worth.js';

export interface SweepPoolOptions {
  readonly setup: SweepSetup;
  readonly threads: SweepThreads;
  /**
   * Runs still to be done, as ascending ranges that do not overlap; in a search that learns, batch
   * by batch. A batch is asked for when `onChunk` is done with all results of the one before.
   */
  readonly batches: Iterable<readonly RunRange[]>;
  /** Says after each chunk how many threads are worth it; all of them without it. */
  readonly choice?: ThreadChoice | undefined;
  /** Runs of the first chunk, where it is known how long they take. */
  readonly firstChunkRuns?: number | undefined;
  /** In a search that learns: where runs are in its space. */
  readonly placesOf?: ((range: RunRange) => Float64Array) | undefined;
  /** The runs are not run: this is the error that their rows tell of. */
  readonly failure?: string | undefined;
  /**
   * Called for every finished chunk, one call at a time; the next chunk of a thread waits while
   * results pile up.
   */
  readonly onChunk: (result: ChunkResult) => Promise<void>;
}

/**
 * A chunk is as many runs as fill this time: long enough to be worth a file, short enough to lose.
 */
const CHUNK_MS = 600;
const FIRST_CHUNK_RUNS = 8;
const GROWTH_MAX = 16;
const CHUNK_RUNS_MAX = 4_096;
/** A run that kills its thread, or its process, is tried so often before its row says so. */
export const RUN_ATTEMPTS_MAX = 3;

interface Chunk extends RunRange {
  /** Threads that died on it. */
  readonly deaths: number;
}

/**
 * Runs what is missing of a sweep on threads, until it is done or `setup.stop` is set. A chunk
 * whose thread dies is done again; one that kills a second thread is halved, down to the run that
 * does it, which after three attempts has an error for its result and stops nobody else.
 */
export async function runSweepChunks(options: SweepPoolOptions): Promise<void> {
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
  /** As many work as are worth it. */
  const staff = (): void => {
    chunks.share(choice.count);
    while (working.length < choice.count) working.push(work().catch(fail));
  };
  const work = async (): Promise<void> => {
    for (let chunk = chunks.next(); chunk !== null && !isOver(); chunk = chunks.next()) {
      const result = await attempt(send, chunk, chunks);
      if (result === null) continue;
      choice.measured(result.count, msOf(result));
      if (choice.count > working.length) staff();
      if (result.writeError !== null) throw new Error(result.writeError);
      taking = taking.then(() => onChunk(result));
      await taking; // whoever takes results slowly holds the threads back
    }
  };
  // The others finish their chunks first: a thread that is ended while it writes takes the process
  // with it.
  const fail = (error: unknown): void => {
    failure ??= { error };
  };
  const broken = threads.broken.catch(fail);
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
  if (failure !== null) throw (failure as { readonly error: unknown }).error;
}

/** @param failure written in place of running */
type Send = (chunk: RunRange, failure?: string) => Promise<ChunkResult>;

/** Null when the thread died and the chunk, or its halves, wait again. */
async function attempt(send: Send, chunk: Chunk, chunks: ChunkQueue): Promise<ChunkResult | null> {
  const { from, to, deaths } = chunk;
  try {
    const result = await send(chunk);
    chunks.measured(result.count, msOf(result));
    chunks.putBack({ from: from + result.count, to, deaths: 0 });
    return result;
  } catch (error) {
    if (to - from === 1 && deaths + 1 >= RUN_ATTEMPTS_MAX) {
      return failedRun(send, chunk, messageOf(error));
    }
    chunks.putBackBroken(chunk);
    return null;
  }
}

/**
 * Has a thread write the row of a run that no thread survives.
 * @throws INVALID_DATA where that is the end of the thread as well
 */
async function failedRun(send: Send, run: RunRange, reason: string): Promise<ChunkResult> {
  try {
    return await send(run, `the run ended its thread ${RUN_ATTEMPTS_MAX} times: ${reason}`);
  } catch (error) {
    throw new EngineError('INVALID_DATA', `run ${run.from} cannot have a row: ${messageOf(error)}`);
  }
}

const msOf = ({ elapsedMs }: ChunkResult): number => elapsedMs.reduce((sum, ms) => sum + ms, 0);

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What is left to do, cut into chunks whose size follows the measured cost of a run. */
class ChunkQueue {
  #ranges: Chunk[] = [];
  /** Chunks to be done again; they are not cut anew. */
  readonly #again: Chunk[] = [];
  #size: number;
  #sizeMax = CHUNK_RUNS_MAX;

  constructor(firstRuns = FIRST_CHUNK_RUNS) {
    this.#size = firstRuns;
  }

  /** The next batch, when the one before is done. */
  add(batch: readonly RunRange[]): void {
    this.#ranges = batch.map(({ from, to }) => ({ from, to, deaths: 0 })).reverse();
  }

  /** No chunk is so long that another of so many threads would have none. */
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
   * The next chunks take about `CHUNK_MS`; growing at most so much at a time, for one chunk says
   * little.
   */
  measured(runs: number, ms: number): void {
    const fitting = Math.round((runs * CHUNK_MS) / Math.max(ms, 1));
    this.#size = Math.max(1, Math.min(fitting, GROWTH_MAX * this.#size, CHUNK_RUNS_MAX));
  }
}
