import { type Insertable, type Selectable, sql, type Transaction } from 'kysely';
import { readPaperAccount } from '../../engine/execution/index.js';
import type { StateSchema } from '../state/tables.js';
import { accountRow, orderRow, positionRow, tradeRow } from './rows.js';
import type { ExecutionState, Lane, LaneState, LaneUpdate, Owner } from './stored.js';
import type { LaneTable } from './tables.js';

type Open = Transaction<StateSchema>;

/** The state of a lane; a lane without a row was never evaluated. */
export function toLaneState(
  row: Pick<Selectable<LaneTable>, 'account' | 'market' | 'booked'> | undefined,
  execution_state: ExecutionState,
): LaneState {
  const { account = null, market = null, booked = null } = row ?? {};
  return { execution_state, account: account && readPaperAccount(account), market, booked };
}

/**
 * Locks a lane until the transaction ends and returns its state; null when its strategy does not
 * exist.
 */
export async function lockLane(open: Open, { userId }: Owner, lane: Lane): Promise<LaneState | null> {
  // Several lanes of a user may be updated in one transaction, and all book on one account: in one
  // order for all callers, none waits for another that waits for it.
  await sql`select pg_advisory_xact_lock(hashtext(${`lanes of ${userId}`}))`.execute(open);
  let { initial: state } = lane;
  if (lane.strategyId !== null) {
    const strategy = await open
      .selectFrom('strategies')
      .where('id', '=', lane.strategyId)
      .where('user_id', '=', userId)
      .select('execution_state')
      .forUpdate()
      .executeTakeFirst();
    if (strategy === undefined) return null;
    state = strategy.execution_state;
  } else {
    // A missing row cannot be locked, so it is inserted. A second transaction waits here for the
    // first to end.
    const row = { id: lane.id, user_id: userId, strategy_id: null, execution_state: JSON.stringify(state) };
    await open
      .insertInto('lanes')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
  // A separate statement: the one that waited for the lock would see the lane as it was before the
  // wait.
  const row = await open
    .selectFrom('lanes')
    .where('id', '=', lane.id)
    .where('user_id', '=', userId)
    .selectAll()
    .forUpdate()
    .executeTakeFirst();
  return toLaneState(row, lane.strategyId === null ? (row?.execution_state ?? state) : state);
}

/** Stores all results of an evaluation of a locked lane. */
export async function storeUpdate(open: Open, owner: Owner, lane: Lane, held: LaneState, update: LaneUpdate) {
  await storeLane(open, owner, lane, held, update);
  if (update.booking !== null) await book(open, update.booking);
  const { base_asset } = update.market;
  const positions = update.positions.map((position) => positionRow(position, base_asset));
  for (const rows of splitRows(positions)) {
    await open
      .insertInto('positions')
      .values(rows)
      // biome-ignore lint/style/noNonNullAssertion: a chunk has at least one row
      .onConflict((conflict) => conflict.column('id').doUpdateSet(replacing(rows[0]!)))
      .execute();
  }
  const orders = update.orders.map((order) => orderRow(order, owner));
  for (const rows of splitRows(orders)) {
    await open
      .insertInto('orders')
      .values(rows)
      // biome-ignore lint/style/noNonNullAssertion: a chunk has at least one row
      .onConflict((conflict) => conflict.column('id').doUpdateSet(replacing(rows[0]!)))
      .execute();
  }
  const trades = update.trades.map((trade) => tradeRow(trade, base_asset));
  for (const rows of splitRows(trades)) {
    await open
      .insertInto('trades')
      .values(rows)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute();
  }
}

async function storeLane(open: Open, { userId }: Owner, lane: Lane, held: LaneState, update: LaneUpdate) {
  const { execution_state, account, market, evaluated_at, booking } = update;
  const state = JSON.stringify(execution_state);
  if (lane.strategyId !== null) {
    await open
      .updateTable('strategies')
      .set((eb) => ({
        execution_state: state,
        last_evaluated_at: new Date(evaluated_at),
        evaluation_count: eb('evaluation_count', '+', 1),
      }))
      .where('id', '=', lane.strategyId)
      .execute();
  }
  const booked = booking?.booked ?? held.booked;
  const row: Insertable<LaneTable> = {
    id: lane.id,
    user_id: userId,
    strategy_id: lane.strategyId,
    execution_state: lane.strategyId === null ? state : null,
    account: JSON.stringify(account),
    market: JSON.stringify(market),
    booked: booked === null ? null : JSON.stringify(booked),
  };
  await open
    .insertInto('lanes')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(replacing(row)))
    .execute();
}

async function book(open: Open, { account, change }: NonNullable<LaneUpdate['booking']>) {
  const row = accountRow(account);
  const { cash_balance, account_value } = change;
  await open
    .insertInto('accounts')
    .values({
      ...row,
      cash_balance: row.cash_balance + cash_balance,
      account_value: row.account_value + account_value,
    })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet((eb) => ({
        cash_balance: eb('accounts.cash_balance', '+', cash_balance),
        account_value: eb('accounts.account_value', '+', account_value),
        updated_at_ms: row.updated_at_ms,
      })),
    )
    .execute();
}

/** A statement takes at most 65,535 values. */
const ROWS_MAX = 1_000;

const splitRows = <Row>(rows: readonly Row[]): Row[][] =>
  Array.from({ length: Math.ceil(rows.length / ROWS_MAX) }, (_, i) => rows.slice(i * ROWS_MAX, (i + 1) * ROWS_MAX));

/**
 * For a row that already exists: sets every column but its id to the value that was to be inserted.
 */
const replacing = (row: object) =>
  Object.fromEntries(
    Object.keys(row)
      .filter((column) => column !== 'id')
      .map((column) => [column, sql`excluded.${sql.ref(column)}`]),
  );
