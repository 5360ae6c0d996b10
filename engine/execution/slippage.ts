import { boughtAt, slippageWithImpact, soldAt } from '../formulas/prices-and-sizes.js';
import type { FullConfig } from './full-config.js';
import type { Sign } from './touches.js';

/** Slippage of a fill with the impact of its share of a volume. */
export const slipOf = (size: number, volume: number, { slippage_pct, impact_coefficient }: FullConfig): number =>
  slippageWithImpact(slippage_pct, impact_coefficient, size, volume);

/** A purchase slips up, a sale down: at the entry of a long position and at the exit of a short one. */
export const slipped = (raw: number, sign: Sign, slip: number): number =>
  sign === 1 ? boughtAt(raw, slip) : soldAt(raw, slip);

/**
 * What a fill that slips up (1) or down (-1) lost against its raw price. Without slippage it is 0 and
 * not -0, which JSON does not keep.
 */
export const slippageCostOf = (size: number, direction: Sign, raw: number, price: number): number =>
  size * (direction === 1 ? price - raw : raw - price);
