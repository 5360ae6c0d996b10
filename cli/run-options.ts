import type { Command } from 'commander';
import { EngineError } from '../engine/errors.js';
import type { BacktestRequest, OwnSignals } from '../research/backtest/index.js';
import { loadSignalModules } from '../research/index.js';
import { assetsHelp, readAssets } from './assets.js';
import { parseWhole, readConfig, readJson, requireOption } from './inputs.js';

/** Options of every command that runs a strategy. */
export interface RunOptions {
  readonly strategy?: string;
  readonly asset?: string;
  readonly interval?: string;
  readonly start?: string;
  readonly end?: string;
  readonly lookbackMonths?: string;
  readonly bars?: string;
  readonly config?: readonly string[];
  readonly signals?: readonly string[];
}

export const MONTHS_MAX = 1_200;

export const signalsHelp = 'JavaScript modules of signals of your own (.mjs); their code runs here';

/** Loads the modules of `--signals`, if there are any. */
export const readSignals = async (paths: readonly string[] | undefined): Promise<OwnSignals | undefined> =>
  paths === undefined ? undefined : loadSignalModules(paths);

/** @param takesSeveral whether the command runs a list of assets */
export const addRunOptions = (command: Command, takesSeveral = false): Command =>
  command
    .option('--strategy <file>', 'JSON file of the strategy (- for standard input)')
    .option('--asset <name>', `${takesSeveral ? assetsHelp : 'asset, such as BTC'} (default: the strategy's own)`)
    .option('--interval <length>', 'length of a bar, such as 5m, 1h, 1d; a coarser length than stored is aggregated')
    .option('--start <time>', 'first day or time to trade (UTC)')
    .option('--end <time>', 'last day (included) or time (default: the last bar)')
    .option('--lookback-months <n>', 'start this many months before the end')
    .option('--bars <file>', 'CSV, JSON, Parquet or Arrow file of bars to use instead of the stored bars')
    .option('--config <item...>', 'execution settings: JSON files or key=value pairs; later ones win')
    .option('--signals <module...>', signalsHelp);

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
    own: await readSignals(options.signals),
  };
}

/**
 * Several assets of `--asset`; null for one or none.
 * @throws EngineError beside a file of bars, which holds one
 */
export function readSeveral({ asset, bars }: RunOptions): ReturnType<typeof readAssets> {
  const list = readAssets(asset);
  if (list === null || bars === undefined) return list;
  throw new EngineError('INVALID_FIELD', `asset must be one with --bars, whose bars are of one, was ${asset}`, {
    field: 'asset',
  });
}
