import type { Position, ScheduledReason } from './account.js';
import type { ExecutionConfig } from './config.js';

/** A limit in bars; null and values <= 0 switch it off. */
export const barLimit = (bars: number | null): number => (bars !== null && bars > 0 ? bars : Infinity);

/**
 * The exit decided at the close of `bar`, to be filled at the next open, or null. Bars held count the entry bar, so a
 * limit of N bars buys at one open and sells at the N-th open after it. Unrealized profit is before fees.
 */
export function decideExit(
  position: Position,
  bar: number,
  close: number,
  exitRule: boolean,
  config: ExecutionConfig,
): ScheduledReason | null {
  if (exitRule) return 'SIGNAL';
  const barsHeld = bar - position.entryBar + 1;
  if (barsHeld >= barLimit(config.hold_limit_bars)) return 'MAX_HOLD';
  const unrealized = close / position.entryPrice - 1;
  if (barsHeld >= barLimit(config.exit_on_loss_after_bars) && unrealized < 0) return 'LOSS_TIMEOUT';
  if (barsHeld >= barLimit(config.exit_on_profit_after_bars) && unrealized >= config.profit_threshold_pct) {
    return 'PROFIT_TIMEOUT';
  }
  return null;
}
