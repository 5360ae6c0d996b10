import type { ExitReason, PaperAccount } from '../../engine/execution/index.js';
import type { DeniedSignal } from '../../engine/strategy/index.js';

/** Answers of evaluations. Times are ISO 8601 in UTC; amounts are in the quote currency. */

export interface EvaluateResult {
  readonly success: true;
  readonly strategy_id: string | null;
  readonly strategy_name: string | null;
  readonly asset: string;
  readonly current_price: number;
  /** Time of the price, which is the time of the evaluation. */
  readonly timestamp: string;
  readonly execution_state: ExecutionState;
  readonly new_orders: readonly Order[];
  readonly execution_time_seconds: number;
  readonly user_id: string;
  readonly org_id: string;
  /**
   * Present if the caller keeps the positions: those still open, to send with the next evaluation.
   */
  readonly open_positions?: readonly PositionRecord[];
  /** Refused rules; the whole side of a refused rule is false. */
  readonly denied_signals: readonly DeniedSignal[];
  readonly warnings: readonly string[];
  readonly error: null;
}

/** A strategy of a batch that could not be evaluated. */
export interface FailedEvaluation {
  readonly success: false;
  readonly strategy_id: string | null;
  readonly strategy_name: null;
  readonly asset: null;
  readonly current_price: null;
  readonly new_orders: readonly [];
  readonly denied_signals: readonly [];
  readonly warnings: readonly [];
  readonly error: string;
}

export interface BulkEvaluateResult {
  readonly success: true;
  readonly results: readonly (EvaluateResult | FailedEvaluation)[];
  /** Distinct pairs of asset and timeframe that the evaluated strategies read. */
  readonly data_fetches: number;
  readonly total_execution_time_seconds: number;
  readonly error: null;
}

/**
 * The records of paper trading as callers see them. Times are ISO 8601 in UTC; amounts are in the
 * quote currency.
 */

export interface ExecutionState {
  readonly cash_balance: number;
  /** Cash plus open positions at the price of the last evaluation. */
  readonly account_value: number;
  /** Closed trades. */
  readonly total_trades: number;
  readonly num_open_positions: number;
}

type StrategyStatus = 'draft' | 'inactive' | 'paper' | 'live' | 'archived';

export interface Order {
  readonly id: string;
  /** The same as `id`. */
  readonly order_id: string;
  readonly asset: string;
  readonly side: 'enter_long' | 'exit_long' | 'enter_short' | 'exit_short';
  readonly order_type: 'market' | 'stop_loss' | 'take_profit' | 'limit' | 'stop';
  readonly status: 'pending' | 'filled' | 'cancelled';
  /** The level while pending, the fill price once filled. */
  readonly price: number;
  /** In the base asset; 0 for an entry order that has not filled, which is sized when it fills. */
  readonly position_size: number;
  readonly position_id: string;
  /** Only of a pending limit or stop entry: closed bars in which it may still fill. Not stored. */
  readonly bars_left?: number;
  /** Only on the order that opens a position; null where there is no such level. */
  readonly stop_loss_price?: number | null;
  readonly take_profit_price?: number | null;
  readonly history: {
    readonly created: string | null;
    readonly activated: string | null;
    readonly filled: string | null;
    readonly cancelled: string | null;
  };
}

export interface PositionRecord {
  readonly id: string;
  readonly org_id: string;
  readonly user_id: string;
  readonly account_id: string;
  readonly strategy_id: string | null;
  readonly asset: string;
  readonly exchange: string | null;
  readonly entry_price: number;
  readonly exit_price: number | null;
  readonly position_size: number;
  /** Entry price times size. */
  readonly cost: number;
  readonly value_at_close: number | null;
  readonly open: boolean;
  readonly exit_reason: ExitReason | null;
  readonly stop_loss_price: number | null;
  readonly take_profit_price: number | null;
  readonly created_at: string;
  readonly entry_timestamp: string;
  readonly exit_timestamp: string | null;
  /** Absent unless the strategy uses sides, margin, orders or guards. */
  readonly side?: 'long' | 'short';
  /** Absent for a long position paid in full. */
  readonly margin?: number;
  readonly liquidation_price?: number | null;
  /** Resting orders; present only where the caller keeps the positions. */
  readonly orders?: readonly Order[];
}

export interface TradeRecord {
  readonly id: string;
  readonly org_id: string;
  readonly user_id: string;
  readonly account_id: string;
  readonly position_id: string;
  readonly strategy_id: string | null;
  readonly strategy_name: string | null;
  readonly outcome: 'win' | 'loss';
  /** After all costs. */
  readonly profit_loss: number;
  /** Fraction of the entry notional. */
  readonly profit_loss_pct: number;
  readonly asset: string;
  readonly exchange: string | null;
  readonly entry_price: number;
  readonly exit_price: number;
  readonly position_size: number;
  readonly beginning_balance: number;
  readonly ending_balance: number;
  readonly closed_at: string;
  /** As of a position. */
  readonly side?: 'exit_long' | 'exit_short';
  readonly margin?: number;
  readonly return_on_margin?: number;
}

/** The settings that the owner of an account may change. */
export interface AccountSettings {
  readonly name: string | null;
  /** Fraction when <= 1, otherwise an amount. */
  readonly min_balance_threshold: number;
  readonly min_trade_amount: number;
  readonly max_open_positions: number;
  readonly max_trades_per_day: number;
  /** Fraction. */
  readonly max_risk_per_trade: number;
  readonly risk_params: Readonly<Record<string, unknown>> | null;
  readonly active: boolean;
}

export interface AccountRecord extends AccountSettings {
  readonly id: string;
  readonly org_id: string;
  readonly user_id: string;
  readonly account_type: 'paper' | 'live';
  readonly cash_balance: number;
  readonly account_value: number;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface PortfolioEntry {
  readonly strategy_id: string;
  readonly strategy_name: string;
  readonly asset: string;
  readonly status: StrategyStatus;
  readonly execution_state: ExecutionState;
  readonly last_evaluated_at: string | null;
  readonly open_positions_count: number;
  /** Newest first, at most 5. */
  readonly recent_trades: readonly Pick<
    TradeRecord,
    'id' | 'asset' | 'outcome' | 'profit_loss' | 'profit_loss_pct' | 'closed_at'
  >[];
}

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

interface LaneMarket {
  /** Positions and trades are found by this name, however the strategy spells its asset. */
  readonly base_asset: string;
  readonly interval_ms: number;
  /** Of the open positions of an account of sides, margin, orders and guards. */
  readonly leverage?: number;
}

type Balances = Pick<ExecutionState, 'cash_balance' | 'account_value'>;

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
