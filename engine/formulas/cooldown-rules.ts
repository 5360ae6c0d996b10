/*
 * The tiers of the cooldown, written in what TypeScript and AssemblyScript have in common (no
 * imports, numbers are doubles), see prices-and-sizes.ts.
 */

export function isTierOn(limit: number, window: number): boolean {
  return limit > 0 && window > 0;
}

/**
 * A tier trips when its limit of losses lies within its window of bars. Losses are in bar order, so
 * the limit is reached when the limit-th latest is still inside the window. The tier then blocks
 * entries for as many bars as its window, and a block is never shortened.
 *
 * @param bar exit bar of the latest loss
 * @param nthLatest exit bar of the limit-th latest loss
 * @param blockedThrough last bar that is blocked so far
 * @returns the last bar that is blocked
 */
export function blockAfterLoss(bar: number, nthLatest: number, window: number, blockedThrough: number): number {
  return nthLatest > bar - window ? Math.max(blockedThrough, bar + window) : blockedThrough;
}
