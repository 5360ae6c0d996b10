import type {
  ExecutionStore,
  LaneState,
  LaneUpdate,
  Listing,
  Owner,
  Page,
  StoredStrategy,
} from '../../data/state/index.js';
import type {
  AccountRecord,
  Order,
  PortfolioEntry,
  PositionRecord,
  TradeRecord,
} from '../../service/execution/index.js';

export type NewStrategy = Omit<StoredStrategy, 'lane'> & Pick<LaneState, 'execution_state'>;

interface StrategyRow extends NewStrategy {
  readonly userId: string;
  last_evaluated_at: string | null;
  evaluation_count: number;
}

type Stored<Row> = Row & { readonly base_asset: string };

/**
 * Keeps everything in maps. Copies what goes in and comes out through JSON, as a database would.
 */
export class MemoryExecutionStore implements ExecutionStore {
  readonly strategies = new Map<string, StrategyRow>();
  readonly lanes = new Map<string, { readonly userId: string; readonly state: LaneState }>();
  readonly accounts = new Map<string, AccountRecord>();
  readonly positions = new Map<string, Stored<PositionRecord>>();
  readonly orders = new Map<string, Order>();
  readonly trades = new Map<string, Stored<TradeRecord>>();
  #last: Promise<unknown> = Promise.resolve();

  addStrategy(owner: Owner, strategy: NewStrategy): void {
    const row = { ...strategy, userId: owner.userId, last_evaluated_at: null, evaluation_count: 0 };
    this.strategies.set(strategy.id, row);
  }

  /** All that is stored, as a snapshot to compare with later. */
  snapshot(): string {
    const { strategies, lanes, accounts, positions, orders, trades } = this;
    return JSON.stringify([strategies, lanes, accounts, positions, orders, trades].map((map) => [...map]));
  }

  async findStrategy(userId: string, id: string): Promise<StoredStrategy | null> {
    const row = this.strategies.get(id);
    if (row?.userId !== userId) return null;
    const { name, asset, status, rules, execution_config } = row;
    return copy({ id, name, asset, status, rules, execution_config, lane: this.#strategyLane(row) });
  }

  #strategyLane({ id, execution_state }: StrategyRow): LaneState {
    return { ...(this.lanes.get(id)?.state ?? { account: null, market: null, booked: null }), execution_state };
  }

  async findLane(userId: string, id: string): Promise<LaneState | null> {
    const lane = this.lanes.get(id);
    return lane?.userId === userId ? copy(lane.state) : null;
  }

  updateLane: ExecutionStore['updateLane'] = (owner, lane, evaluate) => {
    const update = async () => {
      await Promise.resolve(); // so that concurrent calls overlap
      const row = lane.strategyId === null ? null : this.strategies.get(lane.strategyId);
      if (row === undefined || (row !== null && row.userId !== owner.userId)) return null;
      const fresh = { execution_state: lane.initial, account: null, market: null, booked: null };
      const held = row === null ? (this.lanes.get(lane.id)?.state ?? fresh) : this.#strategyLane(row);
      const result = evaluate(copy(held));
      this.#store(owner, lane.id, row, held, copy<LaneUpdate>(result));
      return result;
    };
    const done = this.#last.then(update);
    this.#last = done.catch(() => undefined);
    return done;
  };

  #store({ userId }: Owner, laneId: string, row: StrategyRow | null, held: LaneState, update: LaneUpdate): void {
    const { execution_state, account, market, booking, evaluated_at } = update;
    const { base_asset } = market;
    const state = { execution_state, account, market, booked: booking?.booked ?? held.booked };
    this.lanes.set(laneId, { userId, state });
    if (row !== null) {
      const evaluation_count = row.evaluation_count + 1;
      this.strategies.set(row.id, { ...row, execution_state, last_evaluated_at: evaluated_at, evaluation_count });
    }
    for (const order of update.orders) this.orders.set(order.id, order);
    for (const position of update.positions) this.positions.set(position.id, { ...position, base_asset });
    for (const trade of update.trades)
      if (!this.trades.has(trade.id)) this.trades.set(trade.id, { ...trade, base_asset });
    if (booking === null) return;
    const before = this.accounts.get(booking.account.id) ?? booking.account;
    this.accounts.set(before.id, {
      ...before,
      cash_balance: before.cash_balance + booking.change.cash_balance,
      account_value: before.account_value + booking.change.account_value,
      updated_at: booking.account.updated_at,
    });
  }

