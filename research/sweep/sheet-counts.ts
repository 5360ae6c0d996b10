import type { SheetCounts, SweepSheet } from '../../report/index.js';
import type { Ask } from './read-row.js';

/** Runs in the table of the best of a page. */
export const BEST_RUNS = 100;
const ERRORS_MAX = 5;

export const noRuns: SheetCounts = { ok: 0, no_trades: 0, skipped: 0, error: 0 };

interface SheetRuns extends Pick<SweepSheet, 'counts' | 'errors'> {
  /** By the name of the dataset. */
  readonly byDataset: ReadonlyMap<string, SheetCounts>;
}

/** How the runs of a sweep ended. @param done finished runs; without any there are no rows to ask */
export async function countRuns(ask: Ask, done: number): Promise<SheetRuns> {
  if (done === 0) return { counts: noRuns, errors: [], byDataset: new Map() };
  const byDataset = await countByDataset(ask);
  return { counts: [...byDataset.values()].reduce(addCounts, noRuns), errors: await errors(ask), byDataset };
}

async function countByDataset(ask: Ask): Promise<Map<string, SheetCounts>> {
  const counts = new Map<string, SheetCounts>();
  const { rows } = await ask('SELECT asset, timeframe, status, count(*) FROM results GROUP BY ALL ORDER BY ALL');
  for (const [asset, timeframe, status, count] of rows) {
    const name = `${asset} ${timeframe}`;
    counts.set(name, { ...(counts.get(name) ?? noRuns), [String(status)]: Number(count) });
  }
  return counts;
}

const addCounts = (a: SheetCounts, b: SheetCounts): SheetCounts => ({
  ok: a.ok + b.ok,
  no_trades: a.no_trades + b.no_trades,
  skipped: a.skipped + b.skipped,
  error: a.error + b.error,
});

async function errors(ask: Ask): Promise<SweepSheet['errors']> {
  const sql = `SELECT coalesce(error_msg, 'no message') AS message, count(*) AS runs FROM results WHERE status = 'error' GROUP BY 1 ORDER BY runs DESC, message LIMIT ${ERRORS_MAX}`;
  return (await ask(sql)).rows.map(([message, count]) => ({ message: String(message), count: Number(count) }));
}
