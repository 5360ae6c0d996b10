import type { Trade } from '../execution/index.js';

/** Sums and runs over the closed trades. A trade without a profit counts as a loss. Amounts in the quote currency. */
export interface TradeFacts {
  readonly count: number;
  readonly winCount: number;
  readonly profitLossSum: number;
  readonly winSum: number;
  readonly lossSum: number;
  readonly maxConsecutiveWins: number;
  readonly maxConsecutiveLosses: number;
  readonly barsHeldSum: number;
  readonly feeSum: number;
  readonly slippageSum: number;
}

/** One pass in closing order. */
export function measureTrades(trades: readonly Trade[]): TradeFacts {
  let winCount = 0;
  let profitLossSum = 0;
  let winSum = 0;
  let lossSum = 0;
  let wins = 0;
  let losses = 0;
  let maxConsecutiveWins = 0;
  let maxConsecutiveLosses = 0;
  let barsHeldSum = 0;
  let feeSum = 0;
  let slippageSum = 0;
  for (const { profitLoss, barsHeld, entryFee, exitFee, slippageCost } of trades) {
    profitLossSum += profitLoss;
    barsHeldSum += barsHeld;
    feeSum += entryFee + exitFee;
    slippageSum += slippageCost;
    if (profitLoss > 0) {
      winCount++;
      winSum += profitLoss;
      wins++;
      losses = 0;
      if (wins > maxConsecutiveWins) maxConsecutiveWins = wins;
    } else {
      lossSum += profitLoss;
      losses++;
      wins = 0;
      if (losses > maxConsecutiveLosses) maxConsecutiveLosses = losses;
    }
  }
  return {
    count: trades.length,
    winCount,
    profitLossSum,
    winSum,
    lossSum,
    maxConsecutiveWins,
    maxConsecutiveLosses,
    barsHeldSum,
    feeSum,
    slippageSum,
  };
}
