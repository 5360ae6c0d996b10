import type { AnswerOf } from '../../contract/index.js';
import type { DenialReason, ExitReason, PaperAccount } from '../../engine/execution/index.js';
import type { PaperPortfolio } from '../../engine/portfolio/index.js';
import type { OwnStatus } from './definition.js';

export type DeployedEventType = 'fill' | 'signal' | 'exit_reason' | 'milestone' | 'order' | 'levels';

/** Something that happened to a deployed strategy in one bar. */
export interface DeployedEvent {
  readonly strategy_id: string;
  readonly persona_id: string;
  readonly type: DeployedEventType;
  /** Market time: the open of the bar of the fill, the close of the bar of a milestone. */
  readonly timestamp: string;
  /** Only of a portfolio: the asset, and the number of the member from 0. */
  readonly asset?: string;
  readonly member?: number;
  readonly side?: 'enter_long' | 'exit_long' | 'enter_short' | 'exit_short';
  readonly price?: number;
  readonly position_size?: number;
  readonly position_id?: string;
  /** Only of an exit; after all costs. */
  readonly profit_loss?: number;
  /** Why an entry was denied or a position closed. */
  readonly reason?: DenialReason | ExitReason;
  readonly exit_reason?: ExitReason;
  /** Of a working entry order. */
  readonly order_id?: string;
  readonly order_type?: 'limit' | 'stop';
  readonly order_status?: 'placed' | 'expired' | 'cancelled';
  /** Of a position whose levels have moved: those in force from the next bar on. */
  readonly stop_loss_price?: number | null;
  readonly take_profit_price?: number | null;
  /** At the close of the bar. */
  readonly account_value: number;
  /** A multiple of 5 % of the initial balance, reached for the first time. */
  readonly milestone?: { readonly metric: 'account_value'; readonly change: number };
}

export interface StoredEvent {
  /** From 1, without gaps, in commit order. */
  readonly id: number;
  readonly event: DeployedEvent;
}

/** The state that a deployed strategy carries from bar to bar. */
export interface DeployedProgress {
  /**
   * The strategy trades bars that open at or after this time; null until the market was asked.
   * Epoch ms, like all times here.
   */
  readonly startMs: number | null;
  /** Contains the last evaluated bar. */
  readonly account: PaperAccount | PaperPortfolio;
  readonly accountValue: number;
  /** The last close; null before the first bar, and of a portfolio. */
  readonly lastPrice: number | null;
  readonly totalTrades: number;
  /** The highest and the lowest milestone reached so far, in steps. */
  readonly highestStep: number;
  readonly lowestStep: number;
  /** When the last bar was evaluated, by the system clock; null before the first. */
  readonly tickedAtMs: number | null;
}

export interface DeployedRecord extends DeployedProgress {
  readonly id: string;
  readonly definitionHash: string;
  readonly createdAtMs: number;
  /** Why the last attempt to advance failed; null when it succeeded. */
  readonly error: string | null;
}

/** The result of one bar. */
export interface DeployedTick {
  readonly progress: DeployedProgress;
  /** At the close of the bar. */
  readonly equity: { readonly timeMs: number; readonly value: number };
  readonly trades: readonly object[];
  readonly events: readonly DeployedEvent[];
}

/** How many of the newest rows are kept for a strategy. */
export interface DeployedBounds {
  readonly events: number;
  readonly trades: number;
  readonly equity: number;
}

export interface EquityPoint {
  readonly timeMs: number;
  readonly value: number;
}

/** An open position at the last close. */
export interface DeployedPosition {
  readonly position_id: string;
  readonly asset: string;
  readonly entry_price: number;
  readonly position_size: number;
  readonly entry_timestamp: string;
  readonly stop_loss_price: number | null;
  readonly take_profit_price: number | null;
  /** Only of strategies that use sides, margin, orders or guards. */
  readonly side?: 'long' | 'short';
  readonly margin?: number;
  readonly liquidation_price?: number | null;
  /** Before the costs of the sale. */
  readonly unrealized_pnl: number;
  /** Fraction of the entry price. */
  readonly unrealized_pct: number;
  readonly bars_held: number;
}

interface Balances {
  /** What to know of the data: which columns that the rules read are generated. */
  readonly warnings: readonly string[];
  readonly cash_balance: number;
  readonly account_value: number;
  readonly total_trades: number;
  readonly num_open_positions: number;
  readonly last_price: number | null;
  readonly positions: readonly DeployedPosition[];
  /** Entry orders that have not filled yet; only where the strategy enters by limit or stop orders. */
  readonly orders?: readonly DeployedOrder[];
}

export interface DeployedOrder {
  readonly order_id: string;
  readonly side: 'enter_long' | 'enter_short';
  readonly order_type: 'limit' | 'stop';
  /** Level at which it fills. */
  readonly price: number;
  /** Bars in which it may still fill. */
  readonly bars_left: number;
}

export interface DeployedStrategy extends Balances {
  readonly id: string;
  readonly strategy_id: string;
  readonly name: string;
  readonly persona_id: string;
  readonly asset: string;
  /** Only of a portfolio. */
  readonly assets?: readonly string[];
  readonly timeframe: string;
  /** Start of the first bar that it trades. */
  readonly deployed_at: string;
  readonly status: OwnStatus | 'error';
  /**
   * Always null, like the next two: strategies are chosen by hand, not taken from an experiment.
   */
  readonly experiment_id: null;
  readonly run_index: null;
  readonly backtest_metrics: null;
  readonly trigger_name: string | null;
  /** By the system clock. */
  readonly last_tick_at: string | null;
  /** `ok`, or the error that stops the strategy; null before the first bar. */
  readonly last_tick_status: string | null;
  /** `stale` if bars have been overdue for some time. */
  readonly health: 'ok' | 'stale' | 'error';
  /** Account values at the newest closes, evenly thinned, oldest first. */
  readonly equity: readonly { readonly timestamp: string; readonly value: number }[];
  /** The most recently closed trades, newest first. */
  readonly trades: AnswerOf<'Deployed.ListStrategies'>['strategies'][number]['trades'];
}

export interface DeployedState extends Balances {
  readonly strategy_id: string;
  /** The close to which the figures apply, in market time. */
  readonly as_of: string;
  /** When the figures were computed, by the system clock. */
  readonly updated_at: string;
}

export interface RankedPersona {
  readonly id: string;
  readonly name: string;
  readonly avatar: string | null;
  readonly description: string | null;
  readonly deployed_strategy_ids: readonly string[];
  /** From 1. */
  readonly rank: number;
  /** Sum over all its strategies. */
  readonly account_value: number;
  /** Mean over its strategies of account value / initial balance - 1. */
  readonly return_pct: number;
}

/** An event with its id, in decimal. */
export type NumberedEvent = DeployedEvent & { readonly id: string };

export const numberedEvent = ({ id, event }: StoredEvent): NumberedEvent => ({ id: String(id), ...event });

interface StreamReady {
  readonly strategies: number;
  readonly timestamp: string;
  /** Id of the newest event of all strategies when the reader joined; 0 if there was none. */
  readonly newest_id: number;
}

/** A part of a stream: `ready` first, then events; events that arrive together share a part. */
export interface StreamPart {
  readonly ready?: StreamReady;
  readonly events: readonly NumberedEvent[];
}
