import { betterSide, type MetricName, type Metrics, metricNames, rankingValue } from '../../engine/metrics/index.js';
import type { Ranking } from '../../engine/sweep/index.js';
import { type ChunkResult, runStatuses } from '../../workers/index.js';

export interface SweepProgress {
  readonly done: number;
  readonly total: number;
  /** Runs finished by this process, per second. */
  readonly runsPerSecond: number;
  readonly errors: number;
  readonly skipped: number;
  /**
   * The best run of this process so far, among those with enough trades to lead. Its value is null
   * for a ratio of a gain to no risk, which is above any number.
   */
  readonly best: { readonly run: number; readonly metric: MetricName; readonly value: number | null } | null;
}

const [OK, SKIPPED, ERROR] = [runStatuses.indexOf('ok'), runStatuses.indexOf('skipped'), runStatuses.indexOf('error')];
const WIDTH = metricNames.length;
const TRADES = metricNames.indexOf('total_trades');

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

/** The metrics of one run by name; NaN is null. */
const metricsRecord = (values: Float64Array): Partial<Metrics> =>
  Object.fromEntries(metricNames.map((name, m) => [name, Number.isNaN(values[m]) ? null : values[m]]));

/** Counts finished runs and reports the progress. */
export class Tally {
  #startMs = performance.now();
  #doneBefore = 0;
  #errors = 0;
  #skipped = 0;
  #best: { readonly run: number; readonly value: number } | null = null;

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
    const sign = betterSide(by) === 'lower' ? -1 : 1;
    for (let k = 0; k < count; k++) {
      if (statuses[k] === ERROR) this.#errors++;
      if (statuses[k] === SKIPPED) this.#skipped++;
      const own = metrics.subarray(k * WIDTH, (k + 1) * WIDTH);
      // biome-ignore lint/style/noNonNullAssertion: metrics has one value per run and metric
      if (statuses[k] !== OK || own[TRADES]! < minTrades) continue;
      // biome-ignore lint/style/noNonNullAssertion: metrics has one value per run and metric
      const plain = own[m]!;
      const value = plain === 0 || Number.isNaN(plain) ? rankingValue(by, metricsRecord(own)) : plain;
      if (value === null) continue;
      if (this.#best === null || sign * value > sign * this.#best.value) this.#best = { run: from + k, value };
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
      best: this.#best === null ? null : { ...this.#best, metric: this.ranking.by, value: finite(this.#best.value) },
    });
  }
}
