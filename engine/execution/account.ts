import { isBookedLoss } from '../formulas/cooldown-rules.js';
import { barsHeldOf, type Scheduled } from '../formulas/exit-rules.js';
import {
  feeOf,
  fundingOf,
  proceedsOf,
  profitOf,
  slippageOf,
  touchPrice,
  valueWith,
} from '../formulas/prices-and-sizes.js';
import type { ExecutionConfig } from './config.js';
import { bookLoss, type CooldownState } from './cooldown.js';
import { exitFill } from './levels.js';

/**
 * State that an account of one asset carries from bar to bar: plain data, so it survives JSON. The
 * caller numbers the bars, one number per bar present in the data.
 */
export interface Account extends CooldownState {
  /** Quote currency. */
  cash: number;
  /** Initial balance plus profit and loss of all closed trades. */
  realizedBalance: number;
  /** In entry order. */
  positions: Position[];
  /** UTC day (days since the epoch) of the latest entry, and the entries filled on it. */
  entryDay: number;
  entriesOnDay: number;
  /** Entry signalled at the last close; it may fill at the next open only. */
  pendingEntry: PendingEntry | null;
}

/** Values at the close that signalled the entry; null where the history is too short. */
interface PendingEntry {
  /** The exit rule was true at the same close. */
  isConflicted: boolean;
  atr: number | null;
  volatilityScale: number | null;
  /** Volume of the bar. */
  volume: number;
}

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

export interface Position {
  entryBar: number;
  /** Fill price, slippage included. */
  entryPrice: number;
  /** Base asset. */
  size: number;
  stopPrice: number;
  targetPrice: number;
  entryFee: number;
  /** Of the entry leg, quote currency. */
  slippageCost: number;
  /** Funding paid so far, below 0 where it was received; absent before the first settlement. */
  fundingPaid?: number;
  /** Bar of the exit, or -1 while unknown. With a scheduled reason the exit fills at its open. */
  exitBar: number;
  scheduledReason: ScheduledReason | null;
}

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

export function openAccount(config: ExecutionConfig): Account {
  return {
    cash: config.initial_balance,
    realizedBalance: config.initial_balance,
    positions: [],
    lossBars: [],
    blockedThrough: -1,
    entryDay: -1,
    entriesOnDay: 0,
    pendingEntry: null,
  };
}

/** Cash and open positions at one price, added in entry order. */
export function accountValue({ cash, positions }: Account, price: number): number {
  let value = cash;
  for (let p = 0; p < positions.length; p++) value = valueWith(value, positions[p].size, price);
  return value;
}

/** Fills every exit scheduled for the open of `bar`, regardless of stop and target. */
export function sellScheduled(
  account: Account,
  bar: number,
  open: number,
  config: ExecutionConfig,
  trades: Trade[],
): void {
  const { positions } = account;
  for (let p = 0; p < positions.length; ) {
    const { exitBar, scheduledReason } = positions[p];
    if (exitBar === bar && scheduledReason !== null)
      trades.push(sellPosition(account, p, bar, open, scheduledReason, config));
    else p++;
  }
}

/** Sells every position whose stop or target the bar touches, its entry bar included. */
export function sellTouched(
  account: Account,
  bar: number,
  open: number,
  high: number,
  low: number,
  config: ExecutionConfig,
  trades: Trade[],
): void {
  const { positions } = account;
  for (let p = 0; p < positions.length; ) {
    const { stopPrice, targetPrice } = positions[p];
    const raw = touchPrice(open, high, low, stopPrice, targetPrice);
    if (Number.isNaN(raw)) p++;
    else trades.push(sellPosition(account, p, bar, raw, raw <= stopPrice ? 'SL' : 'TP', config));
  }
}

/** Every open position pays the rate settled by the close of a bar, or is paid a negative one. */
export function payFunding(account: Account, close: number, rate: number): void {
  if (rate === 0) return;
  for (const position of account.positions) {
    const paid = fundingOf(position.size, close, rate);
    account.cash -= paid;
    position.fundingPaid = (position.fundingPaid ?? 0) + paid;
  }
}

/**
 * Sells the remaining positions at the close of the last bar. Left open, they would keep their
 * losses out of the trades.
 */
export function sellRest(account: Account, bar: number, close: number, config: ExecutionConfig, trades: Trade[]): void {
  while (account.positions.length > 0) trades.push(sellPosition(account, 0, bar, close, 'END', config));
}

/** Sells the position `index` of an account at the raw price `raw`. */
export function sellPosition(
  account: Account,
  index: number,
  exitBar: number,
  raw: number,
  exitReason: ExitReason,
  config: ExecutionConfig,
): Trade {
  const { positions } = account;
  const position = positions[index];
  if (index === positions.length - 1) positions.pop();
  else positions.splice(index, 1);
  const { entryBar, entryPrice, size, stopPrice, targetPrice, entryFee } = position;
  const exitPrice = exitFill(raw, config);
  const exitFee = feeOf(config.fee_pct, size, exitPrice);
  account.cash += proceedsOf(size, exitPrice, exitFee);
  const fundingPaid = position.fundingPaid ?? 0;
  const profitLoss = profitOf(size, entryPrice, exitPrice, entryFee, exitFee) - fundingPaid;
  const beginningBalance = account.realizedBalance;
  const endingBalance = beginningBalance + profitLoss;
  account.realizedBalance = endingBalance;
  if (isBookedLoss(profitLoss)) bookLoss(account, exitBar, config);
  return {
    entryBar,
    exitBar,
    entryPrice,
    exitPrice,
    size,
    stopPrice,
    targetPrice,
    profitLoss,
    profitLossPct: profitLoss / (size * entryPrice),
    entryFee,
    exitFee,
    slippageCost: position.slippageCost + slippageOf(size, raw, exitPrice),
    fundingPaid,
    beginningBalance,
    endingBalance,
    barsHeld: barsHeldOf(entryBar, exitBar, isSoldAtOpen(exitReason)),
    exitReason,
  };
}

/** False for an exit inside a bar or at the end of the data: it has also held its exit bar. */
export const isSoldAtOpen = (reason: ExitReason): boolean => !soldLater.has(reason);

const soldLater: ReadonlySet<ExitReason> = new Set(['SL', 'TP', 'END', 'TRAIL', 'LIQUIDATION', 'SCALE_OUT', 'ENDED']);
