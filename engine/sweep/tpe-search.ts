import { SplitMix64 } from '../statistics/index.js';
import type { ConfigurationTree, Decision, Picker } from './configuration-tree.js';
import type { TpeSettings } from './definition.js';
import { Cells, ParzenEstimate } from './parzen.js';

/**
 * Sets of candidates that are drawn, and may all have been run already, before any unused
 * configuration is taken.
 */
const ROUNDS_MAX = 8;

/**
 * Tree-structured Parzen Estimator (Bergstra, Bardenet, Bengio and Kegl 2011, "Algorithms for
 * Hyper-Parameter Optimization", section 4): the trials so far are split into a good part and the
 * rest, and the decisions of each part give the densities l and g. Of several candidates drawn from
 * l the search tries the one with the highest l / g, which has the greatest expected improvement.
 * Each dimension has its own densities, over the trials that reached it. The densities of a set of
 * filters, or of parameters with constraints, would need a normalizer. It is left out, because the
 * ratio only ranks candidates.
 *
 * Batches depend only on the seed and on the results told, not on time or threads.
 */
export class TpeSearch {
  readonly #random: SplitMix64;
  readonly #cells: readonly Cells[];
  /** In order of the trials; the last ones have no value until it is told. */
  readonly #decisions: (readonly Decision[])[] = [];
  readonly #values: number[] = [];
  /** Trials by value, the best first; of equal trials the earlier first. */
  readonly #ranking: number[] = [];
  readonly #used = new Set<number | string>();
  /** By dimension: how many of the trials with a value decided for each cell. */
  readonly #counts: readonly Float64Array[];

  /**
   * @param trialCount at most the number of distinct keys in the tree
   * @param keyOf equal for places that are the same configuration
   */
  constructor(
    private readonly tree: ConfigurationTree,
    private readonly settings: TpeSettings,
    private readonly trialCount: number,
    seed: bigint,
    private readonly keyOf: (place: number) => number | string = (place) => place,
  ) {
    this.#random = new SplitMix64(seed);
    this.#cells = tree.dimensions.map((dimension) => new Cells(dimension));
    this.#counts = this.#noCounts();
  }

  /**
   * Places of the next batch, each with a new configuration; empty after the last trial. The values
   * of all earlier batches must have been told.
   */
  propose(): Float64Array {
    const { startupTrials, batch, candidates } = this.settings;
    const done = this.#decisions.length;
    const isStartup = done < startupTrials;
    const count = Math.min(isStartup ? startupTrials : batch, this.trialCount - done);
    const model = this.#model();
    return Float64Array.from({ length: count }, () => this.#next(model, isStartup ? 1 : candidates));
  }

  /** @param values of the batch just proposed, in its order; higher is better, NaN is the worst */
  tell(values: Float64Array): void {
    for (const value of values) {
      const trial = this.#values.length;
      this.#values.push(Number.isNaN(value) ? -Infinity : value);
      this.#ranking.splice(this.#rankOf(this.#values[trial]), 0, trial);
      this.#count(trial, 1, this.#counts);
    }
  }

  /** The rank of a value, behind all trials that are as good. */
  #rankOf(value: number): number {
    let from = 0;
    let to = this.#ranking.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (this.#values[this.#ranking[middle]] >= value) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  #noCounts(): Float64Array[] {
    return this.#cells.map(({ count }) => new Float64Array(count));
  }

  #count(trial: number, by: number, counts: readonly Float64Array[]): void {
    for (const { dimension, digit } of this.#decisions[trial])
      counts[dimension][this.#cells[dimension].of(digit)] += by;
  }

  #model(): Model {
    const good = this.#noCounts();
    const rest = this.#counts.map((counts) => counts.slice());
    const goodCount = Math.ceil(this.settings.goodFraction * this.#ranking.length);
    for (const trial of this.#ranking.slice(0, goodCount)) {
      if (this.#values[trial] === -Infinity) break; // it failed, and so did all trials behind it
      this.#count(trial, 1, good);
      this.#count(trial, -1, rest);
    }
    return new Model(this.#cells, good, rest);
  }

  #next(model: Model, candidates: number): number {
    const random = this.#random;
    const picker: Picker = {
      pick: (dimension, taken) => model.good(dimension).draw(random, taken),
      below: (n) => random.below(n),
    };
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const drawn = Array.from({ length: candidates }, () => {
        const { decisions, place } = this.tree.draw(picker);
        return { decisions, place, score: model.score(decisions) };
      });
      drawn.sort((a, b) => b.score - a.score);
      for (const { decisions, place } of drawn) {
        const found = place();
        if (this.#use(found, decisions)) return found;
      }
    }
    let place = random.below(this.tree.size);
    while (!this.#use(place)) place = (place + 1) % this.tree.size;
    return place;
  }

  /** Takes a place for a trial; false when its configuration is a trial already. */
  #use(place: number, decisions?: readonly Decision[]): boolean {
    const key = this.keyOf(place);
    if (this.#used.has(key)) return false;
    this.#used.add(key);
    this.#decisions.push(decisions ?? this.tree.decisionsAt(place));
    return true;
  }
}

/** The densities of good trials and of the rest, computed at first use. */
class Model {
  readonly #good: ParzenEstimate[] = [];
  /** log(l / g) of each cell. */
  readonly #ratios: Float64Array[] = [];

  constructor(
    private readonly cells: readonly Cells[],
    private readonly goodCounts: readonly Float64Array[],
    private readonly restCounts: readonly Float64Array[],
  ) {}

  good(dimension: number): ParzenEstimate {
    this.#good[dimension] ??= new ParzenEstimate(this.cells[dimension], this.goodCounts[dimension]);
    return this.#good[dimension];
  }

  /** log(l / g), the sum over the dimensions. */
  score(decisions: readonly Decision[]): number {
    let score = 0;
    for (const { dimension, digit } of decisions) score += this.#ratio(dimension)[this.cells[dimension].of(digit)];
    return score;
  }

  #ratio(dimension: number): Float64Array {
    if (this.#ratios[dimension] === undefined) {
      const { mass: rest } = new ParzenEstimate(this.cells[dimension], this.restCounts[dimension]);
      this.#ratios[dimension] = this.good(dimension).mass.map((mass, cell) => Math.log(mass / rest[cell]));
    }
    return this.#ratios[dimension];
  }
}
