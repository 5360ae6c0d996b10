import { DAY_MS } from '../series/index.js';
import { type Account, accountValue, type Position } from './account.js';
import type { ExecutionConfig } from './config.js';
import { ADMITTED, denialCodes } from './denials.js';
import { entryFill, stopDistance } from './levels.js';
import { floorAmount, positionSize, spendableCash } from './sizing.js';

/** Less spendable cash than this is none, so that reasons do not flip with float dust. */
const CASH_DUST = 0.000001;

/**
 * The gates that need the account only, in order: exit_conflict, min_balance, cooldown, max_positions, daily_limit.
 * Exits of the same open must have been filled before.
 *
 * @returns ADMITTED or the code of the first gate that fails
 */
export function accountGate(
  account: Account,
  bar: number,
  time: number,
  open: number,
  isConflicted: boolean,
  config: ExecutionConfig,
): number {
  if (isConflicted) return denialCodes.exit_conflict;
  const floor = floorAmount(config);
  // Positions only add to cash, so enough cash needs no valuation.
  if (account.cash < floor && accountValue(account, open) < floor) return denialCodes.min_balance;
  if (bar <= account.blockedThrough) return denialCodes.cooldown;
  if (account.positions.length >= config.max_open_positions) return denialCodes.max_positions;
  const entriesToday = utcDay(time) === account.entryDay ? account.entriesOnDay : 0;
  return entriesToday >= config.max_trades_per_day ? denialCodes.daily_limit : ADMITTED;
}

/**
 * The remaining gates, and the position that the entry would open; the account stays as it is. Levels are fixed here
 * and never move.
 *
 * @param atr effective ATR at the decision bar, NaN while warming up
 * @param volatilityScale factor 0..1 at the decision bar, NaN while warming up
 * @returns the position, or the code of the first gate that fails
 */
export function proposeEntry(
  account: Account,
  bar: number,
  open: number,
  atr: number,
  volatilityScale: number,
  config: ExecutionConfig,
): Position | number {
  const entryPrice = entryFill(open, config);
  const distance = stopDistance(entryPrice, atr, config);
  if (Number.isNaN(distance)) return denialCodes.atr_warmup;
  const stopPrice = entryPrice - distance;
  if (!(distance > 0 && stopPrice > 0)) return denialCodes.invalid_stop;
  if (Number.isNaN(volatilityScale)) return denialCodes.volatility_warmup;
  const spendable = spendableCash(account.cash, config);
  if (spendable <= CASH_DUST) return denialCodes.insufficient_cash;
  const value = accountValue(account, open);
  const size = positionSize(value, spendable, entryPrice, distance, volatilityScale, config);
  if (size * entryPrice < config.min_trade_amount || size === 0) return denialCodes.min_trade_amount;
  return {
    entryBar: bar,
    entryPrice,
    size,
    stopPrice,
    targetPrice: entryPrice + distance * config.reward_factor,
    entryFee: config.fee_pct * size * entryPrice,
    slippageCost: size * (entryPrice - open),
    exitBar: -1,
    scheduledReason: null,
  };
}

/** Pays for a proposed position and opens it. */
export function buy(account: Account, position: Position, time: number): void {
  account.cash -= position.size * position.entryPrice + position.entryFee;
  account.entriesOnDay = utcDay(time) === account.entryDay ? account.entriesOnDay + 1 : 1;
  account.entryDay = utcDay(time);
  account.positions.push(position);
}

/** Days since the epoch; the daily limit counts by the open time of the fill. */
const utcDay = (time: number): number => Math.floor(time / DAY_MS);
