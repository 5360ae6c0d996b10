/*
 * The WebAssembly kernels add with this very code. So it is written in the common subset of
 * TypeScript and AssemblyScript: no imports, numbers are doubles.
 */

/**
 * The result of adding `term` to `sum` `count` times, equal in every bit, without doing each
 * addition. While the sum stays between two powers of two, every addition is rounded to the same
 * grid and so adds the same amount.
 *
 * @param sum 0 or more
 * @param term 0 or more
 */
export function addRepeatedly(sum: number, term: number, count: number): number {
  let total = sum;
  let left = count;
  while (left > 0) {
    const next = total + term;
    if (next === total) return total;
    left--;
    const step = next - total; // exact from the second addition on, as both are close in size
    const top = 2 * powerBelow(next);
    const grid = top / 9_007_199_254_740_992; // 2 ** 53
    const isTie = Math.abs(term - step) === grid / 2; // rounds up and down in turn
    if (term < total && next < top && !isTie && total >= top / 2) {
      // One step less than fits, to stay clear of the next power.
      const steps = Math.min(left, Math.max(0, Math.floor((top - next) / step) - 1));
      total = next + steps * step;
      left -= steps;
    } else {
      total = next;
    }
  }
  return total;
}

/**
 * Largest power of two not above a positive number, by roundings alone. NaN for numbers above
 * 1e292, whose additions are then done one by one.
 *
 * @see Rump, Ogita and Oishi, Accurate Floating-Point Summation (2008), algorithm 3.6
 */
function powerBelow(value: number): number {
  const scaled = value * 4_503_599_627_370_497; // 2 ** 52 + 1
  return scaled - scaled * 0.9999999999999999; // 1 - 2 ** -53
}
