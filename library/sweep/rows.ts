import type { queryResults } from '../../data/sweeps/index.js';
import { EngineError } from '../../engine/errors.js';
import type { WindowRequest } from '../../research/index.js';

/**
 * A run of a sweep: its row, with the rules as JSON in `entry_json` and `exit_json`, and in
 * `short_entry_json` and `short_exit_json` where the sweep has a short side. A row of a sweep of
 * portfolios has a column for each axis instead.
 */
export type SweepRow = Readonly<Record<string, unknown>>;

export const toRecords = ({ columns, rows }: Awaited<ReturnType<typeof queryResults>>): SweepRow[] =>
  rows.map((row) => Object.fromEntries(columns.map((name, i) => [name, row[i]])));

/** What stops a sweep after its current runs. */
export function stopBy(signal: AbortSignal | undefined) {
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const abort = () => Atomics.store(stop, 0, 1);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);
  return { stop, leave: () => signal?.removeEventListener('abort', abort) };
}

export const toWindow = ({ start, end, lookbackMonths }: WindowRequest): WindowRequest => ({
  ...{ start, end, lookbackMonths },
});

/** @throws EngineError for options that would give a resumed sweep other bars */
export function refuseOtherBars({ assets, start, end, lookbackMonths }: WindowRequest & { readonly assets?: unknown }) {
  for (const [field, value] of Object.entries({ assets, start, end, lookbackMonths })) {
    if (value === undefined) continue;
    const message = `${field} must be left out to resume a sweep: it goes on with its datasets`;
    throw new EngineError('INVALID_FIELD', message, { field });
  }
}
