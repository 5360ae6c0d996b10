import type { queryResults } from '../../data/sweeps/index.js';

/**
 * A run of a sweep: its row, with the rules as JSON in `entry_json` and `exit_json`, and in
 * `short_entry_json` and `short_exit_json` where the sweep has a short side. A row of a sweep of
 * portfolios has a column for each axis instead.
 */
export type SweepRow = Readonly<Record<string, unknown>>;

export const recordsOf = ({ columns, rows }: Awaited<ReturnType<typeof queryResults>>): SweepRow[] =>
  rows.map((row) => Object.fromEntries(columns.map((name, i) => [name, row[i]])));

/** What stops a sweep after its current runs. */
export function stopBy(signal: AbortSignal | undefined) {
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const abort = () => Atomics.store(stop, 0, 1);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);
  return { stop, leave: () => signal?.removeEventListener('abort', abort) };
}
