import type { Piscina } from 'piscina';
import { traced } from '../data/tracing/index.js';
import { EngineError } from '../engine/errors.js';
import { bufferNumber } from '../engine/series/index.js';
import { type BacktestJob, type Outcome, ThreadFailure } from './backtest-protocol.js';
import type { BacktestEngine } from './compute-backtest.js';
import { openPool, type ThreadUse } from './thread-pool.js';

export interface BacktestPoolOptions {
  /** Most threads; one that has no job for a minute ends, but for the last. */
  readonly threads: number;
  /** Jobs that may wait for a thread. */
  readonly queueMax?: number;
  /** Time after which a job fails and its thread is ended, including the wait for a thread. */
  readonly deadlineMs?: number;
  /** Maximum heap of a thread in MB, bars excluded. A thread that needs more dies. */
  readonly heapMbMax?: number;
  /** Module that runs in the threads. */
  readonly task?: URL;
}

const QUEUE_MAX = 64;
const DEADLINE_MS = 25_000;
const HEAP_MB_MAX = 1_024;
const IDLE_MS = 60_000;
/** Attempts in all for a job whose thread dies. */
const ATTEMPTS_MAX = 2;

type Question = Pick<BacktestJob, 'work' | 'audit'>;

interface BacktestPool extends BacktestEngine {
  /** The same threads with another deadline. */
  within(deadlineMs: number): BacktestEngine;
  use(): ThreadUse;
  /** Starts a thread now; otherwise the first job does. */
  start(): void;
  /** Ends the threads; unfinished jobs fail. */
  close(): Promise<void>;
}

/** Threads load the same form of the code as this module: compiled, or through a loader. */
const extension = import.meta.url.endsWith('.ts') ? '.ts' : '.js';

/**
 * Threads for single backtests and audits. A job fails with the EngineError of its computation, a
 * ThreadFailure, or the reason of its signal. If the signal aborts after the job has begun, the
 * thread is ended too.
 */
export function openBacktestPool(options: BacktestPoolOptions): BacktestPool {
  const { queueMax = QUEUE_MAX, deadlineMs = DEADLINE_MS } = options;
  let started: Piscina | null = null;
  let isClosed = false;
  let inHand = 0; // jobs that run or wait for a thread

  const start = (): Piscina => (started ??= startThreads(options));

  async function send(question: Question, withinMs: number, signal?: AbortSignal): Promise<Outcome> {
    const begun = new Int32Array(new SharedArrayBuffer(4));
    const job: BacktestJob = { ...question, buffer: bufferNumber(question.work.bars.time.buffer), begun };
    const deadline = AbortSignal.timeout(withinMs);
    const either = signal === undefined ? deadline : AbortSignal.any([deadline, signal]);
    for (let attempt = 1; ; attempt++) {
      signal?.throwIfAborted();
      if (isClosed) throw new ThreadFailure('closed', 'the threads were ended');
      const pool = start();
      if (pool.queueSize >= queueMax) {
        throw new ThreadFailure('full', `${queueMax} backtests already wait for a thread`);
      }
      try {
        inHand++;
        return (await pool.run(job, { signal: either }).finally(() => inHand--)) as Outcome;
      } catch (error) {
        signal?.throwIfAborted();
        if (deadline.aborted) {
          if (Atomics.load(begun, 0) === 0) throw new ThreadFailure('full', `no thread was free within ${withinMs} ms`);
          throw new ThreadFailure('deadline', `no answer within ${withinMs} ms`);
        }
        if (isClosed) throw new ThreadFailure('closed', 'the threads were ended', { cause: error });
        if (attempt >= ATTEMPTS_MAX) {
          throw new ThreadFailure('died', `the backtest ended its thread ${attempt} times`, { cause: error });
        }
      }
    }
  }

  const within = (withinMs: number): BacktestEngine => ({
    async compute(work, signal) {
      const outcome = await traced({ name: 'backtest' }, () => send({ work, audit: null }, withinMs, signal));
      return outcome.kind === 'computed' ? outcome.value : refuse(outcome);
    },
    async audit(work, audit, signal) {
      const outcome = await traced({ name: 'audit' }, () => send({ work, audit }, withinMs, signal));
      return outcome.kind === 'audited' ? outcome.value : refuse(outcome);
    },
  });

  return {
    ...within(deadlineMs),
    within,
    use: () => use(started, inHand),
    start,
    async close() {
      isClosed = true;
      await started?.destroy();
    },
  };
}

function startThreads(options: BacktestPoolOptions): Piscina {
  const { threads, queueMax = QUEUE_MAX, heapMbMax = HEAP_MB_MAX } = options;
  const pool = openPool({
    filename: (options.task ?? new URL(`./backtest-task${extension}`, import.meta.url)).href,
    minThreads: 1, // each takes 20 MB at rest
    maxThreads: threads,
    idleTimeout: IDLE_MS,
    maxQueue: queueMax,
    resourceLimits: { maxOldGenerationSizeMb: heapMbMax },
  });
  pool.on('error', () => {}); // an idle thread died and is replaced; no job was running in it
  return pool;
}

function use(pool: Piscina | null, inHand: number): ThreadUse {
  const waiting = pool?.queueSize ?? 0;
  return { threads: pool?.threads.length ?? 0, busy: inHand - waiting, waiting };
}

function refuse(outcome: Outcome): never {
  if (outcome.kind === 'refused') throw new EngineError(outcome.code, outcome.message, outcome.details);
  throw new Error(outcome.kind === 'broken' ? outcome.reason : `a thread answered ${outcome.kind}`);
}
