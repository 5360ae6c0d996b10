import type { Selectable } from 'kysely';
import type { BacktestEnd, BacktestPlan, RunContent } from './stored.js';
import type { BacktestTable } from './tables.js';

/* Converts between backtests as the store returns them and rows of their table. */

type Row = Selectable<BacktestTable>;

export const planColumns = [
  'id',
  'user_id',
  'org_id',
  'strategy_id',
  'strategy_name',
  'session_id',
  'asset',
  'interval',
  'base_asset',
  'start_ms',
  'end_ms',
  'config',
  'warnings',
  'created_at_ms',
  'is_shared',
  'is_awaited',
] as const;
export const stateColumns = [
  'status',
  'completed_at_ms',
  'execution_seconds',
  'metrics',
  'error',
  'archived_at_ms',
] as const;

export const planRow = (plan: BacktestPlan<RunContent>) => ({
  id: plan.id,
  user_id: plan.userId,
  org_id: plan.orgId,
  strategy_id: plan.strategyId,
  strategy_name: plan.strategyName,
  session_id: plan.sessionId,
  asset: plan.asset,
  interval: plan.interval,
  base_asset: plan.baseAsset,
  start_ms: plan.startMs,
  end_ms: plan.endMs,
  config: JSON.stringify(plan.config),
  request: JSON.stringify(plan.request),
  warnings: JSON.stringify(plan.warnings),
  created_at_ms: plan.createdAtMs,
  is_shared: plan.isShared,
  is_awaited: plan.isAwaited,
});

export function endRow(end: BacktestEnd<RunContent>) {
  const ended = { completed_at_ms: end.completedAtMs, execution_seconds: end.executionSeconds };
  if (!('outcome' in end)) return { ...ended, status: 'failed' as const, error: end.error };
  const { metrics, trades: _, ...evidence } = end.outcome;
  const outcome = { metrics: JSON.stringify(metrics), evidence: JSON.stringify(evidence) };
  return { ...ended, status: 'completed' as const, ...outcome };
}

export const readPlan = <Content extends RunContent>(
  row: Pick<Row, (typeof planColumns)[number]>,
): Omit<BacktestPlan<Content>, 'request'> => ({
  id: row.id,
  userId: row.user_id,
  orgId: row.org_id,
  strategyId: row.strategy_id,
  strategyName: row.strategy_name,
  sessionId: row.session_id,
  asset: row.asset,
  interval: row.interval,
  baseAsset: row.base_asset,
  startMs: row.start_ms,
  endMs: row.end_ms,
  config: row.config,
  warnings: row.warnings,
  createdAtMs: row.created_at_ms,
  isShared: row.is_shared,
  isAwaited: row.is_awaited,
});

export const readState = (row: Pick<Row, (typeof stateColumns)[number]>) => ({
  status: row.status,
  completedAtMs: row.completed_at_ms,
  executionSeconds: row.execution_seconds,
  error: row.error,
  archivedAtMs: row.archived_at_ms,
});
