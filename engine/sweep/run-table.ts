// biome-ignore-all lint/style/noNonNullAssertion: columns have a place for every run of the sweep
import { betterSide, type MetricName, rankingValue, ratioDenominator, stated } from '../metrics/index.js';
import type { TrialReturns } from '../statistics/index.js';
import { isAssessed } from './assessed-runs.js';
import { joinTries, TRIES_KEPT } from './tries.js';

/** A run that traded. */
interface TradedRun {
  readonly run: number;
  /** Index of its dataset. */
  readonly dataset: number;
  readonly configHash: string;
  /** By period, where the judgement takes the run, see `isAssessed`. */
  readonly returns: Float32Array | null;
}

/** Runs of a dataset that traded. */
interface Counts {
  readonly count: number;
  /** With enough trades to lead. */
  readonly eligible: number;
  /** That earned. */
  readonly profitable: number;
  readonly bestReturn: number;
}

/** The best run of a dataset, and what it is the best of. */
export interface Leader extends Counts {
  readonly run: number;
  readonly trades: number;
  /** Null for a ratio without denominator, see `stated`. */
  readonly value: number | null;
}

/** The runs of a dataset whose returns were kept, ascending, and these returns. */
export interface JudgedTrials {
  readonly runs: readonly number[];
  readonly trials: TrialReturns;
}

/** The trials with a lower run number than `end`. */
export function firstTrials({ runs, trials }: JudgedTrials, end: number): TrialReturns {
  const { periodCount, values } = trials;
  const next = runs.findIndex((run) => run >= end);
  const rowCount = next === -1 ? runs.length : next;
  return { rowCount, periodCount, values: values.subarray(0, rowCount * periodCount) };
}

/** The metrics that a ranking reads. */
export const rankingFigures = (by: MetricName): readonly MetricName[] => {
  const { gain, risk } = ratioDenominator(by) ?? {};
  const all = [by, 'total_trades', 'total_return', gain, risk].filter((name) => name !== undefined);
  return [...new Set(all as MetricName[])];
};

/**
 * What the runs of a sweep gave, in memory: enough to rank and judge them by one metric. A run takes
 * some 50 bytes, and 1 KB more where its returns are kept.
 */
export class RunTable {
  /** One more than the index of the dataset; 0 for runs that did not trade, or are not there. */
  readonly #dataset: Uint32Array;
  /** Identities in two words. */
  readonly #hash: Uint32Array;
  readonly #figures: ReadonlyMap<MetricName, Float64Array>;
  /** By dataset, until they are asked for. */
  readonly #returns = new Map<number, { readonly run: number; readonly values: Float32Array }[]>();
  readonly #judged = new Map<number, JudgedTrials>();

  /** @param by the metric that ranks the runs */
  constructor(
    readonly by: MetricName,
    private readonly totalRuns: number,
  ) {
    this.#dataset = new Uint32Array(totalRuns);
    this.#hash = new Uint32Array(2 * totalRuns);
    this.#figures = new Map(rankingFigures(by).map((name) => [name, new Float64Array(totalRuns)]));
  }

