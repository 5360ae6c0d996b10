/**
 * Cost of a thread before it helps: it loads code, plans, and computes masks that other threads
 * already have. Measured: a second thread gains nothing below 0.5 s of single-thread work, loses up
 * to a tenth or gains as much between 0.5 and 1 s, and gains above.
 */
const THREAD_COST_MS = 500;

/**
 * Lower bound on the cost of a run, by its bars: the cost of a run that is skipped at once, about a
 * tenth of a run that trades.
 */
const RUN_MS = 0.02;
const BAR_MS = 0.000_000_5;

/** Number of threads that finish `workMs` of single-thread work soonest. */
export const threadsWorth = (workMs: number, threadsMax: number): number =>
  Math.min(1 + Math.floor(workMs / THREAD_COST_MS), threadsMax);

/** Lower bound on the single-thread time of a plan, before any run is measured. */
const leastWorkMs = (runs: number, barsOfRun: number): number => runs * (RUN_MS + BAR_MS * barsOfRun);

/** Time to measure before extrapolating: the first runs of a thread are slow. */
const MEASURED_MS_MIN = 250;

/**
 * Chooses the number of threads for the rest of a sweep from measured runs. The number never falls.
 */
export class ThreadChoice {
  count: number;
  #left: number;
  #measuredMs = 0;

  /**
   * @param runs number of runs still to do
   * @param barsOfRun mean number of bars per run
   */
  constructor(
    runs: number,
    barsOfRun: number,
    private readonly threadsMax: number,
  ) {
    this.#left = runs;
    this.count = threadsWorth(leastWorkMs(runs, barsOfRun), threadsMax);
  }

  /** Records a finished chunk. */
  measured(runs: number, ms: number): void {
    this.#left -= runs;
    this.#measuredMs += ms;
    if (this.#measuredMs < MEASURED_MS_MIN || runs === 0) return;
    this.count = Math.max(this.count, threadsWorth((this.#left * ms) / runs, this.threadsMax));
  }
}
