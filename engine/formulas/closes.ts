/*
 * What a close costs and what guards read there. Written in the common subset of TypeScript and
 * AssemblyScript (no imports, numbers are doubles); see prices-and-sizes.ts.
 */

/** Part of a long position that its margin does not cover. */
export function unpaidShare(leverage: number): number {
  return 1 - 1 / leverage;
}

/** What a position borrows: the asset of a short one, the unpaid share of a long one. */
export function borrowedOf(sign: number, size: number, entryPrice: number, close: number, unpaid: number): number {
  return sign === -1 ? size * close : size * entryPrice * unpaid;
}

/**
 * Cost of borrowing an amount over one bar.
 * @param rate per year of 365 days
 */
export function borrowCost(borrowed: number, rate: number, intervalMs: number): number {
  return (borrowed * rate * intervalMs) / 31_536_000_000;
}

/**
 * Carry that a margin bears after a charge, which takes the cash first; a payment to the position
 * makes it less.
 *
 * @param paid below 0 where the position receives
 * @param cash 0 or more, before the charge
 */
export function borneAfter(borne: number, paid: number, cash: number): number {
  return Math.max(0, borne + (paid > 0 ? Math.max(0, paid - cash) : paid));
}

/**
 * Whether a value has fallen from another one by a share or more.
 * @param share never when NaN
 */
export function hasFallen(value: number, from: number, share: number): boolean {
  return 1 - value / from >= share;
}

/**
 * Whether the loss of the open positions reaches a share of the account value.
 * @param share never when NaN
 */
export function isLossReached(loss: number, value: number, share: number): boolean {
  return loss >= share * value;
}
