import { isoTime } from '../../engine/series/index.js';
import type { Caller } from '../caller.js';
import { wholeNumber } from '../signals/fields.js';
import type { SimulationDeps } from './services.js';
import type { SimulationRow } from './store.js';

const LIMIT = 50;
const LIMIT_MAX = 1_000;

/** Adds a simulation to the caller's history under a new id, which it returns. */
export async function remember(
  caller: Caller,
  line: Omit<SimulationRow, 'id' | 'created_at_ms' | 'status'>,
  { store, backtests }: SimulationDeps,
): Promise<string> {
  const id = backtests.newId();
  const status = line.error === null ? 'completed' : 'failed';
  await store.add(caller, { ...line, id, status, created_at_ms: backtests.nowMs() });
  return id;
}

/** The caller's simulations, newest first; the store keeps only the latest. */
export async function listSimulations(
  caller: Caller,
  request: { readonly limit?: unknown; readonly offset?: unknown },
  { store }: SimulationDeps,
) {
  const limit = Math.min(Math.max(wholeNumber('limit', request.limit, LIMIT), 1), LIMIT_MAX);
  const offset = Math.max(wholeNumber('offset', request.offset, 0), 0);
  const { rows, total } = await store.list(caller, limit, offset);
  const results = rows.map(({ id, created_at_ms, ...row }) => ({
    simulation_id: id,
    created_at: isoTime(created_at_ms),
    ...row,
  }));
  return { total, limit, offset, results };
}
