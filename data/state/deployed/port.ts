import type { DenialReason, ExitReason, PaperAccount } from '../../../engine/index.js';

export type DeployedEventType = 'fill' | 'signal' | 'exit_reason' | 'milestone';

/** Something that happened to a deployed strategy in one bar. */
export interface DeployedEvent {
  readonly strategy_id: string;
  readonly persona_id: string;
  readonly type: DeployedEventType;
  /** Market time: the open of the bar of the fill, the close of the bar of a milestone. */
  readonly timestamp: string;
  readonly side?: 'enter_long' | 'exit_long';
  readonly price?: number;
  readonly position_size?: number;
  readonly position_id?: string;
  /** Of an exit, after all costs. */
  readonly profit_loss?: number;
  /** Why an entry was denied, or why a position was closed. */
  readonly reason?: DenialReason | ExitReason;
  readonly exit_reason?: ExitReason;
  /** At the close of the bar. */
  readonly account_value: number;
  /** A multiple of 5 % of the initial balance, reached for the first time. */
  readonly milestone?: { readonly metric: 'account_value'; readonly change: number };
}

export interface StoredEvent {
  /** 1 and up, without holes, in the order of the commits. */
  readonly id: number;
  readonly event: DeployedEvent;
}

/** What a deployed strategy carries from bar to bar. */
export interface DeployedProgress {
  /**
   * Bars that open then or later are traded; null until the market was asked. Epoch ms, as all
   * times here.
   */
  readonly startMs: number | null;
  /** Knows the last bar that was evaluated. */
  readonly account: PaperAccount;
  readonly accountValue: number;
  /** The last close; null before the first bar. */
  readonly lastPrice: number | null;
  readonly totalTrades: number;
  /** The highest and the lowest milestone that was reached, in steps. */
  readonly highestStep: number;
  readonly lowestStep: number;
  /** When the last bar was evaluated, by the clock on the wall; null before the first. */
  readonly tickedAtMs: number | null;
}

export interface DeployedRecord extends DeployedProgress {
  readonly id: string;
  readonly definitionHash: string;
  readonly createdAtMs: number;
  /** Why the last attempt to go on failed; null when it did not. */
  readonly error: string | null;
}

/** What one bar came to. */
export interface DeployedTick {
  readonly progress: DeployedProgress;
  /** Of the close of the bar. */
  readonly equity: { readonly timeMs: number; readonly value: number };
  readonly trades: readonly object[];
  readonly events: readonly DeployedEvent[];
}

/** Rows that are kept of a strategy, the newest ones. */
export interface DeployedBounds {
  readonly events: number;
  readonly trades: number;
  readonly equity: number;
}

export interface EquityPoint {
  readonly timeMs: number;
  readonly value: number;
}
