import type { Trade } from '../execution/index.js';
import { TradeSums } from '../formulas/trade-sums.js';

export type TradeFacts = Readonly<Omit<TradeSums, 'wins' | 'losses' | 'add'>>;

/** One pass in closing order. */
export function measureTrades(trades: readonly Trade[]): TradeFacts {
  const sums = new TradeSums();
  for (const { profitLoss, barsHeld, entryFee, exitFee, slippageCost } of trades) {
    sums.add(profitLoss, barsHeld, entryFee + exitFee, slippageCost);
  }
  return sums;
}
