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
