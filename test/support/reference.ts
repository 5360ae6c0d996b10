// The reference implementations behind the engine's doors: its inputs go in, its names come out.
import { denialReasons, type Simulation, type SimulationInput, type Trade } from '../../engine/execution/index.js';
import { type BarSeries, FUNDING_COLUMN, getBit } from '../../engine/series/index.js';
import { type RefBar, type RefTrade, referenceSimulate } from '../reference/execution.js';
import type { ReferenceBars } from '../reference/signals.js';

export const executionBars = (bars: BarSeries): RefBar[] =>
  Array.from(bars.time, (t, i) => ({
    t,
    o: bars.open[i],
    h: bars.high[i],
    l: bars.low[i],
    c: bars.close[i],
    v: bars.volume[i],
    funding: bars.columns[FUNDING_COLUMN]?.[i] || 0,
  }));

export const signalBars = ({ time, open, high, low, close, volume, columns }: BarSeries): ReferenceBars => ({
  time: Array.from(time),
  open: Array.from(open),
  high: Array.from(high),
  low: Array.from(low),
  close: Array.from(close),
  volume: Array.from(volume),
  onchain: Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, Array.from(column)])),
});

/** What a run did, as golden records write it. */
export interface ReadableRun {
  readonly trades: readonly Partial<Trade>[];
  readonly denials: readonly (readonly [bar: number, reason: string])[];
  readonly equity: ArrayLike<number>;
}

export const readable = ({ trades, denials, equity }: Simulation): ReadableRun => ({
  trades,
  denials: Array.from(denials.bars, (bar, i) => [bar, denialReasons[denials.reasons[i]]] as const),
  equity,
});

/** @param settings as given, without defaults: the reference has defaults of its own */
export function referenceRun({ bars, first, entry, exit }: SimulationInput, settings: Record<string, unknown>) {
  const rows = executionBars(bars);
  const run = referenceSimulate({
    intervalMs: bars.intervalMs,
    bars: rows,
    first,
    entry: rows.map((_, i) => getBit(entry, i)),
    exit: rows.map((_, i) => getBit(exit, i)),
    config: settings,
  });
  return { trades: run.trades.map(engineNames), denials: run.denied_entries, equity: run.equity, metrics: run.metrics };
}

const engineNames = (trade: RefTrade): Trade => ({
  entryBar: trade.entry_bar_index,
  exitBar: trade.exit_bar_index,
  entryPrice: trade.entry_price,
  exitPrice: trade.exit_price,
  size: trade.position_size,
  stopPrice: trade.stop_loss_price,
  targetPrice: trade.take_profit_price,
  profitLoss: trade.profit_loss,
  profitLossPct: trade.profit_loss_pct,
  entryFee: trade.entry_fee,
  exitFee: trade.exit_fee,
  slippageCost: trade.slippage_cost,
  fundingPaid: trade.funding_paid,
  beginningBalance: trade.beginning_balance,
  endingBalance: trade.ending_balance,
  barsHeld: trade.bars_held,
  exitReason: trade.exit_reason,
});
