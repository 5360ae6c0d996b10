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

/** Who acts, and for which organization. */
export interface Owner {
  readonly userId: string;
  readonly orgId: string;
}

/** What evaluations of one strategy, one after the other, carry forward. */
export interface LaneState {
  /**
   * As it is shown, and as its owner may have changed it since the last evaluation: its cash is the
   * one that counts.
   */
  readonly execution_state: ExecutionState;
  /** Null before the first evaluation that was kept. */
  readonly account: PaperAccount | null;
  /** What the account was evaluated on last; null before the first. */
  readonly market: LaneMarket | null;
  /** This lane's part in its account's balances; null before it has one. */
  readonly booked: Balances | null;
}

export interface LaneMarket {
  /** By which positions and trades are found, however the strategy spells its asset. */
  readonly base_asset: string;
  readonly interval_ms: number;
}

export type Balances = Pick<ExecutionState, 'cash_balance' | 'account_value'>;

/**
 * A saved strategy's lane, known by the strategy; or that of a definition which is evaluated
 * without being saved.
 */
export interface Lane {
  /** UUID; the strategy's own where there is one. */
  readonly id: string;
  readonly strategyId: string | null;
  /** What a lane without a strategy starts from. */
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
  /** Added, or put in place of those with the same id. */
  readonly orders: readonly Order[];
  readonly positions: readonly PositionRecord[];
  /** Added; one with the same id stays as it is. */
  readonly trades: readonly TradeRecord[];
  /** Null where nothing was bought yet. */
  readonly booking: {
    /** Created when there is none with its id. */
    readonly account: AccountRecord;
    /** Added to the balances of the account, whose `updated_at` becomes that of `account`. */
    readonly change: Balances;
    /** The lane's part from now on. */
    readonly booked: Balances;
  } | null;
}

export interface Page {
  readonly skip: number;
  readonly limit: number;
}

export interface Listing<Row> {
  readonly rows: readonly Row[];
  /** All that match, on whatever page. */
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
 * Where paper trading is kept. Everything is asked for in a user's name and answers with that
 * user's rows only; an id that is unknown, malformed or somebody else's is simply not found. Lists
 * are newest first (accounts by `created_at`, positions by `entry_timestamp`, trades by
 * `closed_at`), then by id ascending.
 */
export interface ExecutionStore {
  findStrategy(userId: string, id: string): Promise<StoredStrategy | null>;
  /** The state of a lane that belongs to no saved strategy; null before its first update. */
  findLane(userId: string, id: string): Promise<LaneState | null>;
  /**
   * Evaluates under the lane's lock and stores the update: of evaluations at the same time each
   * sees what the one before it stored. Also counts the evaluation on the strategy and sets its
   * `execution_state` and `last_evaluated_at`. When `evaluate` throws, nothing is stored. Null when
   * the strategy is not found.
   */
  updateLane<Update extends LaneUpdate>(
    owner: Owner,
    lane: Lane,
    evaluate: (held: LaneState) => Update,
  ): Promise<Update | null>;

  /** Adds the account and returns it. */
  addAccount(account: AccountRecord): Promise<AccountRecord>;
  findAccount(userId: string, id: string): Promise<AccountRecord | null>;
  /** Returns the account as it is afterwards; null when it is not found. */
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
  /** The entries of those that are found, in any order. */
  portfolio(userId: string, strategyIds: readonly string[]): Promise<readonly PortfolioEntry[]>;
}
