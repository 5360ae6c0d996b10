import type { ColumnMemory } from '../series/column-memory.js';
import { type Kernels, kernelsIn } from '../simd/kernels.js';
import { SplitMix64 } from './random.js';
import { sharedMemory, withIndices } from './shared-memory.js';

/** Resamples in one tile of weights, and rows that the kernel of weights reads at once. */
const LANES = 4;
/** Rows that the kernel of stretches reads at once. */
const TOTAL_LANES = 8;
/** Rows whose means are held at a time; a multiple of both. */
const BLOCK_ROWS = 64;
/** Measured: a stretch costs as much as this many weighted periods. */
const STRETCH_COST = 2;

const inLanes = (count: number): number => Math.ceil(count / LANES) * LANES;

/** Writes the means of a few rows, in all resamples, to `means`. */
type ComputeMeans = (kernels: Kernels, rows: Float32Array, rowCount: number, means: Float64Array) => void;

/**
 * Resamples of periods. One set serves all series, which keeps what they have in common. The mean
 * of a series in a resample is a dot product with weights, how often each period was drawn; or,
 * where blocks are long, a sum over the stretches of periods that follow each other, which running
 * totals of the series give at once.
 */
export class Resamples {
  readonly #memory: ColumnMemory;
  readonly #columns: Float64Array[] = [];
  readonly #compute: ComputeMeans;

  /**
   * Draws resamples by the stationary bootstrap.
   * @param meanBlock mean length of a block, periods
   * @throws RangeError when the count is not a whole number of at least 1, or the mean block is
   *   below 1
   */
  constructor(
    random: SplitMix64,
    readonly count: number,
    readonly periodCount: number,
    meanBlock: number,
  ) {
    if (!(Number.isInteger(count) && count >= 1)) {
      throw new RangeError(`resampleCount must be a whole number of at least 1, was ${count}`);
    }
    this.#memory = sharedMemory();
    const drawn = withIndices(periodCount, (indices) =>
      Array.from({ length: count }, () => {
        stationaryBootstrap(random, periodCount, meanBlock, indices);
        return indices.slice();
      }),
    );
    const room = new Int32Array(2 * periodCount);
    const stretches = drawn.map((indices) => stretchBounds(indices, room));
    const stretchCount = edgesIn(stretches) / 2;
    this.#compute =
      STRETCH_COST * stretchCount < count * periodCount ? this.#byStretches(stretches) : this.#byWeights(drawn);
  }

  /**
   * Calls `take` with each row's means, one per resample, in the order of the rows. The array is
   * valid only during the call; it lies in the memory of the kernels, with room for a multiple of
   * four values.
   * @param rows row after row
   */
  forEachRow(rows: Float32Array, take: (row: number, means: Float64Array) => void): void {
    const { count, periodCount } = this;
    const rowCount = rows.length / periodCount;
    const stride = inLanes(count);
    const means = this.#memory.allocate(BLOCK_ROWS * stride);
    try {
      const kernels = kernelsIn([means]);
      if (kernels === null) throw new Error('the kernels reach their own memory');
      for (let from = 0; from < rowCount; from += BLOCK_ROWS) {
        const held = Math.min(BLOCK_ROWS, rowCount - from);
        this.#compute(kernels, rows.subarray(from * periodCount, (from + held) * periodCount), held, means);
        for (let i = 0; i < held; i++) take(from + i, means.subarray(i * stride, i * stride + count));
      }
    } finally {
      this.#memory.free(means);
    }
  }

  /** Frees what the resamples take. They cannot be used afterwards. */
  release(): void {
    for (const column of this.#columns.splice(0)) this.#memory.free(column);
  }

  #allocate(length: number): Float64Array {
    const column = this.#memory.allocate(length).fill(0);
    this.#columns.push(column);
    return column;
  }

