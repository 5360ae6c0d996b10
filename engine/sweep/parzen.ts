import type { SplitMix64 } from '../statistics/index.js';
import type { Dimension } from './configuration-tree.js';

/**
 * Most cells of an ordinal dimension. In longer ones several digits share a cell, since a kernel is
 * at least a hundredth of the range wide.
 */
const CELLS_MAX = 128;
/** Weight of the uniform prior, in observations. */
const PRIOR_WEIGHT = 1;
/** Width of the narrowest kernels: a part of the range, and a number of cells. */
const RANGE_PARTS_MAX = 100;
const DEVIATION_MIN = 0.5;

/**
 * The digits of one dimension, counted in cells: one digit per cell, or several neighbours in long
 * ordinal dimensions.
 */
export class Cells {
  readonly count: number;

  constructor(readonly dimension: Dimension) {
    const { size, isOrdinal } = dimension;
    this.count = isOrdinal ? Math.min(size, CELLS_MAX) : size;
  }

  of(digit: number): number {
    return Math.floor((digit * this.count) / this.dimension.size);
  }

  /** The first digit of a cell. */
  start(cell: number): number {
    return Math.ceil((cell * this.dimension.size) / this.count);
  }

  /** Number of digits of a cell. */
  width(cell: number): number {
    return this.start(cell + 1) - this.start(cell);
  }
}

/**
 * Parzen estimate of the distribution of digits in one dimension: the mean of one kernel per
 * observation and of a uniform prior with the weight of one observation (Bergstra et al. 2011,
 * section 4). The kernel of a name is all on that name. The kernel of an ordinal digit is a normal
 * density cut to the range. Its deviation is the greater distance to its two neighbours, at most
 * the range, and at least the range over the number of observations and the prior, or over 100 if
 * there are more.
 */
export class ParzenEstimate {
  /** Probability of each cell, all above 0. */
  readonly mass: Float64Array;
  /** Sums of the masses up to and including each cell. */
  readonly #sums: Float64Array;

  /** @param counts observations by cell */
  constructor(
    private readonly cells: Cells,
    counts: Float64Array,
  ) {
    this.mass = cells.dimension.isOrdinal ? smoothed(counts) : counts.slice();
    const total = counts.reduce((sum, count) => sum + count, 0) + PRIOR_WEIGHT;
    this.#sums = new Float64Array(cells.count);
    let sum = 0;
    for (let c = 0; c < cells.count; c++) {
      const prior = (PRIOR_WEIGHT * cells.width(c)) / cells.dimension.size;
      this.mass[c] = (this.mass[c] + prior) / total;
      this.#sums[c] = sum += this.mass[c];
    }
  }

  /**
   * Draws a digit by its probability, as if the digits taken had probability 0. Only names can be
   * taken, and few of them.
   */
  draw(random: SplitMix64, taken: readonly number[]): number {
    const cell = taken.length === 0 ? this.#drawCell(random) : this.#drawOther(random, taken);
    return this.cells.start(cell) + random.below(this.cells.width(cell));
  }

  #drawCell(random: SplitMix64): number {
    const sums = this.#sums;
    let to = sums.length - 1;
    const target = random.uniform() * sums[to];
    let from = 0;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (sums[middle] > target) to = middle;
      else from = middle + 1;
    }
    return from;
  }

  #drawOther(random: SplitMix64, taken: readonly number[]): number {
    const free = Array.from(this.mass.keys()).filter((cell) => !taken.includes(cell));
    let left = random.uniform() * free.reduce((sum, cell) => sum + this.mass[cell], 0);
    for (const cell of free) {
      left -= this.mass[cell];
      if (left < 0) return cell;
    }
    return free[free.length - 1]; // only by rounding
  }
}

/** The sum of the kernels of all observations, by cell. */
function smoothed(counts: Float64Array): Float64Array {
  const cells = counts.length;
  const mass = new Float64Array(cells);
  const kernel = new Float64Array(cells);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const narrowest = Math.max(DEVIATION_MIN, cells / Math.min(RANGE_PARTS_MAX, total + PRIOR_WEIGHT));
  const nextFrom = (from: number): number => {
    const c = counts.findIndex((count, cell) => cell >= from && count > 0);
    return c === -1 ? cells : c;
  };
  let before = -1;
  for (let c = nextFrom(0); c < cells; ) {
    const after = nextFrom(c + 1);
    const deviation = Math.min(cells, Math.max(c - before, after - c, narrowest));
    let sum = 0;
    for (let i = 0; i < cells; i++) {
      const distance = (i - c) / deviation;
      kernel[i] = Math.exp(-0.5 * distance * distance);
      sum += kernel[i];
    }
    for (let i = 0; i < cells; i++) mass[i] += (kernel[i] / sum) * counts[c];
    before = c;
    c = after;
  }
  return mass;
}
