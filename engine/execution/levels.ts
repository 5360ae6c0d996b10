import type { ExecutionConfig } from './config.js';

/** Slippage is fixed and adverse on both legs: deterministic, and pessimistic against a random draw. */
export const entryFill = (open: number, config: ExecutionConfig): number => open * (1 + config.slippage_pct);

/** Every exit slips, targets included: a target is an exit triggered by price, not a resting limit order. */
export const exitFill = (raw: number, config: ExecutionConfig): number => raw * (1 - config.slippage_pct);

/**
 * Distance of the stop below the entry fill, in price; NaN while the ATR is not known.
 * @param atr effective ATR at the decision bar; not used in fixed mode
 */
export function stopDistance(entryPrice: number, atr: number, config: ExecutionConfig): number {
  return config.stop_loss_calculation === 'fixed'
    ? entryPrice * config.fixed_stop_pct
    : atr * config.atr_volatility_factor;
}

/**
 * Raw price at which a bar takes a position out, or NaN. The open decides first, so a gap through the stop fills at
 * the worse open and a gap beyond the target at the better one; a bar that touches both afterwards counts as a loss.
 * Touching is enough. The position was stopped exactly when the answer is <= `stop`.
 */
export function touchPrice(open: number, high: number, low: number, stop: number, target: number): number {
  if (open <= stop || open >= target) return open;
  if (low <= stop) return stop;
  return high >= target ? target : NaN;
}
