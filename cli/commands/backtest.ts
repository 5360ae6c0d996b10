import type { Command } from 'commander';
import { checkTablePath, type TableColumn, writeTable } from '../../data/tables/index.js';
import { type BacktestResult, runBacktest } from '../../service/index.js';
import { type Environment, openStore } from '../environment.js';
import { parseWhole, readConfig, readJson, requireOption } from '../inputs.js';
import { note, print, printJson } from '../output.js';
import { summaryOf } from '../summary.js';

interface Options {
  readonly strategy?: string;
  readonly asset?: string;
  readonly interval?: string;
  readonly start?: string;
  readonly end?: string;
  readonly lookbackMonths?: string;
  readonly bars?: string;
  readonly config?: readonly string[];
  readonly trades?: string;
  readonly equity?: string;
  readonly json?: boolean;
}

const MONTHS_MAX = 1_200;

export function addBacktest(program: Command, environment: Environment): void {
  program
    .command('backtest')
    .description('run one strategy over stored bars or a file of bars')
    .option('--strategy <file>', 'strategy definition, JSON (- for standard input)')
    .option('--asset <name>', "such as BTC; without it the strategy's own")
    .option('--interval <length>', 'such as 5m, 1h, 1d; coarser ones than stored are aggregated')
    .option('--start <time>', 'first day or time to trade, UTC')
    .option('--end <time>', 'last day, that day included, or time; without it all there is')
    .option('--lookback-months <n>', 'months back from the end')
    .option('--bars <file>', 'CSV or Parquet file of bars to use instead of stored ones')
    .option('--config <item...>', 'execution settings: JSON files or key=value, later ones win')
    .option('--trades <file>', 'write the trades to a .csv, .parquet or .arrow file')
    .option('--equity <file>', 'write the equity curve to a .csv, .parquet or .arrow file')
    .option('--json', 'print the whole result as JSON')
    .action(async (options: Options) => {
      for (const path of [options.trades, options.equity]) if (path !== undefined) await checkTablePath(path);
      const result = await run(options, environment);
      if (options.trades !== undefined) await writeTable(options.trades, tradeTable(result));
      if (options.equity !== undefined) await writeTable(options.equity, equityTable(result));
      if (options.json) {
        printJson(result);
        return;
      }
      for (const line of summaryOf(result)) print(line);
      if (options.trades !== undefined) note(`trades written to ${options.trades}`);
      if (options.equity !== undefined) note(`equity written to ${options.equity}`);
    });
}

async function run(options: Options, environment: Environment): Promise<BacktestResult> {
  const { lookbackMonths } = options;
  return runBacktest(
    {
      strategy: await readJson(requireOption('--strategy', options.strategy), 'strategy'),
      asset: options.asset,
      interval: options.interval,
      window: {
        start: options.start,
        end: options.end,
        lookbackMonths:
          lookbackMonths === undefined ? undefined : parseWhole(lookbackMonths, 'lookback_months', 1, MONTHS_MAX),
      },
      config: await readConfig(options.config ?? []),
      barsFile: options.bars,
    },
    openStore(environment),
  );
}

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
] as const;
const integers = ['bars_held', 'entry_bar_index', 'exit_bar_index'] as const;

/** The trades of a result, one column per field, as the JSON names it. */
function tradeTable({ trades }: BacktestResult): TableColumn[] {
  return [
    ...texts.map((name): TableColumn => ({ name, type: 'text', values: trades.map((trade) => trade[name]) })),
    ...times.map(
      (name): TableColumn => ({ name, type: 'time', values: trades.map((trade) => Date.parse(trade[name])) }),
    ),
    ...doubles.map((name): TableColumn => ({ name, type: 'double', values: trades.map((trade) => trade[name]) })),
    ...integers.map((name): TableColumn => ({ name, type: 'integer', values: trades.map((trade) => trade[name]) })),
  ];
}

function equityTable({ equity }: BacktestResult): TableColumn[] {
  return [
    { name: 'timestamp', type: 'time', values: equity.map(({ timestamp }) => Date.parse(timestamp)) },
    { name: 'account_value', type: 'double', values: equity.map(({ account_value }) => account_value) },
    { name: 'cash_balance', type: 'double', values: equity.map(({ cash_balance }) => cash_balance) },
  ];
}
