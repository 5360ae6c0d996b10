import type { ExitReason, Trade } from '../execution/index.js';
import { square } from './powers.js';

/** Sums over the closed trades beyond the sums of `measureTrades`. */
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
  for (const trade of trades) squares += square(riskMultiple(trade) - riskMultipleMean);
  return { notionalSum, riskMultipleMean, riskMultipleSquaredDeviationSum: squares };
}

const riskMultiple = ({ profitLoss, size, entryPrice, stopPrice, details }: Trade): number =>
  profitLoss / (size * Math.abs(entryPrice - (details?.initialStopPrice ?? stopPrice)));

type SidedReason = 'TRAIL' | 'LIQUIDATION' | 'OPPOSITE' | 'GUARD' | 'SCALE_OUT' | 'ENDED';

/**
 * Every reason has a record, even when it did not occur, but for the reasons of moving stops,
 * margin, sides and guards.
 */
export type ExitsByReason = Readonly<
  Record<Exclude<ExitReason, SidedReason>, { readonly count: number; readonly mean_profit_loss: number | null }> & {
    [Reason in SidedReason]?: { readonly count: number; readonly mean_profit_loss: number | null };
  }
>;

const everyReason = ['SL', 'TP', 'SIGNAL', 'MAX_HOLD', 'LOSS_TIMEOUT', 'PROFIT_TIMEOUT', 'END'] as const;

export function groupExits(trades: readonly Trade[]): ExitsByReason {
  const groups = new Map<ExitReason, { count: number; sum: number }>();
  for (const reason of everyReason) groups.set(reason, { count: 0, sum: 0 });
  for (const { exitReason, profitLoss } of trades) {
    const group = groups.get(exitReason) ?? { count: 0, sum: 0 };
    group.count++;
    group.sum += profitLoss;
    groups.set(exitReason, group);
  }
  return Object.fromEntries(
    [...groups].map(([reason, { count, sum }]) => [
      reason,
      { count, mean_profit_loss: count === 0 ? null : sum / count },
    ]),
  ) as ExitsByReason;
}
