import { betterOf, type MetricName, metricNames, type Ranking } from '../../engine/index.js';
import { type ChunkResult, runStatuses } from '../../workers/index.js';

export interface SweepProgress {
  readonly done: number;
  readonly total: number;
  /** Runs finished by this process, per second. */
  readonly runsPerSecond: number;
  readonly errors: number;
  readonly skipped: number;
  /** The best run of this process so far, among those with enough trades to lead. */
  readonly best: { readonly run: number; readonly metric: MetricName; readonly value: number } | null;
}

const [OK, SKIPPED, ERROR] = [runStatuses.indexOf('ok'), runStatuses.indexOf('skipped'), runStatuses.indexOf('error')];
const WIDTH = metricNames.length;
const TRADES = metricNames.indexOf('total_trades');

/** Counts finished runs and reports the progress. */
export class Tally {
  #startMs = performance.now();
  #doneBefore = 0;
  #errors = 0;
  #skipped = 0;
  #best: SweepProgress['best'] = null;

  constructor(
    private readonly total: number,
    private readonly ranking: Ranking,
    private readonly report: (progress: SweepProgress) => void,
  ) {}

  start(done: number): void {
    this.#startMs = performance.now();
    this.#doneBefore = done;
    this.#say(done);
  }

  add({ from, count, statuses, metrics }: ChunkResult, done: number): void {
    const { by, minTrades } = this.ranking;
    const m = metricNames.indexOf(by);
    const sign = betterOf(by) === 'lower' ? -1 : 1;
    for (let k = 0; k < count; k++) {
      if (statuses[k] === ERROR) this.#errors++;
      if (statuses[k] === SKIPPED) this.#skipped++;
      // biome-ignore-start lint/style/noNonNullAssertion: metrics has one value per run and metric
      const [value, trades] = [metrics[k * WIDTH + m]!, metrics[k * WIDTH + TRADES]!];
      // biome-ignore-end lint/style/noNonNullAssertion: metrics has one value per run and metric
      if (statuses[k] !== OK || trades < minTrades || Number.isNaN(value)) continue;
      if (this.#best === null || sign * value > sign * this.#best.value)
        this.#best = { run: from + k, metric: by, value };
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
