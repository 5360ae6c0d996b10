import type { ExecutionConfig } from './config.js';
import { boughtAt, soldAt } from './formulas.js';

export const entryFill = (open: number, config: ExecutionConfig): number => boughtAt(open, config.slippage_pct);

export const exitFill = (raw: number, config: ExecutionConfig): number => soldAt(raw, config.slippage_pct);

/**
 * Distance of the stop below the entry fill, in price; NaN while the ATR is not known.
 * @param atr effective ATR at the decision bar; not used in fixed mode
 */
export function stopDistance(entryPrice: number, atr: number, config: ExecutionConfig): number {
  return config.stop_loss_calculation === 'fixed'
    ? entryPrice * config.fixed_stop_pct
    : atr * config.atr_volatility_factor;
}
