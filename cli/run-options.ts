import type { Command } from 'commander';
import type { BacktestRequest } from '../research/backtest/index.js';
import { parseWhole, readConfig, readJson, requireOption } from './inputs.js';

/** Options that say what to run: shared by every command that runs a strategy. */
export interface RunOptions {
  readonly strategy?: string;
  readonly asset?: string;
  readonly interval?: string;
  readonly start?: string;
  readonly end?: string;
  readonly lookbackMonths?: string;
  readonly bars?: string;
  readonly config?: readonly string[];
}

const MONTHS_MAX = 1_200;

export const addRunOptions = (command: Command): Command =>
  command
    .option('--strategy <file>', 'strategy definition, JSON (- for standard input)')
    .option('--asset <name>', "such as BTC; without it the strategy's own")
    .option('--interval <length>', 'such as 5m, 1h, 1d; coarser ones than stored are aggregated')
    .option('--start <time>', 'first day or time to trade, UTC')
    .option('--end <time>', 'last day, that day included, or time; without it all there is')
    .option('--lookback-months <n>', 'months back from the end')
    .option('--bars <file>', 'CSV or Parquet file of bars to use instead of stored ones')
    .option('--config <item...>', 'execution settings: JSON files or key=value, later ones win');

export async function readRunRequest(options: RunOptions): Promise<BacktestRequest> {
  const { asset, interval, start, end, lookbackMonths: months, bars } = options;
  const lookbackMonths = months === undefined ? undefined : parseWhole(months, 'lookback_months', 1, MONTHS_MAX);
  return {
    strategy: await readJson(requireOption('--strategy', options.strategy), 'strategy'),
    asset,
    interval,
    window: { start, end, lookbackMonths },
    config: await readConfig(options.config ?? []),
    barsFile: bars,
  };
}
