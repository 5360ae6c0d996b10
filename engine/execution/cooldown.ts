import { blockAfterLoss, isTierOn } from '../formulas/cooldown-rules.js';
import type { ExecutionConfig } from './config.js';

/** Recent losses of an account and the block that they set. */
export interface CooldownState {
  /** Exit bars of the latest losses, ascending; at most as many as a tier counts. */
  lossBars: number[];
  /** Entries that would fill at this bar or earlier are blocked; -1 before the first block. */
  blockedThrough: number;
}

/**
 * Books a loss at its exit bar, which may trip a tier (see `blockAfterLoss`). A trip does not clear
 * the losses, so the next loss can trip the tier again.
 */
export function bookLoss(state: CooldownState, bar: number, config: ExecutionConfig): void {
  state.lossBars.push(bar);
  const short = trip(state, bar, config.cooldown_short_loss_limit, config.cooldown_short_window_bars);
  const long = trip(state, bar, config.cooldown_long_loss_limit, config.cooldown_long_window_bars);
  if (state.lossBars.length > Math.max(short, long)) state.lossBars.shift();
}

/**
 * Blocks entries when the tier has reached its limit.
 *
 * @returns losses that the tier needs to remember: its limit, or 0 when it is off
 */
function trip(state: CooldownState, bar: number, limit: number, window: number): number {
  if (!isTierOn(limit, window)) return 0;
  const { lossBars, blockedThrough } = state;
  if (lossBars.length >= limit) {
    state.blockedThrough = blockAfterLoss(bar, lossBars[lossBars.length - limit], window, blockedThrough);
  }
  return limit;
}
