import { isoTime } from '../../engine/series/index.js';
import type { Database } from '../state/tables.js';
import type { ExecutionState, PortfolioEntry, StrategyStatus } from './stored.js';

const RECENT_TRADES = 5;

/**
 * A user's strategies with their open positions and recent trades. Strategies of other users are
 * left out.
 */
export async function readPortfolio(
  db: Database,
  userId: string,
  strategyIds: readonly string[],
): Promise<readonly PortfolioEntry[]> {
  const [strategies, counts, trades] = await Promise.all([
    db
      .selectFrom('strategies')
      .where('user_id', '=', userId)
      .where('id', 'in', strategyIds)
      .select(['id', 'name', 'asset', 'status', 'execution_state', 'last_evaluated_at'])
      .execute(),
    db
      .selectFrom('positions')
      .where('user_id', '=', userId)
      .where('strategy_id', 'in', strategyIds)
      .where('open', '=', true)
      .groupBy('strategy_id')
      .select(['strategy_id', db.fn.countAll<number | string>().as('count')])
      .execute(),
    recentTrades(db, userId, strategyIds),
  ]);
  const openOf = new Map(counts.map(({ strategy_id, count }) => [strategy_id, Number(count)]));
  return strategies.map(({ id, name, asset, status, execution_state, last_evaluated_at }) => ({
    strategy_id: id,
    strategy_name: name,
    asset,
    status: status as StrategyStatus,
    execution_state: execution_state as ExecutionState,
    last_evaluated_at: last_evaluated_at === null ? null : isoTime(last_evaluated_at.getTime()),
    open_positions_count: openOf.get(id) ?? 0,
    recent_trades: trades
      .filter(({ strategy_id }) => strategy_id === id)
      .map(({ strategy_id: _, closed_at_ms, ...trade }) => ({ ...trade, closed_at: isoTime(closed_at_ms) })),
  }));
}

/** The newest trades of each strategy. The index finds them among any number of trades. */
const recentTrades = (db: Database, userId: string, strategyIds: readonly string[]) =>
  db
    .selectFrom('strategies')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('trades')
          .whereRef('trades.strategy_id', '=', 'strategies.id')
          .select(['id', 'strategy_id', 'asset', 'outcome', 'profit_loss', 'profit_loss_pct', 'closed_at_ms'])
          .orderBy('closed_at_ms', 'desc')
          .orderBy('id')
          .limit(RECENT_TRADES)
          .as('recent'),
      (join) => join.onTrue(),
    )
    .where('strategies.user_id', '=', userId)
    .where('strategies.id', 'in', strategyIds)
    .selectAll('recent')
    .orderBy('recent.closed_at_ms', 'desc')
    .orderBy('recent.id')
    .execute();
