/*
 * The tiers of the cooldown. Written in the common subset of TypeScript and AssemblyScript (no
 * imports, numbers are doubles); see prices-and-sizes.ts.
 */

/** A trade that ends even is no loss to the cooldown, though its sums count it as one. */
export function isBookedLoss(profitLoss: number): boolean {
  return profitLoss < 0;
}

export function isTierOn(limit: number, window: number): boolean {
  return limit > 0 && window > 0;
}

/**
 * A tier trips when as many losses as its limit lie within its window of bars. Losses are in bar
 * order, so it is enough that the limit-th latest loss is still inside the window. The tier then
 * blocks entries for as many bars as its window; a block is never shortened.
 *
 * @param bar exit bar of the latest loss
 * @param nthLatest exit bar of the limit-th latest loss
 * @param blockedThrough last bar that is blocked so far
 * @returns the last bar that is blocked
 */
export function blockAfterLoss(bar: number, nthLatest: number, window: number, blockedThrough: number): number {
  return nthLatest > bar - window ? Math.max(blockedThrough, bar + window) : blockedThrough;
}
