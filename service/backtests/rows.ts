import { type ExpressionBuilder, type Kysely, type Selectable, sql } from 'kysely';
import { nextTurn, oneClaimAtATime } from '../../data/state/index.js';
import { isoTime } from '../../engine/series/index.js';
import type { Database, StateSchema } from '../state/tables.js';
import type { WebhookEvent } from '../webhooks/events.js';
import type { AwaitedEnd, BacktestEnd, BacktestPlan, RunContent } from './stored.js';
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

/** Queued, or held by a runner whose lease has ended. */
export const isClaimable = (nowMs: number) => (eb: ExpressionBuilder<StateSchema, 'backtests'>) =>
  eb.or([eb('status', '=', 'queued'), eb.and([eb('status', '=', 'running'), eb('lease_until_ms', '<=', nowMs)])]);

/** Gives the next run of a kind to a runner; undefined where none can be claimed. */
export async function claimNext(db: Database, isPortfolio: boolean, runner: string, nowMs: number, untilMs: number) {
  const isOfKind = (eb: ExpressionBuilder<StateSchema, 'backtests'>) =>
    eb.and([isClaimable(nowMs)(eb), eb('is_portfolio', '=', isPortfolio)]);
  return db.transaction().execute(async (open) => {
    await oneClaimAtATime(open);
    return open
      .updateTable('backtests')
      .set((eb) => ({
        status: 'running' as const,
        lease_runner: runner,
        lease_until_ms: untilMs,
        attempts: eb('attempts', '+', 1),
        turn: nextTurn,
      }))
      .where('id', '=', (eb) =>
        eb
          .selectFrom('backtests')
          .select('id')
          .where(isOfKind)
          .where('org_id', '=', (org) =>
            org
              .selectFrom(org.selectFrom('backtests').select('org_id').distinct().where(isOfKind).as('waiting'))
              .select('org_id')
              .orderBy(({ selectFrom }) =>
                selectFrom('backtests as had')
                  .whereRef('had.org_id', '=', 'waiting.org_id')
                  .select(({ fn }) => fn.coalesce(fn.max('had.turn'), sql<number>`0`).as('turn')),
              )
              .orderBy('org_id')
              .limit(1),
          )
          .orderBy('is_awaited', 'desc')
          .orderBy('created_at_ms')
          .orderBy('id')
          .limit(1),
      )
      .returning([...planColumns, 'request', 'attempts'])
      .executeTakeFirst();
  });
}

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
