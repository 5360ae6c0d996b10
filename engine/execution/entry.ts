import { ADMITTED, accountGateOf, dayGateOf, entriesOnDayOf, levelGateOf, sizeGateOf } from '../formulas/gates.js';
import { costOf, feeOf, slippageOf, stopOf, targetOf, utcDay } from '../formulas/prices-and-sizes.js';
import { type Account, accountValue, type Position } from './account.js';
import type { ExecutionConfig } from './config.js';
import { entryFill, stopDistance } from './levels.js';
import { floorAmount, positionSize, spendableCash } from './sizing.js';

/** The gates that need only the account, see `accountGateOf` and `dayGateOf`. */
export function accountGate(
  account: Account,
  bar: number,
  time: number,
  open: number,
  isConflicted: boolean,
  config: ExecutionConfig,
): number {
  const { cash, positions, blockedThrough } = account;
  const floor = floorAmount(config);
  const value = cash < floor ? accountValue(account, open) : cash; // positions only add to cash
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
export function proposeEntry(
  account: Account,
  bar: number,
  open: number,
  atr: number,
  volatilityScale: number,
  config: ExecutionConfig,
  volume = NaN,
): Position | number {
  const entryPrice = entryFill(open, config);
  const distance = stopDistance(entryPrice, atr, config);
  const stopPrice = stopOf(entryPrice, distance);
  const spendable = spendableCash(account.cash, config);
  const levelGate = levelGateOf(distance, stopPrice, volatilityScale, spendable);
  if (levelGate !== ADMITTED) return levelGate;
  const value = accountValue(account, open);
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
export function buy(account: Account, position: Position, time: number): void {
  const day = utcDay(time);
  account.cash -= costOf(position.size, position.entryPrice, position.entryFee);
  account.entriesOnDay = entriesOnDayOf(day, account.entryDay, account.entriesOnDay) + 1;
  account.entryDay = day;
  account.positions.push(position);
}
