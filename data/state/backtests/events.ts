import type { Selectable } from 'kysely';
import { isoTime } from '../../../engine/index.js';
import type { BacktestTable } from '../schema.js';
import type { WebhookEvent } from '../webhooks/events.js';
import type { BacktestContent, BacktestEnd } from './records.js';

/** The columns of a submitted run that its webhook event needs. */
export const toldColumns = [
  'id',
  'org_id',
  'strategy_id',
  'strategy_name',
  'asset',
  'interval',
  'created_at_ms',
] as const;

type Told = Pick<Selectable<BacktestTable>, (typeof toldColumns)[number]>;

export function endEvent(row: Told, end: BacktestEnd<BacktestContent>): WebhookEvent {
  const status = 'outcome' in end ? 'completed' : 'failed';
  return {
    id: `backtest.${status}:${row.id}`,
    type: `backtest.${status}`,
    orgId: row.org_id,
    atMs: end.completedAtMs,
    data: {
      backtest_id: row.id,
      status,
      strategy_id: row.strategy_id,
      strategy_name: row.strategy_name,
      asset: row.asset,
      interval: row.interval,
      created_at: isoTime(row.created_at_ms),
      completed_at: isoTime(end.completedAtMs),
      execution_time_seconds: end.executionSeconds,
      trade_count: 'outcome' in end ? end.outcome.trades.length : 0,
      error: 'outcome' in end ? null : end.error,
    },
  };
}