  /** @param figure gives the metrics of `rankingFigures`, NaN for null */
  add({ run, dataset, configHash, returns }: TradedRun, figure: (name: MetricName) => number): void {
    this.#dataset[run] = dataset + 1;
    for (const word of [0, 1])
      this.#hash[2 * run + word] = Number.parseInt(configHash.slice(8 * word, 8 * word + 8), 16);
    for (const [name, column] of this.#figures) column[run] = figure(name);
    if (returns === null) return;
    const kept = this.#returns.get(dataset);
    if (kept === undefined) this.#returns.set(dataset, [{ run, values: returns }]);
    else kept.push({ run, values: returns });
  }

  /**
   * The best run of each dataset in which a run traded: those with enough trades come first, then
   * the better value, of ratios above any number the larger gain, then the lower run.
   * @param isJudged only runs whose returns were kept may be the best
   */
  leaders(minTrades: number, { isJudged }: { readonly isJudged: boolean }): ReadonlyMap<number, Leader> {
    const trades = this.#column('total_trades');
    const total = this.#column('total_return');
    const found = new Map<number, Mutable<Counts> & { best: number }>();
    for (let run = 0; run < this.totalRuns; run++) {
      if (!this.hasTraded(run)) continue;
      const dataset = this.#dataset[run]! - 1;
      let own = found.get(dataset);
      if (own === undefined) {
        own = { best: -1, count: 0, eligible: 0, profitable: 0, bestReturn: Number.NEGATIVE_INFINITY };
        found.set(dataset, own);
      }
      own.count++;
      if (trades[run]! >= minTrades) own.eligible++;
      if (total[run]! > 0) own.profitable++;
      own.bestReturn = Math.max(own.bestReturn, total[run]!);
      if (isJudged && !isAssessed(run, this.totalRuns)) continue;
      if (own.best === -1 || this.#isBetter(run, own.best, minTrades)) own.best = run;
    }
    return new Map(
      [...found].flatMap(([dataset, { best: run, ...counts }]) =>
        run === -1 ? [] : [[dataset, { run, trades: trades[run]!, value: this.value(run), ...counts }]],
      ),
    );
  }

  /** The value of a run that traded as it is stated. */
  value(run: number): number | null {
    return stated(this.by, this.#known(run)).value;
  }

  /** The runs with these identities that traded. */
  find(hashes: ReadonlySet<string>): number[] {
    const found: number[] = [];
    if (hashes.size === 0) return found;
    const heads = new Set([...hashes].map((hash) => Number.parseInt(hash.slice(0, 8), 16)));
    for (let run = 0; run < this.totalRuns; run++) {
      if (this.hasTraded(run) && heads.has(this.#hash[2 * run]!) && hashes.has(this.#identity(run))) found.push(run);
    }
    return found;
  }

  hasTraded(run: number): boolean {
    return this.#dataset[run] !== 0;
  }

  /** How many of these neighbours of a run traded, and the mean of their values. */
  plateau(runs: readonly number[]): { readonly neighbours: number; readonly mean: number | null } {
    const traded = runs.filter((run) => this.hasTraded(run));
    const values = traded.map((run) => this.value(run)).filter((value) => value !== null);
    const mean = values.length === 0 ? null : values.reduce((sum, one) => sum + one, 0) / values.length;
    return { neighbours: traded.length, mean };
  }

  /** The lowest identities of the runs of some datasets that traded, see `joinTries`. */
  tried(isOf: (dataset: number) => boolean): string[] {
    const runs: number[] = [];
    for (let run = 0; run < this.totalRuns; run++) {
      if (this.hasTraded(run) && isOf(this.#dataset[run]! - 1)) runs.push(run);
    }
    // Hashes are even, so the lowest are below a bound, but for runs that repeat each other.
    const bound = (2 * TRIES_KEPT * 2 ** 32) / runs.length;
    const lowest = joinTries(runs.filter((run) => this.#hash[2 * run]! < bound).map((run) => this.#identity(run)));
    return lowest.length === TRIES_KEPT || bound >= 2 ** 32
      ? lowest
      : joinTries(runs.map((run) => this.#identity(run)));
  }

  /** The returns of the runs of a dataset, in memory that threads share. */
  trials(dataset: number): JudgedTrials {
    let judged = this.#judged.get(dataset);
    if (judged !== undefined) return judged;
    const own = (this.#returns.get(dataset) ?? []).sort((a, b) => a.run - b.run);
    this.#returns.delete(dataset);
    const periodCount = own[0]?.values.length ?? 0;
    const values = new Float32Array(new SharedArrayBuffer(own.length * periodCount * Float32Array.BYTES_PER_ELEMENT));
    for (const [row, one] of own.entries()) values.set(one.values, row * periodCount);
    judged = { runs: own.map(({ run }) => run), trials: { rowCount: own.length, periodCount, values } };
    this.#judged.set(dataset, judged);
    return judged;
  }

  #isBetter(run: number, best: number, minTrades: number): boolean {
    const trades = this.#column('total_trades');
    const mayLead = trades[run]! >= minTrades;
    if (mayLead !== trades[best]! >= minTrades) return mayLead;
    const [value, held] = [this.#ranked(run), this.#ranked(best)];
    if (value !== held) {
      if (value === null || held === null) return held === null;
      return betterSide(this.by) === 'lower' ? value < held : value > held;
    }
    const gain = ratioDenominator(this.by)?.gain;
    if (gain === undefined || Number.isFinite(value)) return false;
    return this.#column(gain)[run]! > this.#column(gain)[best]!;
  }

  #ranked(run: number): number | null {
    const plain = this.#column(this.by)[run]!;
    return plain === 0 || Number.isNaN(plain) ? rankingValue(this.by, this.#known(run)) : plain;
  }

  #column(name: MetricName): Float64Array {
    return this.#figures.get(name)!;
  }

  #known(run: number): Partial<Record<MetricName, number | null>> {
    const values = Array.from(this.#figures, ([name, column]) => [name, finite(column[run]!)]);
    return Object.fromEntries(values);
  }

  #identity(run: number): string {
    const word = (k: number) => this.#hash[2 * run + k]!.toString(16).padStart(8, '0');
    return word(0) + word(1);
  }
}

type Mutable<T> = { -readonly [Name in keyof T]: T[Name] };

const finite = (value: number): number | null => (Number.isNaN(value) ? null : value);
