import type { TableColumn } from '../../data/tables/index.js';
import type { PortfolioResult, PortfolioRun } from './run-portfolio.js';

const texts = ['trade_id', 'strategy', 'asset', 'side', 'outcome', 'exit_reason'] as const;
const times = ['entry_timestamp', 'exit_timestamp'] as const;
const doubles = [
  ...['profit_loss', 'profit_loss_pct', 'entry_price', 'exit_price', 'position_size'],
  ...['beginning_balance', 'ending_balance', 'stop_loss_price', 'take_profit_price'],
  ...['entry_fee', 'exit_fee', 'fees', 'slippage_cost', 'funding_paid'],
] as const;
const integers = ['member', 'bars_held'] as const;

/** The trades of all members, one column per field of the JSON. */
export function portfolioTradeTable({ trades }: PortfolioResult): TableColumn[] {
  const rows = trades as readonly Readonly<Record<string, unknown>>[];
  const column = (type: TableColumn['type'], name: string): TableColumn =>
    ({ name, type, values: rows.map((trade) => trade[name]) }) as TableColumn;
  return [
    ...texts.map((name) => column('text', name)),
    ...times.map(
      (name): TableColumn => ({ name, type: 'time', values: trades.map((trade) => Date.parse(trade[name])) }),
    ),
    ...doubles.map((name) => column('double', name)),
    ...integers.map((name) => column('integer', name)),
  ];
}

/** Account value and cash at the close of each time. */
export function portfolioEquityTable({ simulation }: PortfolioRun): TableColumn[] {
  const { timeline, equity, cash } = simulation;
  return [
    { name: 'timestamp', type: 'time', values: timeline.times.map((time) => time + timeline.intervalMs) },
    { name: 'account_value', type: 'double', values: equity },
    { name: 'cash_balance', type: 'double', values: cash },
  ];
}
