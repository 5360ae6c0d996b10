import { measureTails, type TailFacts } from './tails.js';

/** Sums over the returns of days or months. Deviations are from the mean. */
export interface PeriodFacts {
  readonly count: number;
  readonly mean: number;
  readonly gainSum: number;
  /** Negative returns only; 0 or less. */
  readonly lossSum: number;
  readonly squaredLossSum: number;
  readonly squaredDeviationSum: number;
  readonly cubedDeviationSum: number;
  readonly fourthDeviationSum: number;
  readonly tails: TailFacts;
}

export function measurePeriods(returns: Float64Array): PeriodFacts {
  const count = returns.length;
  let [gainSum, lossSum, squaredLossSum] = [0, 0, 0];
  for (const change of returns) {
    if (change > 0) {
      gainSum += change;
    } else {
      lossSum += change;
      squaredLossSum += change * change;
    }
  }
  const mean = (gainSum + lossSum) / count;
  let [squares, cubes, fourths] = [0, 0, 0];
  for (const change of returns) {
    const deviation = change - mean;
    const square = deviation * deviation;
    squares += square;
    cubes += square * deviation;
    fourths += square * square;
  }
  return {
    ...{ count, mean, gainSum, lossSum, squaredLossSum },
    squaredDeviationSum: squares,
    cubedDeviationSum: cubes,
    fourthDeviationSum: fourths,
    tails: measureTails(returns.slice()),
  };
}
