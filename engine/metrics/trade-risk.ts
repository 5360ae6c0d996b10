import type { ExitReason, Trade } from '../execution/index.js';

/** Sums over the closed trades beyond those of `measureTrades`. */
export interface TradeRiskFacts {
  /** Entry and exit fills, quote currency. */
  readonly notionalSum: number;
  /** Mean of profit and loss over the amount at risk between entry and stop. */
  readonly riskMultipleMean: number;
  readonly riskMultipleSquaredDeviationSum: number;
}

export function measureTradeRisk(trades: readonly Trade[]): TradeRiskFacts {
  let notionalSum = 0;
  let multipleSum = 0;
  for (const trade of trades) {
    notionalSum += trade.size * (trade.entryPrice + trade.exitPrice);
    multipleSum += riskMultiple(trade);
  }
  const riskMultipleMean = multipleSum / trades.length;
  let squares = 0;
  for (const trade of trades) squares += (riskMultiple(trade) - riskMultipleMean) ** 2;
  return { notionalSum, riskMultipleMean, riskMultipleSquaredDeviationSum: squares };
}

const riskMultiple = ({ profitLoss, size, entryPrice, stopPrice, details }: Trade): number =>
  profitLoss / (size * Math.abs(entryPrice - (details?.initialStopPrice ?? stopPrice)));

type SidedReason = 'TRAIL' | 'LIQUIDATION' | 'OPPOSITE' | 'GUARD' | 'SCALE_OUT';

/**
 * Every reason has a record, even when it did not occur, but for the reasons of moving stops,
 * margin, sides and guards.
 */
export type ExitsByReason = Readonly<
  Record<Exclude<ExitReason, SidedReason>, { readonly count: number; readonly mean_profit_loss: number | null }> & {
    [Reason in SidedReason]?: { readonly count: number; readonly mean_profit_loss: number | null };
  }
>;

export function groupExits(trades: readonly Trade[]): ExitsByReason {
  const counts: Partial<Record<ExitReason, number>> = {
    SL: 0,
    TP: 0,
    SIGNAL: 0,
    MAX_HOLD: 0,
    LOSS_TIMEOUT: 0,
    PROFIT_TIMEOUT: 0,
    END: 0,
  };
  const sums = { ...counts };
  for (const { exitReason, profitLoss } of trades) {
    counts[exitReason] = (counts[exitReason] ?? 0) + 1;
    sums[exitReason] = (sums[exitReason] ?? 0) + profitLoss;
  }
  const reasons = Object.keys(counts) as ExitReason[];
  return Object.fromEntries(
    reasons.map((reason) => {
      const count = counts[reason] ?? 0;
      return [reason, { count, mean_profit_loss: count === 0 ? null : (sums[reason] ?? 0) / count }];
    }),
  ) as ExitsByReason;
}
