import { type PercentileBands, percentileBands } from './percentiles.js';
import type { SplitMix64 } from './random.js';
import { stationaryBootstrap } from './resample-means.js';
import { withIndices } from './shared-memory.js';

const FAN_POINTS_MAX = 100;

interface MonteCarloOptions {
  readonly random: SplitMix64;
  /** 1000 when left out. */
  readonly pathCount?: number;
  /** Fraction of the starting equity at or below which a path is ruined; 0.5 when left out. */
  readonly ruinFraction?: number;
}

/** Equity over its start after `step` returns, over all paths. */
interface FanPoint extends PercentileBands {
  readonly step: number;
}

/** Outcomes of other orders or samples of the same returns. Equity starts at 1. */
export interface MonteCarlo {
  readonly pathCount: number;
  /** Final equity over its start: 1 is no change. */
  readonly finalGrowth: PercentileBands;
  /** Largest fall below the highest equity so far, the start included, as a fraction of it. */
  readonly maxDrawdown: PercentileBands;
  /**
   * Share of paths whose equity is at or below the ruin fraction at any time, the start included.
   */
  readonly ruinProbability: number;
  /** From the start to the end: every step, or 100 of them at nearly equal distances. */
  readonly fan: readonly FanPoint[];
}

/**
 * The same trades in random orders, all equally likely (Fisher and Yates): how much of the drawdown
 * is due to the order? Every path ends with the final equity of the data, up to rounding.
 *
 * @param returns finite, of the account per trade, as fractions; equity stays at 0 from a return of
 *   -1 or less
 * @returns null without returns
 * @throws RangeError when the path count is not a whole number of at least 1
 */
export function reshuffleTrades(returns: Float64Array, options: MonteCarloOptions): MonteCarlo | null {
  const { random } = options;
  return walkPaths(growthFactors(returns), options, (path) => {
    for (let last = path.length - 1; last > 0; last--) {
      const other = random.below(last + 1);
      const moved = path[last];
      path[last] = path[other];
      path[other] = moved;
    }
  });
}

interface BootstrapOptions extends MonteCarloOptions {
  /**
   * Mean block length of the bootstrap, bars: about as long as a return depends on earlier ones.
   */
  readonly meanBlock: number;
}

/**
 * Paths with as many returns as the data, drawn from it in blocks, see `stationaryBootstrap`: where
 * could the account have ended?
 *
 * @param returns finite, of the account per bar, as fractions; equity stays at 0 from a return of
 *   -1 or less
 * @returns null without returns
 * @throws RangeError when the path count is not a whole number of at least 1, or the mean block is
 *   below 1
 */
export function bootstrapReturns(returns: Float64Array, options: BootstrapOptions): MonteCarlo | null {
  const { random, meanBlock } = options;
  const growth = growthFactors(returns);
  return withIndices(growth.length, (indices) =>
    walkPaths(growth.slice(), options, (path) => {
      stationaryBootstrap(random, path.length, meanBlock, indices);
      for (let k = 0; k < path.length; k++) path[k] = growth[indices[k]];
    }),
  );
}

/**
 * @param path growth of the equity by each return of the data; each path is written over the one
 *   before
 * @param drawPath writes the next path
 */
function walkPaths(
  path: Float64Array,
  { pathCount = 1000, ruinFraction = 0.5 }: MonteCarloOptions,
  drawPath: (path: Float64Array) => void,
): MonteCarlo | null {
  if (!(Number.isInteger(pathCount) && pathCount >= 1)) {
    throw new RangeError(`pathCount must be a whole number of at least 1, was ${pathCount}`);
  }
  if (path.length === 0) return null;

  const steps = fanSteps(path.length);
  const fan = steps.map(() => new Float64Array(pathCount));
  const finals = new Float64Array(pathCount);
  const drawdowns = new Float64Array(pathCount);
  let ruined = 0;
  for (let p = 0; p < pathCount; p++) {
    drawPath(path);
    let equity = 1;
    let peak = 1;
    let trough = 1; // since the peak
    let lowest = 1;
    let drawdown = 0;
    let k = 0;
    for (let point = 0; point < steps.length; point++) {
      for (; k < steps[point]; k++) {
        equity *= path[k];
        if (equity > peak) {
          peak = equity;
          trough = equity;
        } else if (equity < trough) {
          trough = equity;
          if (equity < lowest) lowest = equity;
          const fall = 1 - equity / peak;
          if (fall > drawdown) drawdown = fall;
        }
      }
      fan[point][p] = equity;
    }
    finals[p] = equity;
    drawdowns[p] = drawdown;
    if (lowest <= ruinFraction) ruined++;
  }
  return {
    pathCount,
    finalGrowth: percentileBands(finals),
    maxDrawdown: percentileBands(drawdowns),
    ruinProbability: ruined / pathCount,
    fan: steps.map((step, k) => ({ step, ...percentileBands(fan[k]) })),
  };
}

/** What each return multiplies the equity by. */
const growthFactors = (returns: Float64Array): Float64Array => returns.map((one) => Math.max(0, 1 + one));

/** Numbers of returns after which the fan is measured, from 0 to all. */
function fanSteps(length: number): number[] {
  const last = Math.min(length, FAN_POINTS_MAX - 1);
  return Array.from({ length: last + 1 }, (_, k) => Math.round((k * length) / last));
}
