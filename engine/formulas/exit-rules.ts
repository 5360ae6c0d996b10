/*
 * The exits that are decided at a close. Written in the common subset of TypeScript and
 * AssemblyScript (no imports, numbers are doubles); see prices-and-sizes.ts.
 */

/** Whether a position is sold at the next open, and why. The first reason that applies counts. */
export enum Scheduled {
  NONE = 0,
  SIGNAL = 1,
  MAX_HOLD = 2,
  LOSS_TIMEOUT = 3,
  PROFIT_TIMEOUT = 4,
}

/** A limit in bars; Infinity, which is no limit, for NaN and values <= 0. */
export function barLimitOf(bars: number): number {
  return bars > 0 ? bars : Infinity;
}

/** Bars held count the entry bar, and the last bar unless the position is sold at its open. */
export function barsHeldOf(entryBar: number, bar: number, isSoldAtOpen: boolean): number {
  return isSoldAtOpen ? bar - entryBar : bar - entryBar + 1;
}

/**
 * The exit decided at a close, to be filled at the next open. As bars held count the entry bar, a
 * limit of N bars buys at one open and sells at the N-th open after it.
 *
 * @param unrealized profit before fees, a fraction of the entry price
 * @param holdLimit from `barLimitOf`, like the other two limits
 */
export function scheduledAt(
  exitRule: boolean,
  barsHeld: number,
  unrealized: number,
  holdLimit: number,
  lossLimit: number,
  profitLimit: number,
  profitThreshold: number,
): Scheduled {
  if (exitRule) return Scheduled.SIGNAL;
  if (barsHeld >= holdLimit) return Scheduled.MAX_HOLD;
  if (barsHeld >= lossLimit && unrealized < 0) return Scheduled.LOSS_TIMEOUT;
  return barsHeld >= profitLimit && unrealized >= profitThreshold ? Scheduled.PROFIT_TIMEOUT : Scheduled.NONE;
}
