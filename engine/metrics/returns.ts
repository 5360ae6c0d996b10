import { returnOf } from '../formulas/curve-sums.js';

/** Below this a standard deviation of returns is rounding, not risk. */
export const DEVIATION_MIN = 1e-15;

/** Return of every bar as a fraction, the first against the initial balance. */
export function barReturns(equity: Float64Array, initialBalance: number): Float64Array {
  const returns = new Float64Array(equity.length);
  let before = initialBalance;
  for (let k = 0; k < returns.length; k++) {
    returns[k] = returnOf(equity[k], before);
    before = equity[k];
  }
  return returns;
}

/**
 * Sums over the returns of the account, and of the asset that it traded. Deviations are from the
 * mean.
 */
export interface ReturnFacts {
  readonly mean: number;
  readonly gainSum: number;
  /** Negative returns only; 0 or less. */
  readonly lossSum: number;
  readonly squaredDeviationSum: number;
  readonly cubedDeviationSum: number;
  readonly fourthDeviationSum: number;
  readonly assetMean: number;
  readonly assetSquaredDeviationSum: number;
  /** Deviation of the account times deviation of the asset. */
  readonly codeviationSum: number;
}

/**
 * Two passes, because sums of powers lose their digits when returns differ little from their mean.
 *
 * @param returns of the account, per bar
 * @param close of the same bars; the asset's return is close over close, on the first bar close
 *   over open, so that its returns compound to buying the first open and holding to the last close
 */
export function measureReturns(returns: Float64Array, close: Float64Array, firstOpen: number): ReturnFacts {
  const barCount = returns.length;
  let gainSum = 0;
  let lossSum = 0;
  let assetSum = 0;
  let before = firstOpen;
  for (let k = 0; k < barCount; k++) {
    if (returns[k] > 0) gainSum += returns[k];
    else lossSum += returns[k];
    assetSum += close[k] / before - 1;
    before = close[k];
  }

  const mean = (gainSum + lossSum) / barCount;
  const assetMean = assetSum / barCount;
  let squares = 0;
  let cubes = 0;
  let fourths = 0;
  let assetSquares = 0;
  let products = 0;
  before = firstOpen;
  for (let k = 0; k < barCount; k++) {
    const deviation = returns[k] - mean;
    const assetDeviation = close[k] / before - 1 - assetMean;
    before = close[k];
    const square = deviation * deviation;
    squares += square;
    cubes += square * deviation;
    fourths += square * square;
    assetSquares += assetDeviation * assetDeviation;
    products += deviation * assetDeviation;
  }
  return {
    mean,
    gainSum,
    lossSum,
    squaredDeviationSum: squares,
    cubedDeviationSum: cubes,
    fourthDeviationSum: fourths,
    assetMean,
    assetSquaredDeviationSum: assetSquares,
    codeviationSum: products,
  };
}
