import { type Insertable, type Kysely, type Selectable, sql } from 'kysely';
import { readPaperAccount } from '../../engine/execution/index.js';
import type { Database, StateSchema } from '../state/tables.js';
import { enqueueWebhookEvent } from '../webhooks/events.js';
import type {
  DeployedBounds,
  DeployedEvent,
  DeployedProgress,
  DeployedRecord,
  DeployedTick,
  EquityPoint,
  StoredEvent,
} from './stored.js';
import type { DeployedStrategyTable } from './tables.js';

/**
 * Deployed strategies in the state's tables. Each change of a strategy is atomic, so any number of
 * processes may share them.
 */
export class SqlDeployedStore {
  constructor(private readonly db: Database) {}

  /** Adds the records whose strategies are not deployed yet. */
  async deploy(records: readonly DeployedRecord[]): Promise<void> {
    if (records.length === 0) return;
    const rows = records.map((record) => ({
      id: record.id,
      definition_hash: record.definitionHash,
      created_at_ms: record.createdAtMs,
      error: record.error,
      ...progressRow(record),
    }));
    await this.db
      .insertInto('deployed_strategies')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  async list(ids: readonly string[]): Promise<DeployedRecord[]> {
    if (ids.length === 0) return [];
    const rows = await this.db.selectFrom('deployed_strategies').where('id', 'in', ids).selectAll().execute();
    return rows.map(toRecord);
  }

  /**
   * Stores the result of a bar: all of it or nothing.
   * @param lastBarMs open time of the bar before; null before the first
   * @returns false when another process has already evaluated that bar
   */
  async advance(id: string, lastBarMs: number | null, tick: DeployedTick): Promise<boolean> {
    const { progress, equity, trades, events } = tick;
    return this.db.transaction().execute(async (open) => {
      const { numUpdatedRows } = await open
        .updateTable('deployed_strategies')
        .set({ ...progressRow(progress), error: null })
        .where('id', '=', id)
        .where('last_bar_ms', lastBarMs === null ? 'is' : '=', lastBarMs)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) return false;
      const { timeMs, value } = equity;
      await open
        .insertInto('deployed_equity')
        .values({ strategy_id: id, bar: progress.account.lastBar, time_ms: timeMs, value })
        .execute();
      if (trades.length > 0) {
        const first = progress.totalTrades - trades.length;
        const rows = trades.map((trade, k) => ({ strategy_id: id, index: first + k, trade: JSON.stringify(trade) }));
        await open.insertInto('deployed_trades').values(rows).execute();
      }
      if (events.length > 0) {
        const { value: newest } = await open
          .updateTable('deployed_counters')
          .set((eb) => ({ value: eb('value', '+', events.length) }))
          .where('name', '=', 'events')
          .returning('value')
          .executeTakeFirstOrThrow();
        const first = newest - events.length + 1;
        const rows = events.map((event, k) => ({
          id: first + k,
          strategy_id: id,
          type: event.type,
          event: JSON.stringify(event),
        }));
        await open.insertInto('deployed_events').values(rows).execute();
        for (const [k, event] of events.entries()) {
          // biome-ignore lint/style/noNonNullAssertion: a tick with events has its time
          await tellOfTrade(open, String(first + k), event, progress.tickedAtMs!);
        }
      }
      return true;
    });
  }

  /**
   * Sets the time from which a strategy trades, unless another process has set it before.
   * @returns the time that counts
   */
  async begin(id: string, startMs: number): Promise<number> {
    const row = await this.db
      .updateTable('deployed_strategies')
      .set((eb) => ({ start_ms: eb.fn.coalesce('start_ms', eb.val(startMs)) }))
      .where('id', '=', id)
      .returning('start_ms')
      .executeTakeFirstOrThrow();
    return row.start_ms ?? startMs;
  }

  /** Records why a strategy does not advance; null clears that. An evaluated bar also clears it. */
  async note(id: string, error: string | null): Promise<void> {
    await this.db
      .updateTable('deployed_strategies')
      .set({ error })
      .where('id', '=', id)
      .where('error', 'is distinct from', error)
      .execute();
  }

  /** The oldest events with a greater id, in order. */
  async eventsAfter(id: number, limit: number): Promise<StoredEvent[]> {
    const rows = await this.db
      .selectFrom('deployed_events')
      .where('id', '>', id)
      .select(['id', 'event'])
      .orderBy('id')
      .limit(limit)
      .execute();
    return rows;
  }

  /** The newest events of all strategies, in ascending order. */
  async newestEvents(limit: number): Promise<StoredEvent[]> {
    const rows = await this.db
      .selectFrom('deployed_events')
      .select(['id', 'event'])
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
    return rows.reverse();
  }

