import { floorOf, sizeOf, spendableOf, unitsMaxOf } from '../formulas/prices-and-sizes.js';
import type { ExecutionConfig } from './config.js';

/** Amount below which trading pauses, see `floorOf`. */
export const floorAmount = ({ min_balance_threshold, initial_balance }: ExecutionConfig): number =>
  floorOf(min_balance_threshold, initial_balance);

/** Cash that an entry may use, see `spendableOf`; v2 keeps the reserve. */
export const spendableCash = (cash: number, config: ExecutionConfig): number =>
  spendableOf(cash, floorAmount(config), config.position_size_calc === 'v2');

/**
 * The bar from which on the account was worth too little for any entry: less than its floor, or
 * than the smallest entry with its fee, beside the reserve that v2 keeps.
 *
 * @param equity account value at the close of each tradable bar
 * @returns its index in `equity`; null where the account ended with enough for an entry
 */
export function exhaustedFrom(equity: Float64Array, config: ExecutionConfig): number | null {
  const { min_trade_amount, fee_pct } = config;
  const floor = floorAmount(config);
  const least = Math.max(floor, -spendableCash(0, config) + min_trade_amount * (1 + fee_pct));
  let from = equity.length;
  while (from > 0 && equity[from - 1] < least) from--;
  return from === equity.length ? null : from;
}

/**
 * Size of an entry in the base asset, see `sizeOf`.
 * @param volume of the decision bar; read only when `max_volume_share` is set
 */
export function positionSize(
  value: number,
  spendable: number,
  entryPrice: number,
  distance: number,
  volatilityScale: number,
  config: ExecutionConfig,
  volume = NaN,
): number {
  const { max_risk_per_trade: risk, max_units_per_trade, max_trade_amount: amount, fee_pct } = config;
  const units = unitsMaxOf(max_units_per_trade, config.max_volume_share ?? NaN, volume);
  return sizeOf(value, risk, distance, volatilityScale, units, amount, entryPrice, spendable, fee_pct);
}
