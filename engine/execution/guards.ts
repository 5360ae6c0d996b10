import { hasFallen, isLossReached } from '../formulas/closes.js';
import { utcDay } from '../formulas/prices-and-sizes.js';
import type { FullConfig } from './full-config.js';

/** What the guards of an account remember. */
export interface GuardState {
  /** Highest value since the start or since the drawdown guard last broke. */
  peak: number;
  /** UTC day of the latest close, by the open of its bar, and the last value before that day. */
  day: number | null;
  valueBeforeDay: number;
  /** Value at the latest close. */
  latest: number;
  /** Entries that would fill at this bar or earlier are denied; null is for the rest of the run. */
  blockedThrough: number | null;
  /** Entries of this UTC day are denied. */
  blockedDay: number | null;
}

export const openGuard = (balance: number): GuardState => ({
  peak: balance,
  day: null,
  valueBeforeDay: balance,
  latest: balance,
  blockedThrough: -1,
  blockedDay: null,
});

/** The settings that `readGuards` reads. */
export type GuardSettings = Pick<
  FullConfig,
  'guard_max_drawdown' | 'guard_daily_loss' | 'guard_group_stop' | 'guard_pause_bars'
>;

/** Whether a guard is set. */
export const hasGuard = ({ guard_max_drawdown, guard_daily_loss, guard_group_stop }: GuardSettings): boolean =>
  [guard_max_drawdown, guard_daily_loss, guard_group_stop].some((guard) => guard !== null);

/** Whether a guard denies an entry that would fill in a bar. */
export const isGuarded = ({ blockedThrough, blockedDay }: GuardState, bar: number, time: number): boolean =>
  blockedThrough === null || bar <= blockedThrough || utcDay(time) === blockedDay;

/**
 * Reads the guards at a close.
 *
 * @param openLoss loss of all open positions together, before costs; below 0 for a profit
 * @returns whether one broke, so that every position is sold at the next open
 */
export function readGuards(
  state: GuardState,
  bar: { readonly index: number; readonly time: number },
  value: number,
  openLoss: number,
  { guard_max_drawdown, guard_daily_loss, guard_group_stop, guard_pause_bars }: GuardSettings,
): boolean {
  const day = utcDay(bar.time);
  if (day !== state.day) {
    state.day = day;
    state.valueBeforeDay = state.latest;
  }
  state.latest = value;
  state.peak = Math.max(state.peak, value);
  const isDrawn = guard_max_drawdown !== null && hasFallen(value, state.peak, guard_max_drawdown);
  if (isDrawn) state.peak = value;
  const isLost = guard_daily_loss !== null && hasFallen(value, state.valueBeforeDay, guard_daily_loss);
  const isStopped = guard_group_stop !== null && isLossReached(openLoss, value, guard_group_stop);
  if (isDrawn || isStopped) pause(state, guard_pause_bars === 0 ? null : bar.index + guard_pause_bars);
  if (isLost) {
    state.blockedDay = day;
    pause(state, bar.index + 1);
  }
  return isDrawn || isLost || isStopped;
}

function pause(state: GuardState, through: number | null): void {
  if (state.blockedThrough === null) return;
  state.blockedThrough = through === null ? null : Math.max(state.blockedThrough, through);
}
