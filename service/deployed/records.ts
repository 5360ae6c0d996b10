import type { AnswerOf } from '../../contract/index.js';
import type { OwnStatus } from './definition.js';
import type { DeployedEvent, StoredEvent } from './stored.js';

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
