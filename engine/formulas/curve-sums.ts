/*
 * What is summed over an equity curve. The WebAssembly kernels compute single values with this very
 * code, so it is written in the common subset of TypeScript and AssemblyScript: no imports, numbers
 * are doubles.
 */

/** Return over the value before, as a fraction; 0 when that value is not above 0. */
export function returnOf(value: number, before: number): number {
  return before > 0 ? value / before - 1 : 0;
}

/** A return where it is below 0, else 0: without a branch, which the processor would mispredict. */
export function lossOf(change: number): number {
  return 0.5 * (change - Math.abs(change));
}

/** Drawdown of a peak, as a fraction of it. */
export function drawdownOf(trough: number, peak: number): number {
  return 1 - trough / peak;
}

/**
 * What an account holds beside each unit of a position that it holds alone: it is worth
 * `rest + sign * price` a unit. Rounded to 2 ** -38 of the entry price, so that accounts which put
 * the same share of their worth into a position have the same rest, whatever they are worth.
 *
 * @param backing cash, and the margin of the position
 * @param owed 0 for a position that is paid in full, else its sign
 */
export function restPerUnit(backing: number, size: number, entryPrice: number, owed: number): number {
  const steps = (backing / (size * entryPrice) - owed) * 274_877_906_944; // 2 ** 38
  return (Math.floor(steps + 0.5) / 274_877_906_944) * entryPrice;
}

/** Return of that account from one price to the next; 0 when it was not worth anything before. */
export function returnPerUnit(sign: number, rest: number, before: number, price: number): number {
  const worth = rest + sign * before;
  return worth > 0 ? (sign * (price - before)) / worth : 0;
}

/** Squared deviations of some returns from a mean of more, from those from their own mean. */
export function squaresAround(mean: number, count: number, total: number, squares: number): number {
  const off = total / count - mean;
  return squares + count * (off * off);
}
