import { derivedUuid } from '../../data/hashes/index.js';
import {
  type BarSeries,
  cashCurve,
  type Denials,
  denialReasons,
  isoTime,
  type Simulation,
  type SimulationInput,
  type Trade,
} from '../../engine/index.js';

/** What a run's trades are labelled with. */
interface RunLabels {
  /** Identifies the run; the ids of its trades derive from it. */
  readonly runId: string;
  readonly strategy: string;
  readonly asset: string;
  /** Bar that is number 0 in the rendered result. */
  readonly originBar: number;
}

/**
 * A closed trade as results show it. Times are bar opens, except of an END exit, which happens at
 * the close.
 */
export function renderTrade(trade: Trade, index: number, bars: BarSeries, labels: RunLabels) {
  const { runId, originBar } = labels;
  return {
    ...showTrade(trade, {
      ...labels,
      tradeId: derivedUuid(runId, 'trade', index),
      positionId: derivedUuid(runId, 'position', index),
      // biome-ignore lint/style/noNonNullAssertion: an index of a bar of the run
      entryMs: bars.time[trade.entryBar]!,
      // biome-ignore lint/style/noNonNullAssertion: an index of a bar of the run
      exitMs: bars.time[trade.exitBar]! + (trade.exitReason === 'END' ? bars.intervalMs : 0),
    }),
    entry_bar_index: trade.entryBar - originBar,
    exit_bar_index: trade.exitBar - originBar,
  } as const;
}

export type RenderedTrade = ReturnType<typeof renderTrade>;

/** What a trade does not know of itself. */
interface TradeLabels {
  readonly tradeId: string;
  readonly positionId: string;
  readonly strategy: string;
  readonly asset: string;
  readonly entryMs: number;
  readonly exitMs: number;
}

/** A closed trade whose times are known, without the numbers of its bars. */
export function showTrade(trade: Trade, labels: TradeLabels) {
  return {
    trade_id: labels.tradeId,
    position_id: labels.positionId,
    strategy: labels.strategy,
    asset: labels.asset,
    side: 'exit_long',
    outcome: trade.profitLoss > 0 ? 'win' : 'loss',
    profit_loss: trade.profitLoss,
    profit_loss_pct: trade.profitLossPct,
    entry_price: trade.entryPrice,
    exit_price: trade.exitPrice,
    position_size: trade.size,
    entry_timestamp: isoTime(labels.entryMs),
    exit_timestamp: isoTime(labels.exitMs),
    exit_reason: trade.exitReason,
    beginning_balance: trade.beginningBalance,
    ending_balance: trade.endingBalance,
    stop_loss_price: trade.stopPrice,
    take_profit_price: Number.isFinite(trade.targetPrice) ? trade.targetPrice : null, // beyond all numbers: never
    entry_fee: trade.entryFee,
    exit_fee: trade.exitFee,
    fees: trade.entryFee + trade.exitFee,
    slippage_cost: trade.slippageCost,
    bars_held: trade.barsHeld,
  } as const;
}

/** Denied entries in order: the bar whose open would have filled, and the reason. */
export const renderDenials = ({ bars, reasons }: Denials, originBar: number): [bar: number, reason: string][] =>
  // biome-ignore lint/style/noNonNullAssertion: an index of a bar of the run
  Array.from(bars, (bar, i) => [bar - originBar, denialReasons[reasons[i]!]!]);

export interface EquityPoint {
  /** Bar close. */
  readonly timestamp: string;
  readonly account_value: number;
  readonly cash_balance: number;
}

/** One point per tradable bar. */
export function renderEquity(input: SimulationInput, simulation: Simulation): EquityPoint[] {
  const cash = cashCurve(input, simulation);
  const { bars, first } = input;
  return Array.from(simulation.equity, (value, i) => ({
    // biome-ignore lint/style/noNonNullAssertion: an index of a bar of the run
    timestamp: isoTime(bars.time[first + i]! + bars.intervalMs),
    account_value: value,
    // biome-ignore lint/style/noNonNullAssertion: an index of a bar of the run
    cash_balance: cash[i]!,
  }));
}
