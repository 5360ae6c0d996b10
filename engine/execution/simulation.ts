import { type BarSeries, type Mask, wordCount } from '../series/index.js';
import type { ExecutionConfig } from './config.js';
import type { Denials } from './denials.js';
import type { DetailCounts } from './detail.js';
import { changesRules } from './position-fields.js';
import { checkConfig } from './settings.js';
import type { Trade } from './trade.js';

export interface SimulationInput {
  /** Valid bars, oldest first; they must not change after the first run over them. */
  readonly bars: BarSeries;
  /** Index of the first tradable bar, 0..barCount; bars before it are history only. */
  readonly first: number;
  /** Bit i: the rule is true at the close of bar i, computed from bars 0..i. */
  readonly entry: Mask;
  readonly exit: Mask;
  /** The rules of the short side; without an entry rule the run is long only. */
  readonly shortEntry?: Mask;
  readonly shortExit?: Mask;
  /** Finer bars, read by `detail_interval` only. */
  readonly detail?: BarSeries | undefined;
  readonly config: ExecutionConfig;
  /**
   * An array for the equity, one value per tradable bar, which the caller can reuse from run to
   * run. Then only the values in `movedRanges`, the value before each range and the last value are
   * written. Without it, the run allocates a new array.
   */
  readonly equity?: Float64Array;
}

export interface Simulation {
  /** In the order they were closed: by bar, then by step inside the bar, then by entry. */
  readonly trades: readonly Trade[];
  readonly denials: Denials;
  /** Account value at the close of each tradable bar; in a lent array only where it moves. */
  readonly equity: Float64Array;
  /**
   * Values of `equity` that may differ from the one before, as pairs of first and one past the
   * last: the first value, those of bars with a position open at this close or the one before, and
   * those moved by a trade that opened and closed within its bar.
   */
  readonly movedRanges: Int32Array;
  /** Where one position was held alone, see `stretchesAlone`. */
  readonly alone: Float64Array;
  /** Bars with a position open after the fills at their open. */
  readonly exposedBars: number;
  /** What a run adds that uses sides, margin, orders or guards; absent in other runs. */
  readonly sided?: SidedFacts;
}

interface SidedFacts {
  /** Cash at the close of each tradable bar; empty where the caller lent the equity. */
  readonly cash: Float64Array;
  /** Indices of the denials of short entries. */
  readonly deniedShorts: readonly number[];
  readonly orders: { readonly placed: number; readonly expired: number };
  readonly detail: DetailCounts;
}

/**
 * Whether a run buys only, pays in full, and has a stop and a target that stay: it uses no short
 * side, margin, working orders, moving levels or guards.
 */
export const isPlain = ({ shortEntry, config }: Pick<SimulationInput, 'shortEntry' | 'config'>): boolean =>
  shortEntry === undefined && !changesRules(config);

/**
 * Checks the input of both simulations. A wrong size is our bug (RangeError), a wrong setting the
 * caller's mistake (EngineError).
 */
export function checkInput({ bars, first, entry, exit, shortEntry, shortExit, config, equity }: SimulationInput): void {
  if (!(Number.isInteger(first) && first >= 0 && first <= bars.barCount)) {
    throw new RangeError(`first must be 0..${bars.barCount}, was ${first}`);
  }
  const words = wordCount(bars.barCount);
  if (entry.length !== words || exit.length !== words) {
    throw new RangeError(`masks of ${bars.barCount} bars have ${words} words, were ${entry.length} and ${exit.length}`);
  }
  for (const mask of [shortEntry, shortExit]) {
    if (mask === undefined || mask.length === words) continue;
    throw new RangeError(`masks of ${bars.barCount} bars have ${words} words, were ${mask.length}`);
  }
  if (equity !== undefined && equity.length !== bars.barCount - first) {
    throw new RangeError(`equity must have room for ${bars.barCount - first} bars, had ${equity.length}`);
  }
  checkConfig(config);
}
