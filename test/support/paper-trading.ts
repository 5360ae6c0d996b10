import { type Selectable, sql } from 'kysely';
import { isoTime } from '../../engine/series/index.js';
import { SqlExecutionStore } from '../../service/execution/store.js';
import type { LaneState, Order, Owner, StoredStrategy } from '../../service/execution/stored.js';
import type { OrderTable } from '../../service/execution/tables.js';
import type { Database } from '../../service/state/index.js';
import { StrategyStore } from '../../service/strategies/store.js';

export type NewStrategy = Omit<StoredStrategy, 'lane'> & Pick<LaneState, 'execution_state'>;

/** The store of paper trading, and what tests do to its tables that others do in the service. */
export interface PaperTrading {
  readonly store: SqlExecutionStore;
  addStrategy(owner: Owner, strategy: NewStrategy): Promise<void>;
  changeStrategy(owner: Owner, id: string, changes: Partial<NewStrategy>): Promise<void>;
  orders(): Promise<ReadonlyMap<string, Order>>;
  /** All that is stored, to compare with later. */
  snapshot(): Promise<string>;
}

const tables = ['strategies', 'lanes', 'accounts', 'positions', 'orders', 'trades'] as const;

export function paperTrading(db: Database): PaperTrading {
  const strategies = new StrategyStore(db);
  const at = new Date(0);
  return {
    store: new SqlExecutionStore(db),
    addStrategy: (owner, { rules, execution_config, execution_state, ...strategy }) =>
      strategies.insert({
        ...strategy,
        user_id: owner.userId,
        org_id: owner.orgId,
        rules: JSON.stringify(rules),
        execution_config: JSON.stringify(execution_config),
        execution_state: JSON.stringify(execution_state),
        content_hash: '',
        created_at: at,
        updated_at: at,
      }),
    async changeStrategy({ userId }, id, changes) {
      const texts = Object.entries(changes).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : JSON.stringify(value),
      ]);
      await strategies.update(userId, id, () => Object.fromEntries(texts));
    },
    async orders() {
      const rows = await db.selectFrom('orders').selectAll().execute();
      return new Map(rows.map((row) => [row.id, orderOf(row)]));
    },
    async snapshot() {
      const found = await Promise.all(
        tables.map((table) => sql`select * from ${sql.table(table)} order by id`.execute(db)),
      );
      return JSON.stringify(found.map(({ rows }) => rows));
    },
  };
}

const timeOf = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));

function orderOf(row: Selectable<OrderTable>): Order {
  const { user_id: _, org_id: __, created_at_ms, activated_at_ms, filled_at_ms, cancelled_at_ms, ...rest } = row;
  const { stop_loss_price, take_profit_price, ...order } = rest;
  return {
    ...order,
    order_id: row.id,
    ...(row.side === 'enter_long' ? { stop_loss_price, take_profit_price } : {}),
    history: {
      created: timeOf(created_at_ms),
      activated: timeOf(activated_at_ms),
      filled: timeOf(filled_at_ms),
      cancelled: timeOf(cancelled_at_ms),
    },
  };
}
