const LIMIT = 40;
const LN_2 = Math.LN2;
/** Terms of the series of e^r for |r| <= ln 2 / 2; the next one is below half a bit. */
const TERMS = 14;

/**
 * e^x by sums and products alone, so that every platform gives the same bits, which the standard
 * does not promise of `Math.exp`. Beyond +-40 it stays at its value there: no probability shows the
 * difference.
 */
export function exponential(x: number): number {
  const bounded = Math.max(-LIMIT, Math.min(LIMIT, x));
  const doublings = Math.round(bounded / LN_2);
  const rest = bounded - doublings * LN_2;
  let sum = 1;
  for (let n = TERMS; n > 0; n--) sum = 1 + (sum * rest) / n;
  const factor = doublings < 0 ? 0.5 : 2;
  for (let n = Math.abs(doublings); n > 0; n--) sum *= factor;
  return sum;
}
