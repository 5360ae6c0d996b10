import { DEVIATION_MIN } from '../metrics/returns.js';
import { type Kernels, kernelsIn } from '../simd/kernels.js';
import { sharedMemory } from './shared-memory.js';

/** Trials whose p-values are adjusted step by step. */
const STEPS_MAX = 10;

/** A trial, its t-value, and its p-value by Romano and Wolf. */
export interface Step {
  readonly row: number;
  readonly t: number;
  readonly pValue: number;
}

/**
 * What the best of many trials shows when luck had as many chances. A p-value is (c + 1) / (B + 1),
 * where luck does at least as well in c of B resamples.
 */
export interface BestOfMany {
  /** White's reality check, on the largest mean return. */
  readonly realityCheckP: number;
  /** Hansen's test of superior predictive ability, on the largest t-value. */
  readonly superiorP: number;
  /** The trials with the highest t-values, best first. */
  readonly steps: readonly Step[];
  /**
   * t-value of each row: mean return over the standard error of independent returns; 0 where they
   * never differ.
   */
  readonly ts: Float64Array;
  /** The largest t-value of trials without skill in each resample, ascending. */
  readonly luckyTs: Float64Array;
}

/** A trial among the best so far, with its t-values in the resamples, each less the own mean. */
interface Candidate {
  readonly row: number;
  readonly t: number;
  readonly values: Float64Array;
}

/** What a range of trials reaches; plain data, so that it can come from another thread. */
export interface MaximaPart {
  /** t-value of each trial of the range. */
  readonly ts: Float64Array;
  readonly bestMean: number;
  /** Per resample: largest mean, each less its mean in the data. */
  readonly means: Float64Array;
  /** Largest t-value, less the mean of the data where the trial is not clearly bad. */
  readonly superior: Float64Array;
  /** Largest t-value of all trials that are not candidates. */
  readonly rest: Float64Array;
  /** Best first, of equals the first row. */
  readonly best: readonly Candidate[];
}

/** Collects, per resample, the best that trials without skill reach, until `release`. */
export class Maxima {
  readonly #ts: Float64Array;
  /** The three maxima below, in the memory of the kernels; of each an even number. */
  readonly #room: Float64Array;
  readonly #kernels: Kernels;
  /** Largest mean, each less its mean in the data. */
  readonly #means: Float64Array;
  /** Largest t-value, less the mean of the data where the trial is not clearly bad. */
  readonly #superior: Float64Array;
  /** Largest t-value of all trials that are not candidates. */
  readonly #rest: Float64Array;
  /** Best first. */
  #best: Candidate[] = [];
  #bestMean = -Infinity;
  /** A trial with a lower t-value is clearly bad. */
  readonly #threshold: number;
  readonly #widening: number;
  readonly #root: number;

