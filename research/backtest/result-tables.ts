import type { TableColumn } from '../../data/tables/index.js';
import type { BacktestResult, BacktestRun } from './run-backtest.js';

const texts = ['trade_id', 'position_id', 'strategy', 'asset', 'side', 'outcome', 'exit_reason'] as const;
const times = ['entry_timestamp', 'exit_timestamp'] as const;
const doubles = [
  'profit_loss',
  'profit_loss_pct',
  'entry_price',
  'exit_price',
  'position_size',
  'beginning_balance',
  'ending_balance',
  'stop_loss_price',
  'take_profit_price',
  'entry_fee',
  'exit_fee',
  'fees',
  'slippage_cost',
  'funding_paid',
  'mae',
  'mfe',
  'mae_full_bars',
  'mfe_full_bars',
] as const;
const integers = ['bars_held', 'entry_bar_index', 'exit_bar_index'] as const;

/** Of trades that use margin, sides or moving stops. */
const sidedDoubles = ['initial_stop_price', 'margin', 'return_on_margin', 'liquidation_price', 'borrow_paid'] as const;

/**
 * The trades of a result, one column per field of the JSON. Fields of sides, margin and parts are
 * columns where some trade has them.
 */
export function tradeTable({ trades }: BacktestResult): TableColumn[] {
  const used = sidedDoubles.filter((name) => trades.some((trade) => trade[name] !== undefined));
  const hasParts = trades.some(({ exits }) => exits !== undefined);
  return [
    ...texts.map((name): TableColumn => ({ name, type: 'text', values: trades.map((trade) => trade[name]) })),
    ...times.map(
      (name): TableColumn => ({ name, type: 'time', values: trades.map((trade) => Date.parse(trade[name])) }),
    ),
    ...doubles.map((name): TableColumn => ({ name, type: 'double', values: trades.map((trade) => trade[name]) })),
    ...integers.map((name): TableColumn => ({ name, type: 'integer', values: trades.map((trade) => trade[name]) })),
    ...used.map((name): TableColumn => ({ name, type: 'double', values: trades.map((trade) => trade[name] ?? null) })),
    ...(hasParts
      ? [{ name: 'exits', type: 'text', values: trades.map(({ exits }) => JSON.stringify(exits ?? [])) } as const]
      : []),
  ];
}

export const equityTable = ({ bars, first, simulation, cashCurve }: BacktestRun): TableColumn[] => [
  { name: 'timestamp', type: 'time', values: bars.time.subarray(first).map((time) => time + bars.intervalMs) },
  { name: 'account_value', type: 'double', values: simulation.equity },
  { name: 'cash_balance', type: 'double', values: cashCurve() },
];

/** The tradable bars of a run, with the further columns of the data. */
export function barTable({ bars, first }: Pick<BacktestRun, 'bars' | 'first'>): TableColumn[] {
  const { time, open, high, low, close, volume, columns } = bars;
  const prices = { open, high, low, close, volume, ...columns };
  return [
    { name: 'timestamp', type: 'time', values: time.subarray(first) },
    ...Object.entries(prices).map(
      ([name, values]): TableColumn => ({ name, type: 'double', values: values.subarray(first) }),
    ),
  ];
}
