import { barLimitOf, barsHeldOf, Scheduled, scheduledAt } from '../formulas/exit-rules.js';
import type { ExecutionConfig } from './config.js';
import type { Sign } from './touches.js';
import type { ScheduledReason } from './trade.js';

/** A limit in bars, Infinity where null or a value <= 0 switches it off. */
export const barLimit = (bars: number | null): number => barLimitOf(bars ?? NaN);

/**
 * The exit decided at the close of `bar`, to be filled at the next open, or null; see
 * `scheduledAt`.
 */
export function decideExit(
  { entryBar, entryPrice }: { readonly entryBar: number; readonly entryPrice: number },
  sign: Sign,
  bar: number,
  close: number,
  exitRule: boolean,
  config: ExecutionConfig,
): ScheduledReason | null {
  const exit = scheduledAt(
    exitRule,
    barsHeldOf(entryBar, bar, false),
    sign * (close / entryPrice - 1),
    barLimit(config.hold_limit_bars),
    barLimit(config.exit_on_loss_after_bars),
    barLimit(config.exit_on_profit_after_bars),
    config.profit_threshold_pct,
  );
  return exit === Scheduled.NONE ? null : (Scheduled[exit] as ScheduledReason);
}
