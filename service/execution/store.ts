import { isUuid } from '../../data/state/index.js';
import type { WarningLog } from '../setting-warnings.js';
import type { Database } from '../state/tables.js';
import { lockLane, storeUpdate, toLaneState } from './lanes.js';
import type { MarketData } from './market.js';
import { accountRow, readPortfolio, toAccount, toPosition, toTrade } from './rows.js';
import type {
  AccountRecord,
  AccountSettings,
  Lane,
  LaneState,
  LaneUpdate,
  Owner,
  Page,
  PositionFilter,
  PositionRecord,
  StoredStrategy,
  TradeFilter,
} from './stored.js';

/** What the use cases of execution need. */
export interface ExecutionServices {
  readonly store: SqlExecutionStore;
  readonly market: MarketData;
  /** The system clock in epoch ms, for the times of rows. Market time comes from `market`. */
  readonly now: () => number;
  /** Returns a new UUID. */
  readonly newId: () => string;
  /** Called with the warnings of an evaluation, once. */
  readonly onWarnings?: WarningLog;
}

/** Whether a filter by id can match: it is absent or an id. */
const isFilter = (id: string | undefined): boolean => id === undefined || isUuid(id);

const nothing = { rows: [], total: 0 };

/**
 * Paper trading in the state's tables. Each request names a user and returns only that user's rows;
 * an unknown or malformed id, or an id of another user, is not found. Lists are newest first
 * (accounts by `created_at`, positions by `entry_timestamp`, trades by `closed_at`), then by id
 * ascending.
 */
export class SqlExecutionStore {
  constructor(private readonly db: Database) {}

  async findStrategy(userId: string, id: string): Promise<StoredStrategy | null> {
    if (!isUuid(id)) return null;
    const row = await this.db
      .selectFrom('strategies')
      .leftJoin('lanes', 'lanes.id', 'strategies.id')
      .where('strategies.user_id', '=', userId)
      .where('strategies.id', '=', id)
      .select(['strategies.id', 'name', 'asset', 'status', 'rules', 'execution_config', 'strategies.execution_state'])
      .select(['lanes.account', 'lanes.market', 'lanes.booked'])
      .executeTakeFirst();
    if (row === undefined) return null;
    const { account, market, booked, execution_state, status, ...strategy } = row;
    const lane = toLaneState({ account, market, booked }, execution_state);
    return { ...strategy, status, lane };
  }

  /** The state of a lane without a saved strategy; null before its first update. */
  async findLane(userId: string, id: string): Promise<LaneState | null> {
    if (!isUuid(id)) return null;
    const row = await this.db
      .selectFrom('lanes')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .selectAll()
      .executeTakeFirst();
    return row === undefined || row.execution_state === null ? null : toLaneState(row, row.execution_state);
  }

  /**
   * Evaluates under the lane's lock and stores the update, so that each of several concurrent
   * evaluations sees what the one before it stored. Also counts the evaluation on the strategy and
   * sets its `execution_state` and `last_evaluated_at`. When `evaluate` throws, nothing is stored.
   * Null when the strategy is not found.
   */
  async updateLane<Update extends LaneUpdate>(
    owner: Owner,
    lane: Lane,
    evaluate: (held: LaneState) => Update,
  ): Promise<Update | null> {
    return this.db.transaction().execute(async (open) => {
      const held = await lockLane(open, owner, lane);
      if (held === null) return null;
      const update = evaluate(held);
      await storeUpdate(open, owner, lane, held, update);
      return update;
    });
  }

  /** Adds the account and returns it. */
  async addAccount(account: AccountRecord): Promise<AccountRecord> {
    const row = await this.db
      .insertInto('accounts')
      .values(accountRow(account))
      .returningAll()
      .executeTakeFirstOrThrow();
    return toAccount(row);
  }

  async findAccount(userId: string, id: string): Promise<AccountRecord | null> {
    if (!isUuid(id)) return null;
    const row = await this.userAccounts(userId).where('id', '=', id).selectAll().executeTakeFirst();
    return row === undefined ? null : toAccount(row);
  }

  /** Returns the changed account; null when it is not found. */
  async changeAccount(
    userId: string,
    id: string,
    { risk_params, ...settings }: Partial<AccountSettings>,
    updatedAt: string,
  ): Promise<AccountRecord | null> {
    if (!isUuid(id)) return null;
    const params = risk_params === null ? null : JSON.stringify(risk_params);
    const row = await this.db
      .updateTable('accounts')
      .set({
        ...settings,
        ...(risk_params === undefined ? {} : { risk_params: params }),
        updated_at_ms: Date.parse(updatedAt),
      })
      .where('user_id', '=', userId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    return row === undefined ? null : toAccount(row);
  }

  async listAccounts(userId: string, type: 'paper' | 'live' | null): Promise<readonly AccountRecord[]> {
    const all = this.userAccounts(userId);
    const matching = type === null ? all : all.where('account_type', '=', type);
    const rows = await matching.selectAll().orderBy('created_at_ms', 'desc').orderBy('id').execute();
    return rows.map(toAccount);
  }

  async findPosition(userId: string, id: string): Promise<PositionRecord | null> {
    if (!isUuid(id)) return null;
    const row = await this.db
      .selectFrom('positions')
      .where('user_id', '=', userId)
      .where('id', '=', id)
      .selectAll()
      .executeTakeFirst();
    return row === undefined ? null : toPosition(row);
  }

  async listPositions(userId: string, filter: PositionFilter, { skip, limit }: Page) {
    const { accountId, strategyId, baseAsset, isOpen } = filter;
    if (!isFilter(accountId) || !isFilter(strategyId)) return nothing;
    let matching = this.db.selectFrom('positions').where('user_id', '=', userId);
    if (accountId !== undefined) matching = matching.where('account_id', '=', accountId);
    if (strategyId !== undefined) matching = matching.where('strategy_id', '=', strategyId);
    if (baseAsset !== undefined) matching = matching.where('base_asset', '=', baseAsset);
    if (isOpen !== undefined) matching = matching.where('open', '=', isOpen);
    const page = matching.selectAll().orderBy('entry_time_ms', 'desc').orderBy('id').offset(skip).limit(limit);
    const [rows, counted] = await Promise.all([page.execute(), matching.select(this.count).executeTakeFirst()]);
    return { rows: rows.map(toPosition), total: Number(counted?.count) };
  }

  async listTrades(userId: string, { accountId, baseAsset, outcome }: TradeFilter, { skip, limit }: Page) {
    if (!isFilter(accountId)) return nothing;
    let matching = this.db.selectFrom('trades').where('user_id', '=', userId);
    if (accountId !== undefined) matching = matching.where('account_id', '=', accountId);
    if (baseAsset !== undefined) matching = matching.where('base_asset', '=', baseAsset);
    if (outcome !== undefined) matching = matching.where('outcome', '=', outcome);
    const page = matching.selectAll().orderBy('closed_at_ms', 'desc').orderBy('id').offset(skip).limit(limit);
    const [rows, counted] = await Promise.all([page.execute(), matching.select(this.count).executeTakeFirst()]);
    return { rows: rows.map(toTrade), total: Number(counted?.count) };
  }

  /** The entries of the strategies that are found, in any order. */
  async portfolio(userId: string, strategyIds: readonly string[]) {
    const ids = strategyIds.filter(isUuid);
    return ids.length === 0 ? [] : readPortfolio(this.db, userId, ids);
  }

  private userAccounts(userId: string) {
    return this.db.selectFrom('accounts').where('user_id', '=', userId);
  }

  private get count() {
    return this.db.fn.countAll<number | string>().as('count');
  }
}
