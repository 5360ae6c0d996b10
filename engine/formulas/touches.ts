/*
 * Which levels a price reaches. Written in the common subset of TypeScript and AssemblyScript (no
 * imports, numbers are doubles); see prices-and-sizes.ts. A sign is 1 for a long position and -1 for
 * a short one; NaN means that there is no such level.
 */

/** Whether a price takes a gain; a touch does not fill a limit order. */
export function isGainReached(sign: number, price: number, level: number, isLimit: boolean): boolean {
  return isLimit ? sign * price > sign * level : sign * price >= sign * level;
}

/** Whether a loss reaches the liquidation price before the stop; a tie liquidates. */
export function isLiquidationNearer(sign: number, stop: number, liquidation: number): boolean {
  return Number.isNaN(stop) || sign * liquidation >= sign * stop;
}

/** Whether a part is sold before the target; a part at the same level is. */
export function isPartNearer(sign: number, part: number, target: number): boolean {
  return !(sign * target < sign * part);
}

/** Price of a part that is sold at a gain of so many stop distances. */
export function partPrice(sign: number, entryPrice: number, gain: number, distance: number): number {
  return entryPrice + sign * gain * distance;
}

/** Whether parts with this sum are the whole, in spite of rounding. */
export function isWhole(sum: number): boolean {
  return Math.abs(sum - 1) <= 1e-9;
}

/** Level of an entry order: a limit is better than the close, a stop beyond it. */
export function orderLevel(sign: number, isLimit: boolean, close: number, offset: number): number {
  return close + sign * (isLimit ? -1 : 1) * offset;
}

/** Whether an order fills at an open: a limit order at or better than its level, a stop order at or beyond it. */
export function isFilledAt(sign: number, isLimit: boolean, open: number, level: number): boolean {
  return isLimit ? sign * open <= sign * level : sign * open >= sign * level;
}

/**
 * Whether a bar reaches the level of an order; a touch does not fill a limit order.
 *
 * @param adverse,favourable low and high of the bar for a long order, high and low for a short one
 */
export function isFilledWithin(
  sign: number,
  isLimit: boolean,
  adverse: number,
  favourable: number,
  level: number,
): boolean {
  return isLimit ? sign * adverse < sign * level : sign * favourable >= sign * level;
}
