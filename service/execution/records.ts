import type { DeniedSignal } from '../../engine/strategy/index.js';
import type { ExecutionState, Order, PositionRecord } from './stored.js';

/** Answers of evaluations. Times are ISO 8601 in UTC; amounts are in the quote currency. */

export type {
  AccountRecord,
  AccountSettings,
  ExecutionState,
  Order,
  PortfolioEntry,
  PositionRecord,
  TradeRecord,
} from './stored.js';

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
