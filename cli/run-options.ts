import type { Command } from 'commander';
import { EngineError, quote } from '../engine/errors.js';
import type { BacktestRequest, OwnSignals } from '../research/backtest/index.js';
import type { AssetList, WindowRequest } from '../research/index.js';
import { parseWhole, readConfig, readJson, requireOption } from './inputs.js';

/** Options that choose the bars to trade. */
export interface WindowOptions {
  readonly start?: string;
  readonly end?: string;
  readonly lookbackMonths?: string;
}

/** Options of every command that runs a strategy. */
export interface RunOptions extends WindowOptions {
  readonly strategy?: string;
  readonly asset?: string;
  readonly interval?: string;
  readonly bars?: string;
  readonly config?: readonly string[];
  readonly signals?: readonly string[];
}

const MONTHS_MAX = 1_200;

export const signalsHelp = 'JavaScript modules of signals of your own (.mjs); their code runs here';

/** Loads the modules of `--signals`, if there are any. */
export async function readSignals(paths: readonly string[] | undefined): Promise<OwnSignals | undefined> {
  if (paths === undefined) return undefined;
  const { loadSignalModules } = await import('../research/index.js'); // few runs have signals of their own
  return loadSignalModules(paths);
}

export const addWindowOptions = (command: Command): Command =>
  command
    .option('--start <time>', 'first day or time to trade (UTC)')
    .option('--end <time>', 'last day (included) or time (default: the last bar)')
    .option('--lookback-months <n>', 'start this many months before the end');

export function readWindow({ start, end, lookbackMonths: months }: WindowOptions): WindowRequest {
  const lookbackMonths = months === undefined ? undefined : parseWhole(months, 'lookback_months', 1, MONTHS_MAX);
  return { start, end, lookbackMonths };
}

/** @param takesSeveral whether the command runs a list of assets */
export const addRunOptions = (command: Command, takesSeveral = false): Command =>
  addWindowOptions(
    command
      .option('--strategy <file>', 'JSON file of the strategy (- for standard input)')
      .option('--asset <name>', `${takesSeveral ? assetsHelp : 'asset, such as BTC'} (default: the strategy's own)`)
      .option('--interval <length>', 'length of a bar, such as 5m, 1h, 1d; a coarser length than stored is aggregated'),
  )
    .option('--bars <file>', 'CSV, JSON, Parquet or Arrow file of bars to use instead of the stored bars')
    .option('--config <item...>', 'execution settings: JSON files or key=value pairs; later ones win')
    .option('--signals <module...>', signalsHelp);

export async function readRunRequest(options: RunOptions): Promise<BacktestRequest> {
  const { asset, interval, bars } = options;
  return {
    strategy: await readJson(requireOption('--strategy', options.strategy), 'strategy'),
    asset,
    interval,
    window: readWindow(options),
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

export const assetsHelp = 'asset, such as BTC; several as BTC,ETH,SOL, or all of which bars are held';

const ALL = 'all';

/** What `--asset` names: a list, all, or null for a single asset or none. */
export function readAssets(text: string | undefined): AssetList | null {
  if (text === undefined) return null;
  if (text.trim().toLowerCase() === ALL) return ALL;
  if (!text.includes(',')) return null;
  const names = text.split(',').map((name) => name.trim());
  if (names.every((name) => name !== '' && name.toLowerCase() !== ALL)) return names;
  throw new EngineError('INVALID_FIELD', `asset must be names with a comma between them, or all, was ${quote(text)}`, {
    field: 'asset',
  });
}

/** Shared by the commands that run a strategy whose rules may be refused. */
export interface RefusalOptions {
  readonly allowDenied?: boolean;
}

export const addRefusalOption = (command: Command): Command =>
  command.option('--allow-denied', 'exit with 0 even if rules were refused; a side with a refused rule is never true');

/**
 * Ends the command with exit code 2 if rules were refused. Called after the answer is printed.
 * @param refused one line per refused rule
 */
export function refuseUnlessAllowed(refused: readonly string[], { allowDenied }: RefusalOptions): void {
  const [first, ...others] = refused;
  if (first === undefined || allowDenied === true) return;
  const rest = others.length === 0 ? '' : ` (and ${others.length} more)`;
  throw new EngineError('INVALID_STRATEGY', `refused ${first}${rest}; --allow-denied exits with 0 anyway`);
}
