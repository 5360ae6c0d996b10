import { isFilledAt, isFilledWithin } from '../formulas/touches.js';
import { type Account, signOf, type WorkingOrder } from './account.js';
import type { FullConfig } from './full-config.js';
import { adverseOf, favourableOf, type PriceRange } from './touches.js';

/** Ends a working order. */
export function dropOrder({ orders }: Account, order: WorkingOrder): void {
  orders.splice(orders.indexOf(order), 1);
}

/** Distance of an entry order from the close; null where it needs an ATR that is still warming up. */
export function orderOffset(
  { close, atr }: { readonly close: number; readonly atr: number | null },
  { entry_offset_pct, entry_offset_atr }: FullConfig,
): number | null {
  if (entry_offset_pct !== null) return entry_offset_pct * close;
  return atr === null || entry_offset_atr === null ? null : entry_offset_atr * atr;
}

/** Whether an order fills at an open: a limit order at or better than its level, a stop order at or beyond it. */
export function isFilledAtOpen({ side, level }: WorkingOrder, isLimit: boolean, open: number): boolean {
  return isFilledAt(signOf(side), isLimit, open, level);
}

/** Whether a range reaches the level of an order; a touch does not fill a limit order. */
export function isFilledInside({ side, level }: WorkingOrder, isLimit: boolean, range: PriceRange): boolean {
  const sign = signOf(side);
  return isFilledWithin(sign, isLimit, adverseOf(range, sign), favourableOf(range, sign), level);
}
