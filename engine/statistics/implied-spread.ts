/** How the returns of bars turn back, as prices do that jump between bid and ask. */
export interface ImpliedSpread {
  /**
   * What a trade at such a price is away from the middle of bid and ask, a fraction of the price:
   * half of the spread. 0 where returns do not turn back.
   */
  readonly half: number;
  /** Products of adjoining returns, in their standard errors; below 0 where returns turn back. */
  readonly t: number;
  /** Standard deviation of a return. */
  readonly deviation: number;
}

/**
 * The spread that the first autocovariance of returns implies: Roll 1984, "A simple implicit
 * measure of the effective bid-ask spread in an efficient market". Its standard error follows White
 * 1980, since calm and wild days alternate. Cost: two passes.
 *
 * @returns null with fewer than three prices, or where no return differs
 */
export function impliedSpread(close: Float64Array): ImpliedSpread | null {
  const count = close.length - 1;
  if (count < 2) return null;
  let sum = 0;
  for (let bar = 1; bar <= count; bar++) sum += close[bar] / close[bar - 1];
  const mean = sum / count;
  let variance = 0;
  let products = 0;
  let squares = 0;
  let before = 0;
  for (let bar = 1; bar <= count; bar++) {
    const deviation = close[bar] / close[bar - 1] - mean;
    variance += deviation * deviation;
    const product = deviation * before; // 0 for the first
    products += product;
    squares += product * product;
    before = deviation;
  }
  if (!(squares > 0)) return null;
  return {
    half: Math.sqrt(Math.max(0, -products / (count - 1))),
    t: products / Math.sqrt(squares),
    deviation: Math.sqrt(variance / (count - 1)),
  };
}
