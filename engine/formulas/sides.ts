/*
 * What sides, margin and moving levels add to prices and sizes. Written in the common subset of
 * TypeScript and AssemblyScript (no imports, numbers are doubles); see prices-and-sizes.ts. A sign
 * is 1 for a long position and -1 for a short one; NaN is a level or a setting that there is none of.
 */

/** Long positions of leverage 1 are paid in full; every other position locks a margin. */
export function isMargined(sign: number, leverage: number): boolean {
  return sign === -1 || leverage !== 1;
}

/** Price at which the whole margin is lost, over the entry price. */
export function bankruptcyShare(sign: number, leverage: number): number {
  return 1 - sign / leverage;
}

/** What is left of the notional when the venue closes a position, as its price counts it. */
export function maintenanceShare(sign: number, maintenance: number): number {
  return 1 - sign * maintenance;
}

/** Price at which the venue closes a position of isolated margin, without tiers; see the two shares. */
export function liquidationPrice(entryPrice: number, bankruptcy: number, maintenance: number): number {
  return (entryPrice * bankruptcy) / maintenance;
}

export function marginOf(size: number, entryPrice: number, leverage: number): number {
  return (size * entryPrice) / leverage;
}

/** Worth of a margined position at a price; it cannot be below 0. */
export function marginedWorth(margin: number, sign: number, size: number, price: number, entryPrice: number): number {
  return Math.max(0, margin + sign * size * (price - entryPrice));
}

/** What closing a margined position brings, and never less than nothing. */
export function marginedProceeds(margin: number, gain: number, fee: number): number {
  return Math.max(0, margin + gain - fee);
}

/** Cash that an entry takes, margin and fee together, over its notional. */
export function cashShare(leverage: number, fee: number): number {
  return 1 / leverage + fee;
}

/** Target at a multiple of the stop distance. */
export function rewardTarget(sign: number, entryPrice: number, distance: number, reward: number): number {
  return entryPrice + sign * (distance * reward);
}

/** Target at a fraction of the entry price. */
export function percentTarget(sign: number, entryPrice: number, pct: number): number {
  return entryPrice * (1 + sign * pct);
}

/**
 * Stop after a close, from the best price since the entry. It never moves against the position, and
 * it moves with the best price alone, so the best of several closes moves it as each of them would.
 *
 * @param start,trailing,breakEvenAt multiples of the stop distance
 */
export function movedStop(
  sign: number,
  stop: number,
  best: number,
  entryPrice: number,
  distance: number,
  trailing: number,
  start: number,
  breakEvenAt: number,
  breakEvenOffset: number,
): number {
  const gain = sign * (best - entryPrice);
  let moved = stop;
  if (gain >= start * distance) {
    const level = best - sign * (trailing * distance);
    if (sign * level > sign * moved) moved = level;
  }
  if (gain >= breakEvenAt * distance) {
    const level = entryPrice * (1 + sign * breakEvenOffset);
    if (sign * level > sign * moved) moved = level;
  }
  return moved;
}
