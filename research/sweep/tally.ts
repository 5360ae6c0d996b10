import { metricNames } from '../../engine/index.js';
import { type ChunkResult, runStatuses } from '../../workers/index.js';

export interface SweepProgress {
  readonly done: number;
  readonly total: number;
  /** Runs finished by this process, per second. */
  readonly runsPerSecond: number;
  readonly errors: number;
  readonly skipped: number;
  /** The run of this process with the highest Sharpe ratio so far. */
  readonly best: { readonly run: number; readonly sharpe: number } | null;
}

const [OK, SKIPPED, ERROR] = [runStatuses.indexOf('ok'), runStatuses.indexOf('skipped'), runStatuses.indexOf('error')];
const WIDTH = metricNames.length;
const SHARPE = metricNames.indexOf('sharpe_ratio');

/** Counts finished runs and reports the progress. */
export class Tally {
  #startMs = performance.now();
  #doneBefore = 0;
  #errors = 0;
  #skipped = 0;
  #best: SweepProgress['best'] = null;

  constructor(
    private readonly total: number,
    private readonly report: (progress: SweepProgress) => void,
  ) {}

  start(done: number): void {
    this.#startMs = performance.now();
    this.#doneBefore = done;
    this.#say(done);
  }

  add({ from, count, statuses, metrics }: ChunkResult, done: number): void {
    for (let k = 0; k < count; k++) {
      if (statuses[k] === ERROR) this.#errors++;
      if (statuses[k] === SKIPPED) this.#skipped++;
      // biome-ignore lint/style/noNonNullAssertion: metrics has one value per run and metric
      const sharpe = metrics[k * WIDTH + SHARPE]!;
      if (statuses[k] === OK && (this.#best === null || sharpe > this.#best.sharpe))
        this.#best = { run: from + k, sharpe };
    }
    this.#say(done);
  }

  #say(done: number): void {
    const seconds = (performance.now() - this.#startMs) / 1_000;
    this.report({
      done,
      total: this.total,
      runsPerSecond: seconds === 0 ? 0 : (done - this.#doneBefore) / seconds,
      errors: this.#errors,
      skipped: this.#skipped,
      best: this.#best,
    });
  }
}
