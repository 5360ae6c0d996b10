import type { PaperAccount } from '../../../engine/index.js';
import type {
  AccountRecord,
  AccountSettings,
  ExecutionState,
  Order,
  PortfolioEntry,
  PositionRecord,
  StrategyStatus,
  TradeRecord,
} from './records.js';

/** The acting user and organization. */
export interface Owner {
  readonly userId: string;
  readonly orgId: string;
}

/** The state that successive evaluations of one strategy carry forward. */
export interface LaneState {
  /**
   * As shown to the owner, who may have changed it since the last evaluation. Its cash is
   * authoritative.
   */
  readonly execution_state: ExecutionState;
  /** Null before the first stored evaluation. */
  readonly account: PaperAccount | null;
  /** The market of the last evaluation; null before the first. */
  readonly market: LaneMarket | null;
  /** The lane's share of its account's balances; null before it has one. */
  readonly booked: Balances | null;
}

export interface LaneMarket {
  /** Positions and trades are found by this name, however the strategy spells its asset. */
  readonly base_asset: string;
  readonly interval_ms: number;
}

export type Balances = Pick<ExecutionState, 'cash_balance' | 'account_value'>;

/** The lane of a saved strategy, or of a definition that is evaluated without being saved. */
export interface Lane {
  /** UUID; the strategy's own id, if there is one. */
  readonly id: string;
  readonly strategyId: string | null;
  /** The initial state of a lane without a strategy. */
  readonly initial: ExecutionState;
}

export interface StoredStrategy {
  readonly id: string;
  readonly name: string;
  readonly asset: string;
  readonly status: StrategyStatus;
  /** Parsed JSON, as are the settings. */
  readonly rules: unknown;
  readonly execution_config: unknown;
  readonly lane: LaneState;
}

/** The result of one evaluation, stored whole or not at all. */
export interface LaneUpdate {
  readonly execution_state: ExecutionState;
  readonly account: PaperAccount;
  readonly evaluated_at: string;
  readonly market: LaneMarket;
  /** Added; an order or position with the same id is replaced. */
  readonly orders: readonly Order[];
  readonly positions: readonly PositionRecord[];
  /** Added; a trade with the same id stays as it is. */
  readonly trades: readonly TradeRecord[];
  /** Null until the first purchase. */
  readonly booking: {
    /** Created unless an account with its id exists. */
    readonly account: AccountRecord;
    /** Added to the balances of the account, which also takes the `updated_at` of `account`. */
    readonly change: Balances;
    /** The lane's share from now on. */
    readonly booked: Balances;
  } | null;
}

export interface Page {
  readonly skip: number;
  readonly limit: number;
}

export interface Listing<Row> {
  readonly rows: readonly Row[];
  /** All rows that match, on any page. */
  readonly total: number;
}

export interface PositionFilter {
  readonly accountId?: string;
  readonly strategyId?: string;
  readonly baseAsset?: string;
  readonly isOpen?: boolean;
}

export interface TradeFilter {
  readonly accountId?: string;
  readonly baseAsset?: string;
  readonly outcome?: 'win' | 'loss';
}

/**
 * The store of paper trading. Each request names a user and returns only that user's rows; an
 * unknown or malformed id, or an id of another user, is not found. Lists are newest first (accounts
 * by `created_at`, positions by `entry_timestamp`, trades by `closed_at`), then by id ascending.
 */
export interface ExecutionStore {
  findStrategy(userId: string, id: string): Promise<StoredStrategy | null>;
  /** The state of a lane without a saved strategy; null before its first update. */
  findLane(userId: string, id: string): Promise<LaneState | null>;
  /**
   * Evaluates under the lane's lock and stores the update, so that each of several concurrent
   * evaluations sees what the one before it stored. Also counts the evaluation on the strategy and
   * sets its `execution_state` and `last_evaluated_at`. When `evaluate` throws, nothing is stored.
   * Null when the strategy is not found.
   */
  updateLane<Update extends LaneUpdate>(
    owner: Owner,
    lane: Lane,
    evaluate: (held: LaneState) => Update,
  ): Promise<Update | null>;

  /** Adds the account and returns it. */
  addAccount(account: AccountRecord): Promise<AccountRecord>;
  findAccount(userId: string, id: string): Promise<AccountRecord | null>;
  /** Returns the changed account; null when it is not found. */
  changeAccount(
    userId: string,
    id: string,
    settings: Partial<AccountSettings>,
    updatedAt: string,
  ): Promise<AccountRecord | null>;
  listAccounts(userId: string, type: 'paper' | 'live' | null): Promise<readonly AccountRecord[]>;

  findPosition(userId: string, id: string): Promise<PositionRecord | null>;
  listPositions(userId: string, filter: PositionFilter, page: Page): Promise<Listing<PositionRecord>>;
  listTrades(userId: string, filter: TradeFilter, page: Page): Promise<Listing<TradeRecord>>;
  /** The entries of the strategies that are found, in any order. */
  portfolio(userId: string, strategyIds: readonly string[]): Promise<readonly PortfolioEntry[]>;
}
