import { square } from './powers.js';
import { DEVIATION_MIN } from './returns.js';

/** The returns of an account, explained by the market's returns. */
export interface BetaLine {
  /** Return per period beyond beta times the market. */
  readonly alpha: number;
  /** Slope on the returns of the market. */
  readonly beta: number;
  /** alpha over its standard error, which allows for changing variance and for autocorrelation. */
  readonly t: number;
}

/**
 * The least-squares line of returns on the market's returns. The standard error of alpha is the
 * estimate of Newey and West 1987, with Bartlett weights up to lag floor(4 (n / 100)^(2/9)).
 *
 * @param market as many returns, of the same periods
 * @returns null with fewer than 20 periods, or where the market or the rest never moves
 */
export function betaLine(returns: Float64Array, market: Float64Array): BetaLine | null {
  const count = returns.length;
  if (count < 20) return null;
  const [mean, marketMean] = [meanOf(returns), meanOf(market)];
  let squares = 0;
  let products = 0;
  for (let k = 0; k < count; k++) {
    squares += square(market[k] - marketMean);
    products += (returns[k] - mean) * (market[k] - marketMean);
  }
  if (Math.sqrt(squares / count) < DEVIATION_MIN) return null;
  const beta = products / squares;
  const alpha = mean - beta * marketMean;
  // The error of alpha is the mean of these terms: residuals, weighted as the line weights them.
  const terms = returns.map((value, k) => {
    const residual = value - alpha - beta * market[k];
    return residual * (1 - ((market[k] - marketMean) * marketMean * count) / squares);
  });
  const variance = longRunVariance(terms, Math.floor(4 * (count / 100) ** (2 / 9))) / (count - 2);
  if (!(Math.sqrt(variance) >= DEVIATION_MIN)) return null;
  return { alpha, beta, t: alpha / Math.sqrt(variance) };
}

function longRunVariance(values: Float64Array, lagMax: number): number {
  const count = values.length;
  let variance = 0;
  for (let lag = 0; lag <= lagMax; lag++) {
    let product = 0;
    for (let k = lag; k < count; k++) product += values[k] * values[k - lag];
    variance += ((lag === 0 ? 1 : 2 * (1 - lag / (lagMax + 1))) * product) / count;
  }
  return variance;
}

function meanOf(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}
