/**
 * A thread costs this much before it helps: it loads code, plans, and makes the masks that the
 * others have. Measured: two threads lose to one below 1.5 s of work for one, and win from 2 s on.
 */
const THREAD_COST_MS = 1_500;

/**
 * The least that a run costs, by its bars: what is skipped at once costs no more. A tenth of a run
 * that trades.
 */
const RUN_MS = 0.02;
const BAR_MS = 0.000_000_5;

/** Threads that end work soonest that takes one thread so long. */
export const threadsWorth = (workMs: number, threadsMax: number): number =>
  Math.min(1 + Math.floor(workMs / THREAD_COST_MS), threadsMax);

/** What a plan costs one thread at least, before any of its runs is measured. */
export const leastWorkMs = (runs: number, barsOfRun: number): number => runs * (RUN_MS + BAR_MS * barsOfRun);

/**
 * Work that is measured before it says how long the rest takes: the first runs of a thread are
 * slow.
 */
const MEASURED_MS_MIN = 250;

/**
 * How many threads what is left of a sweep is worth, as its runs are measured. Never fewer than
 * there were.
 */
export class ThreadChoice {
  count: number;
  #left: number;
  #measuredMs = 0;

  /**
   * @param runs still to be done
   * @param barsOfRun the mean over the runs
   */
  constructor(
    runs: number,
    barsOfRun: number,
    private readonly threadsMax: number,
  ) {
    this.#left = runs;
    this.count = threadsWorth(leastWorkMs(runs, barsOfRun), threadsMax);
  }

  /** Takes note of a finished chunk. */
  measured(runs: number, ms: number): void {
    this.#left -= runs;
    this.#measuredMs += ms;
    if (this.#measuredMs < MEASURED_MS_MIN || runs === 0) return;
    this.count = Math.max(this.count, threadsWorth((this.#left * ms) / runs, this.threadsMax));
  }
}
