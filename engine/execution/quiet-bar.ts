import { type BarSeries, getBit, type Mask } from '../series/index.js';
import { type Account, type Position, signOf, targetPrice } from './account.js';
import { decideExit } from './exits.js';
import type { FullConfig } from './full-config.js';
import { hasSettledFunding } from './funding.js';

/**
 * Whether open positions change at fills alone: nothing is paid for holding them, no level moves, no
 * part is sold on the way, and no finer bars decide.
 */
export function isSteady(bars: BarSeries, config: FullConfig): boolean {
  const { borrow_rate, trailing_distance, break_even_at, scale_out, detail_interval, target_calculation } = config;
  const isMoved = trailing_distance !== null || break_even_at !== null || target_calculation === 'schedule';
  return borrow_rate === 0 && !isMoved && scale_out === null && detail_interval === null && !hasSettledFunding(bars);
}

/**
 * Whether a bar of a steady member does nothing to the account: nothing waits for its open, and it
 * touches no level. Its rules are not looked at.
 */
export function isUntouched(account: Account, bars: BarSeries, bar: number, config: FullConfig): boolean {
  if (account.pendingEntry !== null || account.orders.length > 0 || account.refusals.length > 0) return false;
  const [high, low] = [bars.high[bar], bars.low[bar]];
  for (const position of account.positions) {
    if (position.scheduledReason !== null || isTouched(position, high, low, bar, config)) return false;
  }
  return true;
}

function isTouched(position: Position, high: number, low: number, bar: number, config: FullConfig): boolean {
  const { side, stop, liquidation } = position;
  const sign = signOf(side);
  const adverse = sign * (sign === 1 ? low : high);
  if ((stop !== null && adverse <= sign * stop) || (liquidation !== null && adverse <= sign * liquidation)) return true;
  return sign * (sign === 1 ? high : low) >= sign * targetPrice(position, bar, config);
}

/** The rules of a strategy at the close of each bar by which positions are left. */
interface ExitRules {
  readonly exit: Mask;
  readonly shortExit?: Mask;
}

/** Schedules exits at the close of an untouched bar, as `BarStep` does. */
export function decideQuietExits(
  { positions }: Account,
  { exit, shortExit }: ExitRules,
  index: number,
  close: number,
  config: FullConfig,
): void {
  for (const position of positions) {
    const rule = position.side === 'long' ? exit : shortExit;
    const isTrue = rule !== undefined && getBit(rule, index);
    position.scheduledReason = decideExit(position, signOf(position.side), index, close, isTrue, config);
  }
}