  async addAccount(account: AccountRecord): Promise<AccountRecord> {
    this.accounts.set(account.id, copy(account));
    return copy(account);
  }

  async findAccount(userId: string, id: string): Promise<AccountRecord | null> {
    const account = this.accounts.get(id);
    return account?.user_id === userId ? copy(account) : null;
  }

  changeAccount: ExecutionStore['changeAccount'] = async (userId, id, settings, updatedAt) => {
    const account = await this.findAccount(userId, id);
    if (account === null) return null;
    return this.addAccount({ ...account, ...settings, updated_at: updatedAt });
  };

  async listAccounts(userId: string, type: 'paper' | 'live' | null): Promise<readonly AccountRecord[]> {
    const rows = [...this.accounts.values()].filter(
      (row) => row.user_id === userId && (type === null || row.account_type === type),
    );
    return copy(newestFirst(rows, 'created_at'));
  }

  async findPosition(userId: string, id: string): Promise<PositionRecord | null> {
    const row = this.positions.get(id);
    return row?.user_id === userId ? copy(shown(row)) : null;
  }

  listPositions: ExecutionStore['listPositions'] = async (userId, filter, page) => {
    const rows = [...this.positions.values()].filter(
      (row) =>
        row.user_id === userId &&
        isSame(filter.accountId, row.account_id) &&
        isSame(filter.strategyId, row.strategy_id) &&
        isSame(filter.baseAsset, row.base_asset) &&
        isSame(filter.isOpen, row.open),
    );
    return cut(newestFirst(rows, 'entry_timestamp').map(shown), page);
  };

  listTrades: ExecutionStore['listTrades'] = async (userId, filter, page) => {
    const rows = [...this.trades.values()].filter(
      (row) =>
        row.user_id === userId &&
        isSame(filter.accountId, row.account_id) &&
        isSame(filter.baseAsset, row.base_asset) &&
        isSame(filter.outcome, row.outcome),
    );
    return cut(newestFirst(rows, 'closed_at').map(shown), page);
  };

  async portfolio(userId: string, strategyIds: readonly string[]): Promise<readonly PortfolioEntry[]> {
    const wanted = [...this.strategies.values()].filter((row) => row.userId === userId && strategyIds.includes(row.id));
    return copy(
      wanted.map((row) => {
        const trades = [...this.trades.values()].filter(({ strategy_id }) => strategy_id === row.id);
        const positions = [...this.positions.values()].filter(({ strategy_id }) => strategy_id === row.id);
        return {
          strategy_id: row.id,
          strategy_name: row.name,
          asset: row.asset,
          status: row.status,
          execution_state: row.execution_state,
          last_evaluated_at: row.last_evaluated_at,
          open_positions_count: positions.filter(({ open }) => open).length,
          recent_trades: newestFirst(trades, 'closed_at')
            .slice(0, 5)
            .map(({ id, asset, outcome, profit_loss, profit_loss_pct, closed_at }) => ({
              id,
              asset,
              outcome,
              profit_loss,
              profit_loss_pct,
              closed_at,
            })),
        };
      }),
    );
  }
}

const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value));

const isSame = <T>(wanted: T | undefined, actual: T): boolean => wanted === undefined || wanted === actual;

function shown<Row extends { readonly base_asset: string }>({ base_asset, ...row }: Row): Omit<Row, 'base_asset'> {
  return row;
}

const newestFirst = <Key extends string, Row extends { readonly id: string } & Readonly<Record<Key, string>>>(
  rows: readonly Row[],
  key: Key,
): Row[] => [...rows].sort((a, b) => Date.parse(b[key]) - Date.parse(a[key]) || (a.id < b.id ? -1 : 1));

const cut = <Row>(rows: readonly Row[], { skip, limit }: Page): Listing<Row> =>
  copy({ rows: rows.slice(skip, skip + limit), total: rows.length });