  /** Weight of period k in resample 4 j + i, at 4 (j periodCount + k) + i. */
  #byWeights(drawn: readonly Int32Array[]): ComputeMeans {
    const { periodCount } = this;
    const stride = inLanes(drawn.length);
    const weights = this.#allocate(stride * periodCount);
    for (const [b, indices] of drawn.entries()) {
      const tile = (b - (b % LANES)) * periodCount + (b % LANES);
      for (const index of indices) weights[tile + index * LANES] += 1;
    }
    for (let k = 0; k < weights.length; k++) weights[k] /= periodCount;
    const room = this.#allocate((BLOCK_ROWS * periodCount) / 2);
    const block = new Float32Array(room.buffer, room.byteOffset, BLOCK_ROWS * periodCount);
    return (kernels, rows, rowCount, { byteOffset: out }) => {
      block.fill(0).set(rows);
      kernels.resampleMeans(room.byteOffset, inLanes(rowCount), periodCount, weights.byteOffset, stride, out);
    };
  }

  #byStretches(stretches: readonly Int32Array[]): ComputeMeans {
    const { periodCount } = this;
    const stride = inLanes(stretches.length);
    const edgeCount = edgesIn(stretches);
    const edgeRoom = this.#allocate(Math.ceil(edgeCount / 2));
    const edges = new Int32Array(edgeRoom.buffer, edgeRoom.byteOffset, edgeCount);
    let from = 0;
    for (const own of stretches) {
      edges.set(own, from);
      from += own.length;
    }
    for (let i = 0; i < edges.length; i++) edges[i] *= 8 * TOTAL_LANES;
    const endRoom = this.#allocate(stride / 2);
    const ends = new Int32Array(endRoom.buffer, endRoom.byteOffset, stride);
    let end = 0;
    for (let b = 0; b < stride; b++) {
      end += 4 * (stretches[b]?.length ?? 0);
      ends[b] = end;
    }
    const totals = this.#allocate((periodCount + 1) * TOTAL_LANES);
    return (kernels, rows, rowCount, means) => {
      for (let row = 0; row < rowCount; row += TOTAL_LANES) {
        writeTotals(rows.subarray(row * periodCount), periodCount, totals);
        kernels.resampleStretches(
          totals.byteOffset,
          edgeRoom.byteOffset,
          endRoom.byteOffset,
          stride,
          periodCount,
          means.byteOffset + 8 * row * stride,
        );
      }
    };
  }
}

const edgesIn = (stretches: readonly Int32Array[]): number => stretches.reduce((sum, { length }) => sum + length, 0);

/**
 * First period of each stretch of periods that follow each other, and the end of the stretch.
 * @param room for two edges a period
 */
function stretchBounds(indices: Int32Array, room: Int32Array): Int32Array {
  let length = 0;
  for (let k = 0; k < indices.length; k++) {
    const period = indices[k];
    if (length === 0 || period !== room[length - 1]) {
      room[length] = period;
      length += 2;
    }
    room[length - 1] = period + 1;
  }
  return room.slice(0, length);
}

/** Sums of the first k periods of up to `TOTAL_LANES` rows, side by side; of missing rows 0. */
function writeTotals(rows: Float32Array, periodCount: number, totals: Float64Array): void {
  const held = Math.min(TOTAL_LANES, rows.length / periodCount);
  if (held < TOTAL_LANES) totals.fill(0);
  for (let lane = 0; lane < held; lane++) {
    const row = lane * periodCount;
    let sum = 0;
    for (let k = 0; k < periodCount; k++) {
      sum += rows[row + k];
      totals[(k + 1) * TOTAL_LANES + lane] = sum;
    }
  }
}

interface Kept {
  readonly drawnBy: string;
  readonly resamples: Resamples;
}

let kept: Kept | null = null;

/**
 * Resamples that this thread keeps until it is asked for others: the ranges of a sweep need the
 * same ones, and to draw them takes as long as to judge a thousand rows. Callers must not release
 * them.
 */
export function keptResamples(seed: number, count: number, periodCount: number, meanBlock: number): Resamples {
  const drawnBy = [seed, count, periodCount, meanBlock].join();
  if (kept?.drawnBy !== drawnBy) {
    kept?.resamples.release();
    kept = { drawnBy, resamples: new Resamples(new SplitMix64(seed), count, periodCount, meanBlock) };
  }
  return kept.resamples;
}

/**
 * Indices of one resample of the stationary bootstrap: Politis and Romano 1994. Blocks start
 * anywhere with equal probability, have geometric lengths and wrap around from the end to the
 * start. So the resample is stationary and keeps the dependence between neighbours. The generator
 * draws once for the first index, then once per index to decide whether a block starts, and once
 * more where it does.
 *
 * @param length of the series, 1 or more
 * @param meanBlock mean length of a block, 1 or more; 1 draws every index independently
 * @param out filled to its end with indices 0..length-1; where it lies in the memory of kernels, in
 *   a fifth of the time
 * @throws RangeError when the mean length is below 1 or not a number
 */
export function stationaryBootstrap(random: SplitMix64, length: number, meanBlock: number, out: Int32Array): void {
  if (!(meanBlock >= 1)) throw new RangeError(`meanBlock must be at least 1, was ${meanBlock}`);
  const startChance = 1 / meanBlock;
  const kernels = kernelsIn([out]);
  if (kernels !== null) {
    random.bits = kernels.drawBlocks(random.bits, length, startChance, out.length, out.byteOffset);
    return;
  }
  let index = 0;
  for (let k = 0; k < out.length; k++) {
    if (k === 0 || random.uniform() < startChance) index = random.below(length);
    else index = index + 1 === length ? 0 : index + 1;
    out[k] = index;
  }
}