  /** The newest events of one strategy, newest first, without milestones. */
  async listEvents(strategyId: string, limit: number): Promise<StoredEvent[]> {
    return this.db
      .selectFrom('deployed_events')
      .where('strategy_id', '=', strategyId)
      .where('type', '!=', 'milestone')
      .select(['id', 'event'])
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
  }

  /**
   * For each strategy, at most `pointsMax` points at even distances back from the newest, oldest
   * first.
   */
  async equity(ids: readonly string[], pointsMax: number, kept: number): Promise<ReadonlyMap<string, EquityPoint[]>> {
    const points = new Map<string, EquityPoint[]>(ids.map((id) => [id, []]));
    if (ids.length === 0) return points;
    const stride = sql`greatest(1, (least(s.bars, ${kept}::integer) + ${pointsMax - 1}::integer) / ${pointsMax}::integer)`;
    const { rows } = await sql<{ strategy_id: string; time_ms: number; value: number }>`
      select e.strategy_id, e.time_ms, e.value
      from deployed_strategies s
      cross join lateral generate_series(s.bars - 1, greatest(0, s.bars - ${kept}::integer), -${stride}) as wanted(bar)
      join deployed_equity e on e.strategy_id = s.id and e.bar = wanted.bar
      where s.id in (${sql.join(ids)})
      order by e.strategy_id, e.bar`.execute(this.db);
    for (const { strategy_id, time_ms, value } of rows) points.get(strategy_id)?.push({ timeMs: time_ms, value });
    return points;
  }

  /** For each strategy, the most recently closed trades, newest first. */
  async trades(ids: readonly string[], limit: number): Promise<ReadonlyMap<string, object[]>> {
    const trades = new Map<string, object[]>(ids.map((id) => [id, []]));
    if (ids.length === 0) return trades;
    const rows = await this.db
      .selectFrom('deployed_trades as t')
      .innerJoin('deployed_strategies as s', 's.id', 't.strategy_id')
      .where('t.strategy_id', 'in', ids)
      .whereRef('t.index', '>=', (eb) => eb('s.total_trades', '-', limit))
      .select(['t.strategy_id', 't.trade'])
      .orderBy('t.strategy_id')
      .orderBy('t.index', 'desc')
      .execute();
    for (const { strategy_id, trade } of rows) trades.get(strategy_id)?.push(trade);
    return trades;
  }

  /**
   * Deletes all but the newest rows of each strategy. The newest `events` events of all strategies
   * are among those kept.
   */
  async trim({ events, trades, equity }: DeployedBounds): Promise<void> {
    await sql`
      delete from deployed_events e using deployed_strategies s
      where e.strategy_id = s.id and e.id <= (
        select k.id from deployed_events k where k.strategy_id = s.id order by k.id desc offset ${events} limit 1
      )`.execute(this.db);
    await sql`
      delete from deployed_trades t using deployed_strategies s
      where t.strategy_id = s.id and t.index < s.total_trades - ${trades}::integer`.execute(this.db);
    await sql`
      delete from deployed_equity e using deployed_strategies s
      where e.strategy_id = s.id and e.bar < s.bars - ${equity}::integer`.execute(this.db);
  }
}

function progressRow(progress: DeployedProgress) {
  const { account } = progress;
  return {
    start_ms: progress.startMs,
    last_bar_ms: account.lastBarTime,
    bars: account.lastBar + 1,
    ticked_at_ms: progress.tickedAtMs,
    account: JSON.stringify(account),
    account_value: progress.accountValue,
    last_price: progress.lastPrice,
    total_trades: progress.totalTrades,
    highest_step: progress.highestStep,
    lowest_step: progress.lowestStep,
  } satisfies Partial<Insertable<DeployedStrategyTable>>;
}

/**
 * Tells the webhooks of all organizations about a fill or the reason of an exit, since every
 * organization may see these strategies.
 */
async function tellOfTrade(open: Kysely<StateSchema>, id: string, event: DeployedEvent, atMs: number): Promise<void> {
  const { type } = event;
  if (type !== 'fill' && type !== 'exit_reason') return;
  await enqueueWebhookEvent(open, {
    id: `deployed:${id}`,
    type: `deployed.${type}`,
    orgId: null,
    atMs,
    data: { id, ...event },
  });
}

const toRecord = (row: Selectable<DeployedStrategyTable>): DeployedRecord => ({
  id: row.id,
  definitionHash: row.definition_hash,
  createdAtMs: row.created_at_ms,
  startMs: row.start_ms,
  account: readPaperAccount(row.account),
  accountValue: row.account_value,
  lastPrice: row.last_price,
  totalTrades: row.total_trades,
  highestStep: row.highest_step,
  lowestStep: row.lowest_step,
  tickedAtMs: row.ticked_at_ms,
  error: row.error,
});
