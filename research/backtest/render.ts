import { derivedUuid } from '../../data/hashes/index.js';
import { type Denials, denialReasons, type Simulation, type Trade } from '../../engine/execution/index.js';
import { type BarSeries, isoTime } from '../../engine/series/index.js';

/** Labels of a run's trades. */
interface RunLabels {
  /** Identifies the run; the ids of its trades are derived from it. */
  readonly runId: string;
  readonly strategy: string;
  readonly asset: string;
  /** Bar that gets the number 0 in the rendered result. */
  readonly originBar: number;
}

/**
 * A closed trade as results show it. Times are bar opens; an END exit happens at the close of its
 * bar.
 */
export function renderTrade(trade: Trade, index: number, bars: BarSeries, labels: RunLabels) {
  const { runId, originBar } = labels;
  return {
    ...showTrade(trade, {
      ...labels,
      tradeId: derivedUuid(runId, 'trade', index),
      positionId: derivedUuid(runId, 'position', index),
      // biome-ignore lint/style/noNonNullAssertion: entryBar is a bar of the run
      entryMs: bars.time[trade.entryBar]!,
      // biome-ignore lint/style/noNonNullAssertion: exitBar is a bar of the run
      exitMs: bars.time[trade.exitBar]! + (trade.exitReason === 'END' ? bars.intervalMs : 0),
    }),
    ...(trade.details?.exits && {
      exits: trade.details.exits.map((exit) => ({ ...exit, bar: exit.bar - originBar })),
    }),
    entry_bar_index: trade.entryBar - originBar,
    exit_bar_index: trade.exitBar - originBar,
  } as const;
}

export type RenderedTrade = ReturnType<typeof renderTrade>;

/** What the engine's trade does not contain. */
interface TradeLabels {
  readonly tradeId: string;
  readonly positionId: string;
  readonly strategy: string;
  readonly asset: string;
  readonly entryMs: number;
  readonly exitMs: number;
}

/** A closed trade with known times, without bar numbers. */
export function showTrade(trade: Trade, labels: TradeLabels) {
  return {
    trade_id: labels.tradeId,
    position_id: labels.positionId,
    strategy: labels.strategy,
    asset: labels.asset,
    side: trade.details?.side === 'short' ? 'exit_short' : 'exit_long',
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
    // Null in runs without a stop order.
    stop_loss_price: levelOrNull(trade.stopPrice),
    // An infinite target is never reached.
    take_profit_price: levelOrNull(trade.targetPrice),
    entry_fee: trade.entryFee,
    exit_fee: trade.exitFee,
    fees: trade.entryFee + trade.exitFee,
    slippage_cost: trade.slippageCost,
    funding_paid: trade.fundingPaid,
    bars_held: trade.barsHeld,
    ...(trade.details === undefined ? {} : showDetails(trade.details)),
  } as const;
}

/** What trades show beyond a long position paid in full. */
function showDetails({ initialStopPrice, borrowPaid, margin }: NonNullable<Trade['details']>) {
  return {
    initial_stop_price: levelOrNull(initialStopPrice),
    ...(margin !== null && {
      margin: margin.amount,
      return_on_margin: margin.returnOnMargin,
      liquidation_price: levelOrNull(margin.liquidationPrice),
      borrow_paid: borrowPaid,
    }),
  };
}

const levelOrNull = (price: number): number | null => (Number.isFinite(price) ? price : null);

/**
 * Denied entries in order: the bar at whose open the entry would have been filled, and the reason.
 */
export const renderDenials = ({ bars, reasons }: Denials, originBar: number): [bar: number, reason: string][] =>
  // biome-ignore lint/style/noNonNullAssertion: bars and reasons have one length, and each reason is in the table
  Array.from(bars, (bar, i) => [bar - originBar, denialReasons[reasons[i]!]!]);

/** The account at the close of each tradable bar, each point made when it is asked for. */
export function* equityPoints({
  bars,
  first,
  simulation,
  cashCurve,
}: {
  readonly bars: BarSeries;
  readonly first: number;
  readonly simulation: Simulation;
  readonly cashCurve: () => Float64Array;
}): Generator<{ readonly timestamp: string; readonly account_value: number; readonly cash_balance: number }> {
  const cash = cashCurve();
  for (const [i, value] of simulation.equity.entries()) {
    yield {
      // biome-ignore lint/style/noNonNullAssertion: equity has one value per tradable bar
      timestamp: isoTime(bars.time[first + i]! + bars.intervalMs),
      account_value: value,
      // biome-ignore lint/style/noNonNullAssertion: cash has one value per tradable bar
      cash_balance: cash[i]!,
    };
  }
}
