import type { Insertable, Selectable } from 'kysely';
import { isoTime } from '../../engine/series/index.js';
import type { Database } from '../state/tables.js';
import type { AccountRecord, Order, Owner, PortfolioEntry, PositionRecord, TradeRecord } from './stored.js';
import type { AccountTable, OrderTable, PositionTable, TradeTable } from './tables.js';

/**
 * Converts between the records of paper trading and their rows. Rows hold times as numbers, so that
 * they sort.
 */

const toIsoTime = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));
const toMs = (time: string | null): number | null => (time === null ? null : Date.parse(time));

export function accountRow({ created_at, updated_at, risk_params, ...account }: AccountRecord) {
  return {
    ...account,
    risk_params: risk_params === null ? null : JSON.stringify(risk_params),
    created_at_ms: Date.parse(created_at),
    updated_at_ms: Date.parse(updated_at),
  } satisfies Insertable<AccountTable>;
}

export const toAccount = ({ created_at_ms, updated_at_ms, ...row }: Selectable<AccountTable>): AccountRecord => ({
  ...row,
  created_at: isoTime(created_at_ms),
  updated_at: isoTime(updated_at_ms),
});

/** Resting orders are not part of a stored position; they have rows of their own. */
export function positionRow(position: PositionRecord, base_asset: string) {
  const { created_at, entry_timestamp, exit_timestamp, orders: _, ...rest } = position;
  return {
    ...rest,
    side: position.side ?? null,
    margin: position.margin ?? null,
    liquidation_price: position.liquidation_price ?? null,
    base_asset,
    created_at_ms: Date.parse(created_at),
    entry_time_ms: Date.parse(entry_timestamp),
    exit_time_ms: toMs(exit_timestamp),
  } satisfies Insertable<PositionTable>;
}

export function toPosition(row: Selectable<PositionTable>): PositionRecord {
  const { base_asset: _, created_at_ms, entry_time_ms, exit_time_ms, side, margin, liquidation_price, ...rest } = row;
  return {
    ...rest,
    ...(side !== null && side !== undefined && { side }),
    ...(margin !== null && { margin, liquidation_price }),
    created_at: isoTime(created_at_ms),
    entry_timestamp: isoTime(entry_time_ms),
    exit_timestamp: toIsoTime(exit_time_ms),
  };
}

export function orderRow({ order_id: _, bars_left: __, history, ...order }: Order, { userId, orgId }: Owner) {
  return {
    ...order,
    user_id: userId,
    org_id: orgId,
    stop_loss_price: order.stop_loss_price ?? null,
    take_profit_price: order.take_profit_price ?? null,
    created_at_ms: toMs(history.created),
    activated_at_ms: toMs(history.activated),
    filled_at_ms: toMs(history.filled),
    cancelled_at_ms: toMs(history.cancelled),
  } satisfies Insertable<OrderTable>;
}

export const tradeRow = ({ closed_at, ...trade }: TradeRecord, base_asset: string) =>
  ({
    ...trade,
    side: trade.side ?? null,
    margin: trade.margin ?? null,
    return_on_margin: trade.return_on_margin ?? null,
    base_asset,
    closed_at_ms: Date.parse(closed_at),
  }) satisfies Insertable<TradeTable>;

export function toTrade(given: Selectable<TradeTable>): TradeRecord {
  const { base_asset: _, closed_at_ms, side, margin, return_on_margin, ...row } = given;
  return {
    ...row,
    closed_at: isoTime(closed_at_ms),
    ...(side !== null && side !== undefined && { side }),
    ...(margin !== null && return_on_margin !== null && { margin, return_on_margin }),
  };
}

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
    status,
    execution_state,
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
