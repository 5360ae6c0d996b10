import type { Selectable } from 'kysely';
import { isoTime } from '../../engine/series/index.js';
import type { WebhookEvent } from '../webhooks/events.js';
import type { BacktestEnd, RunContent } from './stored.js';
import type { BacktestTable } from './tables.js';

/** The columns of a submitted run that its webhook event needs. */
export const toldColumns = [
  'id',
  'org_id',
  'strategy_id',
  'strategy_name',
  'asset',
  'interval',
  'created_at_ms',
  'is_portfolio',
] as const;

type Told = Pick<Selectable<BacktestTable>, (typeof toldColumns)[number]>;

export function endEvent(row: Told, end: BacktestEnd<RunContent>): WebhookEvent {
  const status = 'outcome' in end ? 'completed' : 'failed';
  const kind = row.is_portfolio ? 'portfolio' : 'backtest';
  const strategy = { strategy_id: row.strategy_id, strategy_name: row.strategy_name };
  return {
    id: `${kind}.${status}:${row.id}`,
    type: `${kind}.${status}`,
    orgId: row.org_id,
    atMs: end.completedAtMs,
    data: {
      [`${kind}_id`]: row.id,
      status,
      ...(row.is_portfolio
        ? { name: row.strategy_name, assets: row.asset.split(',') }
        : { ...strategy, asset: row.asset }),
      interval: row.interval,
      created_at: isoTime(row.created_at_ms),
      completed_at: isoTime(end.completedAtMs),
      execution_time_seconds: end.executionSeconds,
      trade_count: 'outcome' in end ? end.outcome.trades.length : 0,
      error: 'outcome' in end ? null : end.error,
    },
  };
}
