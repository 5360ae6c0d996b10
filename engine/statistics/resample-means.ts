import type { ColumnMemory } from '../series/column-memory.js';
import { kernelsIn } from '../simd/kernels.js';
import type { SplitMix64 } from './random.js';
import { sharedMemory } from './shared-memory.js';
import { stationaryBootstrap } from './stationary-bootstrap.js';

/** Resamples in one tile of weights, and rows that the kernel reads at once. */
const LANES = 4;
/** Rows whose means are held at a time; a multiple of `LANES`. */
const BLOCK_ROWS = 64;

const inLanes = (count: number): number => Math.ceil(count / LANES) * LANES;

/**
 * Resamples of periods as weights: how often each period was drawn, over the number of periods. The
 * mean of a series in a resample is then a dot product. One set of weights serves all series, which
 * keeps what they have in common.
 */
export class Resamples {
  /** Weight of period k in resample 4 j + i, at 4 (j periodCount + k) + i. */
  readonly #weights: Float64Array;
  readonly #memory: ColumnMemory;

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
    this.#weights = this.#memory.allocate(inLanes(count) * periodCount).fill(0);
    const indices = new Int32Array(periodCount);
    for (let b = 0; b < count; b++) {
      stationaryBootstrap(random, periodCount, meanBlock, indices);
      const tile = (b - (b % LANES)) * periodCount + (b % LANES);
      for (const index of indices) this.#weights[tile + index * LANES] += 1;
    }
    for (let k = 0; k < this.#weights.length; k++) this.#weights[k] /= periodCount;
  }

  /**
   * Calls `take` with each row's means, one per resample, in the order of the rows. The array is
   * valid only during the call.
   * @param rows row after row
   */
  forEachRow(rows: Float32Array, take: (row: number, means: Float64Array) => void): void {
    const { count, periodCount } = this;
    const rowCount = rows.length / periodCount;
    const stride = inLanes(count);
    const room = this.#memory.allocate((BLOCK_ROWS * periodCount) / 2);
    const means = this.#memory.allocate(BLOCK_ROWS * stride);
    const block = new Float32Array(room.buffer, room.byteOffset, BLOCK_ROWS * periodCount);
    const kernels = kernelsIn([this.#weights, room, means]);
    if (kernels === null) throw new Error('rows, weights and means must lie in one memory');
    try {
      for (let from = 0; from < rowCount; from += BLOCK_ROWS) {
        const held = Math.min(BLOCK_ROWS, rowCount - from);
        block.fill(0).set(rows.subarray(from * periodCount, (from + held) * periodCount));
        const { byteOffset: at } = this.#weights;
        kernels.resampleMeans(room.byteOffset, inLanes(held), periodCount, at, stride, means.byteOffset);
        for (let i = 0; i < held; i++) take(from + i, means.subarray(i * stride, i * stride + count));
      }
    } finally {
      this.#memory.free(room);
      this.#memory.free(means);
    }
  }

  /** Frees the weights. The resamples cannot be used afterwards. */
  release(): void {
    this.#memory.free(this.#weights);
  }
}
