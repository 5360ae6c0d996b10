/*
 * The gates of an entry. Written in the common subset of TypeScript and AssemblyScript (no imports,
 * numbers are doubles); see prices-and-sizes.ts.
 */

/**
 * Why a wanted entry was not filled. The gates are checked in this order; the first that fails is
 * the reason.
 */
export enum Denial {
  exit_conflict = 0,
  min_balance = 1,
  cooldown = 2,
  max_positions = 3,
  daily_limit = 4,
  atr_warmup = 5,
  invalid_stop = 6,
  volatility_warmup = 7,
  insufficient_cash = 8,
  min_trade_amount = 9,
  // The gates of sides, orders, guards and portfolios; their place in the order of the gates is not their code,
  // as the codes above are stored.
  side_conflict = 10,
  order_working = 11,
  guard = 12,
  opposite_position = 13,
  max_exposure = 14,
  portfolio_positions = 15,
}

/** No gate fails. */
export const ADMITTED = -1;

/** Cash at or below this counts as zero, so that float dust cannot flip the reason. */
const CASH_DUST = 0.000001;

/**
 * The gates that need only the account, except the daily limit. The exits of the same open must
 * have been filled before.
 *
 * @param value account value at the open; the cash alone will do where it reaches the floor
 * @param bar where the entry would fill
 * @param blockedThrough last bar of the cooldown
 * @returns the first gate that fails, or ADMITTED
 */
export function accountGateOf(
  isConflicted: boolean,
  value: number,
  floor: number,
  bar: number,
  blockedThrough: number,
  openPositions: number,
  openPositionsMax: number,
): number {
  if (isConflicted) return Denial.exit_conflict;
  if (value < floor) return Denial.min_balance;
  if (bar <= blockedThrough) return Denial.cooldown;
  return openPositions >= openPositionsMax ? Denial.max_positions : ADMITTED;
}

/** Entries filled so far on a day, from the day of the latest entry and the entries on that day. */
export function entriesOnDayOf(day: number, latestDay: number, entriesOnLatestDay: number): number {
  return day === latestDay ? entriesOnLatestDay : 0;
}

/** The daily limit. It is apart from the other gates because the day of a bar costs a division. */
export function dayGateOf(entriesToday: number, entriesMax: number): number {
  return entriesToday >= entriesMax ? Denial.daily_limit : ADMITTED;
}

/**
 * The gates that need the levels of the entry. A NaN means that the value is still warming up.
 * @returns the first gate that fails, or ADMITTED
 */
export function levelGateOf(distance: number, stopPrice: number, volatilityScale: number, spendable: number): number {
  if (Number.isNaN(distance)) return Denial.atr_warmup;
  if (!(distance > 0 && stopPrice > 0)) return Denial.invalid_stop;
  if (Number.isNaN(volatilityScale)) return Denial.volatility_warmup;
  return spendable <= CASH_DUST ? Denial.insufficient_cash : ADMITTED;
}

/** The gate that needs the size of the entry. */
export function sizeGateOf(size: number, entryPrice: number, amountMin: number): number {
  return size * entryPrice < amountMin || size === 0 ? Denial.min_trade_amount : ADMITTED;
}
