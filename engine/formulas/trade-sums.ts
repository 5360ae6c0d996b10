/*
 * Written in what TypeScript and AssemblyScript have in common (no imports, numbers are doubles):
 * the WebAssembly run of a sweep adds its trades up by this very text.
 */

/**
 * Sums and runs over the closed trades, in closing order. A trade without a profit counts as a
 * loss. Amounts in the quote currency.
 */
export class TradeSums {
  count: number = 0;
  winCount: number = 0;
  profitLossSum: number = 0;
  winSum: number = 0;
  lossSum: number = 0;
  maxConsecutiveWins: number = 0;
  maxConsecutiveLosses: number = 0;
  barsHeldSum: number = 0;
  feeSum: number = 0;
  slippageSum: number = 0;
  /** Since the latest trade of the other kind. */
  wins: number = 0;
  losses: number = 0;

  add(profitLoss: number, barsHeld: number, fees: number, slippage: number): void {
    this.count++;
    this.profitLossSum += profitLoss;
    this.barsHeldSum += barsHeld;
    this.feeSum += fees;
    this.slippageSum += slippage;
    if (profitLoss > 0) {
      this.winCount++;
      this.winSum += profitLoss;
      this.wins++;
      this.losses = 0;
      if (this.wins > this.maxConsecutiveWins) this.maxConsecutiveWins = this.wins;
    } else {
      this.lossSum += profitLoss;
      this.losses++;
      this.wins = 0;
      if (this.losses > this.maxConsecutiveLosses) this.maxConsecutiveLosses = this.losses;
    }
  }
}
