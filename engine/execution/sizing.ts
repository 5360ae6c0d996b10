import { floorOf, sizeOf, spendableOf } from '../formulas/prices-and-sizes.js';
import type { ExecutionConfig } from './config.js';

/** Amount below which trading pauses, see `floorOf`. */
export const floorAmount = ({ min_balance_threshold, initial_balance }: ExecutionConfig): number =>
  floorOf(min_balance_threshold, initial_balance);

/** Cash that an entry may use, see `spendableOf`; v2 keeps the reserve. */
export const spendableCash = (cash: number, config: ExecutionConfig): number =>
  spendableOf(cash, floorAmount(config), config.position_size_calc === 'v2');

/** Size of an entry in the base asset, see `sizeOf`. */
export function positionSize(
  value: number,
  spendable: number,
  entryPrice: number,
  distance: number,
  volatilityScale: number,
  config: ExecutionConfig,
): number {
  const { max_risk_per_trade: risk, max_units_per_trade: units, max_trade_amount: amount, fee_pct } = config;
  return sizeOf(value, risk, distance, volatilityScale, units, amount, entryPrice, spendable, fee_pct);
}
