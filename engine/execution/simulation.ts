import { type BarSeries, type Mask, wordCount } from '../series/index.js';
import type { Trade } from './account.js';
import type { ExecutionConfig } from './config.js';
import type { Denials } from './denials.js';
import { checkConfig } from './settings.js';

export interface SimulationInput {
  /** Valid bars, oldest first; they must not change after the first run over them. */
  readonly bars: BarSeries;
  /** Index of the first tradable bar, 0..barCount; bars before it are history only. */
  readonly first: number;
  /** Bit i: the rule is true at the close of bar i, computed from bars 0..i. */
  readonly entry: Mask;
  readonly exit: Mask;
  readonly config: ExecutionConfig;
  /**
   * Room for the equity, as long as the tradable bars, where the caller wants to use it again; then
   * only the values of `movedRanges`, the one before each of them and the last are written. A new
   * array without it.
   */
  readonly equity?: Float64Array;
}

export interface Simulation {
  /** In the order they were closed: by bar, then by step inside the bar, then by entry. */
  readonly trades: readonly Trade[];
  readonly denials: Denials;
  /** Account value at the close of each tradable bar; in lent room only where it moves. */
  readonly equity: Float64Array;
  /**
   * Values of `equity` that may differ from the one before, as pairs of first and one past the
   * last: the first value, those of bars with a position open at this close or the one before, and
   * those that trades within their bar have moved.
   */
  readonly movedRanges: Int32Array;
  /** Bars with a position open after the fills at their open. */
  readonly exposedBars: number;
}

/**
 * The door of both simulations: sizes are ours to get right (RangeError), settings are the caller's
 * (EngineError).
 */
export function checkInput({ bars, first, entry, exit, config, equity }: SimulationInput): void {
  if (!(Number.isInteger(first) && first >= 0 && first <= bars.barCount)) {
    throw new RangeError(`first must be 0..${bars.barCount}, was ${first}`);
  }
  const words = wordCount(bars.barCount);
  if (entry.length !== words || exit.length !== words) {
    throw new RangeError(`masks of ${bars.barCount} bars have ${words} words, were ${entry.length} and ${exit.length}`);
  }
  if (equity !== undefined && equity.length !== bars.barCount - first) {
    throw new RangeError(`equity must have room for ${bars.barCount - first} bars, had ${equity.length}`);
  }
  checkConfig(config);
}
