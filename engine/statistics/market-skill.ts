import { type BetaLine, betaLine } from '../metrics/beta-line.js';
import { normalCdf } from './normal.js';

/** The returns of an account, explained by the market's returns. */
export interface MarketLine extends BetaLine {
  /** Probability of such a t-value or a higher one without skill. */
  readonly pValue: number;
}

/** The line with its p-value; null where `betaLine` is. */
export function marketLine(returns: Float64Array, market: Float64Array): MarketLine | null {
  const line = betaLine(returns, market);
  return line === null ? null : { ...line, pValue: normalCdf(-line.t) };
}
