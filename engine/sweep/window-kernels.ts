import { type BarSeries, sliceBars } from '../series/index.js';
import type { FoldWindow, SweepDefinition } from './definition.js';
import { SweepKernel } from './kernel.js';
import { MaskCache } from './mask-cache.js';

/**
 * Kernels over windows of one series, all of them views of its memory. A kernel has no bar after
 * its window; the ones before it are history. Masks are made once for all windows: bit t follows
 * from bars 0..t, so the part up to the end of a window is what its bars alone would give.
 */
export class WindowKernels {
  readonly #masks: MaskCache;

  constructor(
    private readonly definition: SweepDefinition,
    private readonly bars: BarSeries,
    cacheBytesMax: number,
  ) {
    this.#masks = new MaskCache(bars, cacheBytesMax);
  }

  over({ from, to }: FoldWindow): SweepKernel {
    return new SweepKernel(this.definition, sliceBars(this.bars, 0, to), from, this.#masks.upTo(to));
  }

  /**
   * Hands the columns back that masks were made of; a kernel that needs them again takes others.
   */
  release(): void {
    this.#masks.release();
  }
}