  /** @param first row of the range, whose trials come in ascending order */
  constructor(
    private readonly first: number,
    rowCount: number,
    periodCount: number,
    resampleCount: number,
    meanBlock: number,
  ) {
    this.#root = Math.sqrt(periodCount);
    // Resampled means vary less than means do: by (2 b - 1) / n of their variance in independent
    // returns, since a resample repeats whole blocks of the same n periods.
    this.#widening = 1 / Math.sqrt(Math.max(0.5, 1 - (2 * meanBlock - 1) / periodCount));
    this.#ts = new Float64Array(rowCount);
    const each = 2 * Math.ceil(resampleCount / 2);
    this.#room = sharedMemory().allocate(3 * each);
    const kernels = kernelsIn([this.#room]);
    if (kernels === null) throw new Error('the kernels reach their own memory');
    this.#kernels = kernels;
    const maxima = (k: number) => this.#room.subarray(k * each, k * each + resampleCount);
    this.#means = maxima(0).fill(-Infinity);
    this.#superior = maxima(1).fill(0);
    this.#rest = maxima(2).fill(-Infinity);
    this.#threshold = -Math.sqrt(2 * Math.log(Math.log(Math.max(3, periodCount))));
  }

  /**
   * @param deviation standard deviation of the trial's returns
   * @param means of the trial in each resample, in the memory of the kernels and with room for an
   *   even number
   */
  add(row: number, mean: number, deviation: number, means: Float64Array): void {
    const widening = this.#widening;
    this.#bestMean = Math.max(this.#bestMean, mean);
    if (!(deviation >= DEVIATION_MIN)) {
      raise(this.#means, means, mean, widening);
      return;
    }

    const t = (mean / deviation) * this.#root;
    this.#ts[row - this.first] = t;
    const scale = (this.#root / deviation) * widening;
    const offset = t >= this.#threshold ? 0 : t;
    const values = this.#displaced(row, t, means.length);
    if (values === null) {
      const [own, superior, rest] = [this.#means, this.#superior, this.#rest].map(({ byteOffset }) => byteOffset);
      const even = means.length + (means.length & 1);
      this.#kernels.raiseMaxima(means.byteOffset, even, mean, widening, own, scale, offset, superior, rest);
      return;
    }
    raise(this.#means, means, mean, widening);
    raise(this.#superior, means, mean, scale, offset);
    for (let b = 0; b < values.length; b++) values[b] = (means[b] - mean) * scale;
  }

  /** Room for the values of a new candidate, or null where ten trials are better. */
  #displaced(row: number, t: number, count: number): Float64Array | null {
    const best = this.#best;
    const last = best.at(-1);
    if (best.length === STEPS_MAX && last !== undefined && t <= last.t) return null;
    let values = new Float64Array(count);
    if (best.length === STEPS_MAX && last !== undefined) {
      raise(this.#rest, last.values, 0, 1);
      values = last.values as Float64Array<ArrayBuffer>;
      best.pop();
    }
    const place = best.findIndex((one) => one.t < t);
    best.splice(place === -1 ? best.length : place, 0, { row, t, values });
    return values;
  }

  part(): MaximaPart {
    return {
      ts: this.#ts,
      bestMean: this.#bestMean,
      means: this.#means.slice(),
      superior: this.#superior.slice(),
      rest: this.#rest.slice(),
      best: this.#best,
    };
  }

  release(): void {
    sharedMemory().free(this.#room);
  }
}

/**
 * Joins the parts of adjoining ranges, in their order. A maximum of maxima is exact, so the result
 * is the same however the trials were divided.
 */
export function joinMaxima(parts: readonly MaximaPart[]): MaximaPart {
  if (parts.length === 1) return parts[0];
  const ts = new Float64Array(parts.reduce((sum, part) => sum + part.ts.length, 0));
  const [means, superior, rest] = [parts[0].means.slice(), parts[0].superior.slice(), parts[0].rest.slice()];
  let row = 0;
  for (const part of parts) {
    ts.set(part.ts, row);
    row += part.ts.length;
    raise(means, part.means, 0, 1);
    raise(superior, part.superior, 0, 1);
    raise(rest, part.rest, 0, 1);
  }
  const best = parts.flatMap((part) => part.best).sort((a, b) => b.t - a.t || a.row - b.row);
  for (const { values } of best.splice(STEPS_MAX)) raise(rest, values, 0, 1);
  return { ts, bestMean: Math.max(...parts.map((part) => part.bestMean)), means, superior, rest, best };
}

export function judgeMaxima({ ts, bestMean, means, superior, rest, best }: MaximaPart): BestOfMany {
  const limit = rest.slice();
  const steps: Step[] = [];
  for (let k = best.length - 1; k >= 0; k--) {
    const { row, t, values } = best[k];
    raise(limit, values, 0, 1);
    steps.unshift({ row, t, pValue: shareAtLeast(limit, t) });
  }
  let floor = 0; // a later step is never more significant than an earlier one
  const monotone = steps.map(({ row, t, pValue }) => {
    floor = Math.max(floor, pValue);
    return { row, t, pValue: floor };
  });
  return {
    realityCheckP: shareAtLeast(means, bestMean),
    superiorP: shareAtLeast(superior, Math.max(0, best[0]?.t ?? 0)),
    steps: monotone,
    ts,
    luckyTs: best.length === 0 ? limit.fill(0) : limit.sort(),
  };
}

/** Raises each maximum to (value - shift) scale + offset. */
function raise(maxima: Float64Array, values: Float64Array, shift: number, scale: number, offset = 0): void {
  for (let b = 0; b < maxima.length; b++) {
    const value = (values[b] - shift) * scale + offset;
    if (value > maxima[b]) maxima[b] = value;
  }
}

/** (c + 1) / (B + 1), where c of B values are at least `bound`. */
export function shareAtLeast(values: Float64Array, bound: number): number {
  let count = 0;
  for (let b = 0; b < values.length; b++) if (values[b] >= bound) count++;
  return (count + 1) / (values.length + 1);
}
