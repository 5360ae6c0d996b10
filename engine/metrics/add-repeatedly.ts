const float = new Float64Array(1);
const words = new Uint32Array(float.buffer);

/**
 * The result of adding `term` to `sum` `count` times, equal in every bit, without doing each
 * addition. While the sum stays between two powers of two, every addition is rounded to the same
 * grid and so adds the same amount.
 *
 * @param sum 0 or more
 * @param term 0 or more
 */
export function addRepeatedly(sum: number, term: number, count: number): number {
  let left = count;
  while (left > 0) {
    const next = sum + term;
    if (next === sum) return sum;
    left--;
    const step = next - sum; // exact from the second addition on, as both are close in size
    const top = 2 * powerBelow(next);
    const grid = top / 2 ** 53;
    const isTie = Math.abs(term - step) === grid / 2; // rounds up and down in turn
    if (term < sum && next < top && !isTie && sum >= top / 2) {
      const steps = Math.min(left, Math.max(0, Math.floor((top - next) / step) - 1)); // stays clear of the next power
      sum = next + steps * step;
      left -= steps;
    } else {
      sum = next;
    }
  }
  return sum;
}

/**
 * Largest power of two not above a positive number; 0 for subnormal numbers, which have a grid of
 * their own.
 */
function powerBelow(value: number): number {
  float[0] = value;
  words[0] = 0;
  words[1] &= 0x7ff00000; // the exponent alone
  return float[0];
}
