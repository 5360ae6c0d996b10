import { type Kysely, sql } from 'kysely';
import type { StateSchema } from '../state/tables.js';
import type { AwaitedEnd, RunContent } from './stored.js';

/** The ends of those runs that have ended. A run never changes after its end. */
export async function readEnds<Content extends RunContent>(
  db: Kysely<StateSchema>,
  ids: readonly string[],
): Promise<AwaitedEnd<Content>[]> {
  const completed = await db
    .selectFrom('backtests')
    .where('id', 'in', ids)
    .where('status', '=', 'completed')
    .select(({ selectFrom, fn }) => [
      'id',
      'execution_seconds',
      'metrics',
      sql<readonly Content['deniedSignal'][]>`evidence -> 'deniedSignals'`.as('denied_signals'),
      sql<readonly string[]>`evidence -> 'warnings'`.as('warnings'),
      selectFrom('backtest_trades')
        .whereRef('backtest_id', '=', 'backtests.id')
        .select(fn.countAll<number>().as('count'))
        .as('trade_count'),
    ])
    .execute();
  const failed = await db
    .selectFrom('backtests')
    .where('id', 'in', ids)
    .where('status', '=', 'failed')
    .select(['id', 'execution_seconds', 'error'])
    .execute();
  return [
    ...completed.map((row) => ({
      id: row.id,
      executionSeconds: row.execution_seconds ?? 0,
      metrics: row.metrics as Content['metrics'],
      tradeCount: row.trade_count ?? 0,
      deniedSignals: row.denied_signals,
      warnings: row.warnings,
    })),
    ...failed.map((row) => ({ id: row.id, executionSeconds: row.execution_seconds ?? 0, error: row.error ?? '' })),
  ];
}
