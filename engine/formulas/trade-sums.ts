/*
 * The WebAssembly run of a sweep adds up its trades with this very code. So it is written in the
 * common subset of TypeScript and AssemblyScript: no imports, numbers are doubles.
 */

/**
 * Sums and streaks over the closed trades, in closing order. A trade without a profit counts as a
 * loss. Amounts are in the quote currency.
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
  /** Current streak: wins, or losses, since the latest trade of the other kind. */
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
