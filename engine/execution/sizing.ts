import type { ExecutionConfig } from './config.js';

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
  let size = (value * config.max_risk_per_trade) / distance;
  size *= volatilityScale;
  size = Math.min(size, config.max_units_per_trade);
  size = Math.min(size, config.max_trade_amount / entryPrice);
  return Math.min(size, spendable / (entryPrice * (1 + config.fee_pct)));
}
