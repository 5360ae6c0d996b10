import type { SplitMix64, TrialReturns } from '../../engine/statistics/index.js';

/** A standard normal value (Box and Muller 1958), without the engine's inverse. */
export const normal = (random: SplitMix64): number =>
  Math.sqrt(-2 * Math.log(1 - random.uniform())) * Math.cos(2 * Math.PI * random.uniform());

/**
 * Independent normal returns with a deviation of 1 %, one row per strategy. Each of `means` is
 * added to its row.
 */
export const noiseRows = (random: SplitMix64, rowCount: number, length: number, ...means: number[]): Float64Array[] =>
  Array.from({ length: rowCount }, (_, i) =>
    Float64Array.from({ length }, () => (means[i] ?? 0) + 0.01 * normal(random)),
  );

/** Rows of returns as the trials of a sweep. */
export function trialsOf(rows: readonly (Float64Array | readonly number[])[]): TrialReturns {
  const periodCount = rows[0]?.length ?? 0;
  const values = new Float32Array(rows.length * periodCount);
  for (const [i, row] of rows.entries()) values.set(row, i * periodCount);
  return { rowCount: rows.length, periodCount, values };
}

/** The rows with the precision in which trials are kept. */
export const inSingle = (rows: readonly Float64Array[]): Float64Array[] => rows.map((row) => row.map(Math.fround));
