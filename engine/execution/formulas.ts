/*
 * Prices and sizes, written in what TypeScript and AssemblyScript have in common (no imports, numbers are doubles): the
 * WebAssembly run of a sweep (simd/assembly/run.ts) is compiled from this very text.
 */

/** Slippage is fixed and adverse on both legs: deterministic, and pessimistic against a random draw. */
export function boughtAt(open: number, slippage: number): number {
  return open * (1 + slippage);
}

/** Every exit slips, targets included: a target is an exit triggered by price, not a resting limit order. */
export function soldAt(raw: number, slippage: number): number {
  return raw * (1 - slippage);
}

/**
 * Raw price at which a bar takes a position out, or NaN. The open decides first, so a gap through the stop fills at
 * the worse open and a gap beyond the target at the better one; a bar that touches both afterwards counts as a loss.
 * Touching is enough. The position was stopped exactly when the answer is <= `stop`.
 */
export function touchPrice(open: number, high: number, low: number, stop: number, target: number): number {
  if (open <= stop || open >= target) return open;
  if (low <= stop) return stop;
  return high >= target ? target : NaN;
}

/**
 * Weighted sum of two ATRs, capped at a multiple of the short one: without the cap a daily ATR, some 17 times that
 * of 5-minute bars, would dominate. The weights are not normalized.
 * @param cap none when <= 0
 */
export function blendedAtr(short: number, long: number, shortWeight: number, longWeight: number, cap: number): number {
  const blended = shortWeight * short + longWeight * long;
  return cap <= 0 ? blended : Math.min(blended, cap * short);
}

/** At most so many units, so much notional, and what the cash pays for with the entry fee, so that it cannot go negative. */
export function cappedSize(
  size: number,
  unitsMax: number,
  amountMax: number,
  entryPrice: number,
  spendable: number,
  fee: number,
): number {
  const capped = Math.min(Math.min(size, unitsMax), amountMax / entryPrice);
  return Math.min(capped, spendable / (entryPrice * (1 + fee)));
}
