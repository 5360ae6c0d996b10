import type { Scheduled } from '../formulas/exit-rules.js';

/** Reason of a sale at an open, decided at the previous close. */
export type ScheduledReason = Exclude<keyof typeof Scheduled, 'NONE'>;
export type ExitReason =
  | ScheduledReason
  | 'SL'
  | 'TP'
  | 'END'
  | 'TRAIL'
  | 'LIQUIDATION'
  | 'OPPOSITE'
  | 'GUARD'
  | 'SCALE_OUT'
  | 'REBALANCE'
  /** In portfolios: the bars of the asset have ended. */
  | 'ENDED'
  /** A person sold it; on paper accounts only. */
  | 'MANUAL';

/**
 * One closed position. Amounts are in the quote currency, prices are fills, profit and loss are
 * after all costs.
 */
export interface Trade {
  readonly entryBar: number;
  readonly exitBar: number;
  readonly entryPrice: number;
  readonly exitPrice: number;
  readonly size: number;
  /** Stop and target in force in the exit bar; NaN where there was none. */
  readonly stopPrice: number;
  readonly targetPrice: number;
  readonly profitLoss: number;
  /** Fraction of the entry notional. */
  readonly profitLossPct: number;
  readonly entryFee: number;
  readonly exitFee: number;
  /** Both legs; already inside profitLoss. */
  readonly slippageCost: number;
  /** Funding paid while the position was held; already inside profitLoss. */
  readonly fundingPaid: number;
  /** Realized balance before and after, so consecutive trades chain. */
  readonly beginningBalance: number;
  readonly endingBalance: number;
  readonly barsHeld: number;
  readonly exitReason: ExitReason;
  /** What a run that uses sides, margin or orders adds; absent in other runs. */
  readonly details?: TradeDetails;
}

/** Facts of a trade beyond a long position paid in full. */
export interface TradeDetails {
  readonly side: 'long' | 'short';
  /** NaN without a stop order. */
  readonly initialStopPrice: number;
  readonly borrowPaid: number;
  /** Null for a position that was paid in full. */
  readonly margin: MarginDetails | null;
  /** Every sale of the position, oldest first; null where no part can be sold. */
  readonly exits: readonly PartExit[] | null;
}

interface MarginDetails {
  /** Locked at the entry. */
  readonly amount: number;
  /** Profit and loss over the margin. */
  readonly returnOnMargin: number;
  /** NaN where the position cannot be liquidated. */
  readonly liquidationPrice: number;
}

/** One sale of a position or of a part of it. */
export interface PartExit {
  readonly bar: number;
  readonly price: number;
  readonly size: number;
  readonly reason: ExitReason;
}

/** False for an exit inside a bar or at the end of the data: it has also held its exit bar. */
export const isSoldAtOpen = (reason: ExitReason): boolean => !soldLater.has(reason);

const soldLater: ReadonlySet<ExitReason> = new Set(['SL', 'TP', 'END', 'TRAIL', 'LIQUIDATION', 'SCALE_OUT', 'ENDED']);
