import type { Sign } from './touches.js';

/** Long positions of leverage 1 are paid in full; every other position locks a margin. */
export const isMargined = (sign: Sign, leverage: number): boolean => sign === -1 || leverage !== 1;

/** Price at which the venue closes a position of isolated margin, without tiers; NaN where never. */
export function liquidationPrice(sign: Sign, entryPrice: number, leverage: number, maintenance: number): number {
  if (!isMargined(sign, leverage)) return NaN;
  return (entryPrice * (1 - sign / leverage)) / (1 - sign * maintenance);
}

/** Price at which the whole margin is lost. */
export const bankruptcyPrice = (sign: Sign, entryPrice: number, leverage: number): number =>
  entryPrice * (1 - sign / leverage);

export const marginOf = (size: number, entryPrice: number, leverage: number): number => (size * entryPrice) / leverage;

/** Worth of a margined position at a price; it cannot be below 0. */
export const marginedWorth = (margin: number, sign: Sign, size: number, price: number, entryPrice: number): number =>
  Math.max(0, margin + sign * size * (price - entryPrice));
