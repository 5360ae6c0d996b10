import type { TableColumn } from '../../data/tables/index.js';
import type { PortfolioResult, PortfolioRun } from './run-portfolio.js';
import { memberNames } from './settings.js';

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
  const { equity, values, cash, flows } = simulation;
  return [
    closes(simulation),
    { name: 'account_value', type: 'double', values },
    { name: 'cash_balance', type: 'double', values: cash },
    ...(flows.length === 0 ? [] : [{ name: 'time_weighted_value', type: 'double', values: equity } as const]),
  ];
}

/** What part of the account each member and the cash are at the close of each time. */
export function portfolioWeightsTable({ result, simulation }: PortfolioRun): TableColumn[] {
  const { values: account, cash, courses } = simulation;
  return [
    closes(simulation),
    { name: 'cash', type: 'double', values: cash.map((held, i) => (account[i] ? held / account[i] : NaN)) },
    ...memberColumns(result, courses?.weights),
  ];
}

/** What each member has earned since the start at the close of each time, and all of them together. */
export function portfolioContributionsTable({ result, simulation }: PortfolioRun): TableColumn[] {
  const { values: account, flows, courses } = simulation;
  const paid = new Float64Array(account.length).fill(result.execution_config.initial_balance);
  for (const { time, amount } of flows) for (let i = time; i < paid.length; i++) paid[i] = (paid[i] ?? 0) + amount;
  return [
    closes(simulation),
    { name: 'account', type: 'double', values: account.map((value, i) => value - (paid[i] ?? 0)) },
    ...memberColumns(result, courses?.profits),
  ];
}

const closes = ({ timeline: { times, intervalMs } }: PortfolioRun['simulation']): TableColumn => ({
  name: 'timestamp',
  type: 'time',
  values: times.map((time) => time + intervalMs),
});

const memberColumns = ({ members }: PortfolioResult, courses: readonly Float64Array[] = []): TableColumn[] =>
  memberNames(members).map((name, m) => ({ name, type: 'double', values: courses[m] ?? [] }));
