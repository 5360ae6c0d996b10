import { arrowBytes } from '../../data/tables/index.js';
import { quote } from '../../engine/errors.js';
import type { BacktestRun } from '../../research/backtest/index.js';
import { barTable, equityTable, tradeTable } from '../../research/backtest/index.js';
import { ApiError } from '../api-error.js';
import type { Caller } from '../caller.js';
import { requireManifest, runAgain } from './evidence.js';
import type { BacktestDeps } from './execute.js';

const tables = {
  bars: barTable,
  equity: equityTable,
  trades: ({ result }: BacktestRun) => tradeTable(result),
} as const;

/**
 * Bytes of one message; far below what a call may carry, so that a reader gets its first rows
 * early.
 */
const CHUNK_BYTES = 256 * 1024;

/**
 * Streams a table of a stored run as Arrow IPC in pieces. `bars` and `equity` have one row per
 * tradable bar, `trades` one row per trade. Times are timestamps in ms, UTC. The run is repeated in
 * the synchronous slot.
 * @throws ApiError MISSING_FIELD, VALIDATION_ERROR, RESOURCE_NOT_FOUND; CONFLICT for a run without
 *   a result; INSUFFICIENT_PERMISSIONS for bars as `requireRules`
 */
export async function* readBacktestColumns(
  caller: Caller,
  request: { readonly id: string; readonly table?: string | undefined },
  deps: BacktestDeps,
  signal?: AbortSignal,
): AsyncGenerator<{ readonly arrow: Uint8Array }> {
  const { table = 'equity' } = request;
  if (!Object.hasOwn(tables, table)) {
    const message = `table must be one of ${Object.keys(tables).join(', ')}, was ${quote(table)}`;
    throw new ApiError('VALIDATION_ERROR', message, { field: 'table' });
  }
  // Bars have the columns that the rules read.
  if (table === 'bars') await requireManifest(caller, request.id, deps);
  const { run } = await runAgain(caller, request.id, deps, signal);
  const bytes = await arrowBytes(tables[table as keyof typeof tables](run), 'stream');
  for (let from = 0; from < bytes.length; from += CHUNK_BYTES) {
    yield { arrow: bytes.subarray(from, from + CHUNK_BYTES) };
  }
}
