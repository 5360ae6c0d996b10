import type { DenialReason, ExitReason, PaperAccount } from '../../engine/execution/index.js';
import type { PaperPortfolio } from '../../engine/portfolio/index.js';

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
