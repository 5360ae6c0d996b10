import { type BarSeries, sliceBars } from '../series/index.js';
import { type FoldWindow, type FurtherSeries, noFurther, type SweepDefinition } from './definition.js';
import { SweepKernel } from './kernel.js';
import { MaskCache } from './mask-cache.js';

/**
 * Kernels over windows of one series, all of them views of its memory. A kernel has no bars after
 * its window; the bars before it are history. Masks are computed once for all windows: bit t
 * depends only on bars 0..t, so a mask cut off at the end of a window equals the mask of its bars
 * alone.
 */
export class WindowKernels {
  readonly #masks: MaskCache;

  constructor(
    private readonly definition: SweepDefinition,
    private readonly bars: BarSeries,
    cacheBytesMax: number,
    private readonly further: FurtherSeries = noFurther,
  ) {
    this.#masks = new MaskCache(bars, cacheBytesMax, further.others);
  }

  over({ from, to }: FoldWindow): SweepKernel {
    const bars = sliceBars(this.bars, 0, to);
    return new SweepKernel(this.definition, bars, from, this.#masks.upTo(to), this.further);
  }

  /**
   * Gives back the columns that masks were computed from; a kernel that needs them again takes new
   * ones.
   */
  release(): void {
    this.#masks.release();
  }
}
