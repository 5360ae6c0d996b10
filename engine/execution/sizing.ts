import type { ExecutionConfig } from './config.js';
import { cappedSize } from './formulas.js';

/** Amount below which trading pauses: a threshold up to 1 is a share of the initial balance, a larger one an amount. */
export function floorAmount({ min_balance_threshold, initial_balance }: ExecutionConfig): number {
  return min_balance_threshold <= 1 ? min_balance_threshold * initial_balance : min_balance_threshold;
}

/** Cash an entry may use; v2 keeps the floor amount in reserve. May be negative. */
export function spendableCash(cash: number, config: ExecutionConfig): number {
  return config.position_size_calc === 'v1' ? cash : cash - floorAmount(config);
}

/**
 * Size of an entry in the base asset, unrounded: the risked share of the account over the stop distance, scaled for
 * volatility, then capped by units, by notional, and by the spendable cash including the entry fee, so that cash cannot
 * go negative.
 *
 * @param value account value at the open of the fill
 * @param spendable cash that may be used, above 0
 * @param entryPrice fill price, slippage included
 * @param distance price between fill and stop, above 0
 * @param volatilityScale 0..1, from `volatilityScale`
 */
export function positionSize(
  value: number,
  spendable: number,
  entryPrice: number,
  distance: number,
  volatilityScale: number,
  config: ExecutionConfig,
): number {
  const { max_risk_per_trade, max_units_per_trade, max_trade_amount, fee_pct } = config;
  const size = ((value * max_risk_per_trade) / distance) * volatilityScale;
  return cappedSize(size, max_units_per_trade, max_trade_amount, entryPrice, spendable, fee_pct);
}
