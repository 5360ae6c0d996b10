import type { GuardSettings } from '../execution/index.js';

/** What the guards of a portfolio read; null is no guard. */
export interface PortfolioGuards {
  readonly max_drawdown: number | null;
  readonly daily_loss: number | null;
  readonly group_stop: number | null;
  readonly pause_bars: number;
}

/** The guards as the settings of a single run, which do the same. */
export const guardSettings = (guards: PortfolioGuards): GuardSettings => ({
  guard_max_drawdown: guards.max_drawdown,
  guard_daily_loss: guards.daily_loss,
  guard_group_stop: guards.group_stop,
  guard_pause_bars: guards.pause_bars,
});
