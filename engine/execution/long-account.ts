import { isBookedLoss } from '../formulas/cooldown-rules.js';
import { barsHeldOf } from '../formulas/exit-rules.js';
import { ADMITTED, accountGateOf, dayGateOf, entriesOnDayOf, levelGateOf, sizeGateOf } from '../formulas/gates.js';
import {
  costOf,
  feeOf,
  fundingOf,
  proceedsOf,
  profitOf,
  slippageOf,
  stopOf,
  targetOf,
  touchPrice,
  utcDay,
  valueWith,
} from '../formulas/prices-and-sizes.js';
import type { ExecutionConfig } from './config.js';
import { bookLoss, type CooldownState } from './cooldown.js';
import { entryFill, exitFill, stopDistance } from './levels.js';
import { floorAmount, positionSize, spendableCash } from './sizing.js';
import { type ExitReason, isSoldAtOpen, type ScheduledReason, type Trade } from './trade.js';

/** State of a plain run, see `isPlain`: what the rules of `Account` leave of it, for the jump. */
export interface LongAccount extends CooldownState {
  /** Quote currency. */
  cash: number;
  /** Initial balance plus profit and loss of all closed trades. */
  realizedBalance: number;
  /** In entry order. */
  positions: LongPosition[];
  /** UTC day (days since the epoch) of the latest entry, and the entries filled on it. */
  entryDay: number;
  entriesOnDay: number;
}

export interface LongPosition {
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

export function openLongAccount(config: ExecutionConfig): LongAccount {
  return {
    cash: config.initial_balance,
    realizedBalance: config.initial_balance,
    positions: [],
    lossBars: [],
    blockedThrough: -1,
    entryDay: -1,
    entriesOnDay: 0,
  };
}

/** Cash and open positions at one price, added in entry order. */
function longValue({ cash, positions }: LongAccount, price: number): number {
  let value = cash;
  for (let p = 0; p < positions.length; p++) value = valueWith(value, positions[p].size, price);
  return value;
}

/** Fills every exit scheduled for the open of `bar`, regardless of stop and target. */
export function sellScheduled(
  account: LongAccount,
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
  account: LongAccount,
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
export function payFunding(account: LongAccount, close: number, rate: number): void {
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
export function sellRest(
  account: LongAccount,
  bar: number,
  close: number,
  config: ExecutionConfig,
  trades: Trade[],
): void {
  while (account.positions.length > 0) trades.push(sellPosition(account, 0, bar, close, 'END', config));
}

/** Sells the position `index` of an account at the raw price `raw`. */
function sellPosition(
  account: LongAccount,
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

/** The gates that need only the account, see `accountGateOf` and `dayGateOf`. */
export function longGate(
  account: LongAccount,
  bar: number,
  time: number,
  open: number,
  isConflicted: boolean,
  config: ExecutionConfig,
): number {
  const { cash, positions, blockedThrough } = account;
  const floor = floorAmount(config);
  const value = cash < floor ? longValue(account, open) : cash; // positions only add to cash
  const { max_open_positions, max_trades_per_day } = config;
  const gate = accountGateOf(isConflicted, value, floor, bar, blockedThrough, positions.length, max_open_positions);
  if (gate !== ADMITTED) return gate;
  const entriesToday = entriesOnDayOf(utcDay(time), account.entryDay, account.entriesOnDay);
  return dayGateOf(entriesToday, max_trades_per_day);
}

/**
 * Checks the remaining gates and computes the position that the entry would open; the account does
 * not change. Stop and target are set here and never move.
 *
 * @param atr effective ATR at the decision bar, NaN while warming up
 * @param volatilityScale factor 0..1 at the decision bar, NaN while warming up
 * @param volume of the decision bar; read only when `max_volume_share` is set
 * @returns the position, or the code of the first gate that fails
 */
export function proposeLong(
  account: LongAccount,
  bar: number,
  open: number,
  atr: number,
  volatilityScale: number,
  config: ExecutionConfig,
  volume = NaN,
): LongPosition | number {
  const entryPrice = entryFill(open, config);
  const distance = stopDistance(entryPrice, atr, config);
  const stopPrice = stopOf(entryPrice, distance);
  const spendable = spendableCash(account.cash, config);
  const levelGate = levelGateOf(distance, stopPrice, volatilityScale, spendable);
  if (levelGate !== ADMITTED) return levelGate;
  const value = longValue(account, open);
  const size = positionSize(value, spendable, entryPrice, distance, volatilityScale, config, volume);
  const sizeGate = sizeGateOf(size, entryPrice, config.min_trade_amount);
  if (sizeGate !== ADMITTED) return sizeGate;
  return {
    entryBar: bar,
    entryPrice,
    size,
    stopPrice,
    targetPrice: targetOf(entryPrice, distance, config.reward_factor),
    entryFee: feeOf(config.fee_pct, size, entryPrice),
    slippageCost: slippageOf(size, entryPrice, open),
    exitBar: -1,
    scheduledReason: null,
  };
}

/** Pays for a proposed position and opens it. */
export function buy(account: LongAccount, position: LongPosition, time: number): void {
  const day = utcDay(time);
  account.cash -= costOf(position.size, position.entryPrice, position.entryFee);
  account.entriesOnDay = entriesOnDayOf(day, account.entryDay, account.entriesOnDay) + 1;
  account.entryDay = day;
  account.positions.push(position);
}
