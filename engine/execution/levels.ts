import { boughtAt, soldAt, stopDistanceOf } from '../formulas/prices-and-sizes.js';
import type { ExecutionConfig } from './config.js';

export const entryFill = (open: number, config: ExecutionConfig): number => boughtAt(open, config.slippage_pct);

export const exitFill = (raw: number, config: ExecutionConfig): number => soldAt(raw, config.slippage_pct);

/** See `stopDistanceOf`. */
export function stopDistance(entryPrice: number, atr: number, config: ExecutionConfig): number {
  const { stop_loss_calculation, fixed_stop_pct, atr_volatility_factor } = config;
  return stopDistanceOf(stop_loss_calculation === 'fixed', entryPrice, fixed_stop_pct, atr, atr_volatility_factor);
}
