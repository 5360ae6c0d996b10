import type { Command } from 'commander';
import { checkPagePath, writePage } from '../../data/pages/index.js';
import { checkTablePath, joinRows, type TableColumn, writeTable } from '../../data/tables/index.js';
import { openTries } from '../../data/tries/index.js';
import { EngineError } from '../../engine/errors.js';
import {
  type BacktestResult,
  type BacktestRun,
  backtestAssets,
  buildTearSheet,
  equityPoints,
  equityTable,
  runBacktest,
  tradeTable,
} from '../../research/backtest/index.js';
import type { AssetList } from '../../research/index.js';
import { acrossLines, acrossRecord } from '../across-view.js';
import { type CurveOptions, checkCurve, curveOption, printResult } from '../curve-option.js';
import type { Environment } from '../environment.js';
import { note, print, printJson } from '../output.js';
import { marking, plainTimes, type TimeOptions } from '../plain-times.js';
import { progress } from '../progress.js';
import { recordRun } from '../record-run.js';
import {
  addRefusalOption,
  addRunOptions,
  type RefusalOptions,
  type RunOptions,
  readRunRequest,
  readSeveral,
  refuseUnlessAllowed,
} from '../run-options.js';
import { openServices } from '../services.js';
import { summaryLines } from '../summary.js';
import { readRanking } from '../sweep-view.js';

interface Options extends RunOptions, RefusalOptions, TimeOptions, CurveOptions {
  readonly trades?: string;
  readonly equity?: string;
  readonly report?: string;
  readonly by?: string;
  readonly record: boolean;
}

export function addBacktest(program: Command, environment: Environment): void {
  addRefusalOption(addRunOptions(program.command('backtest'), true))
    .description('run one strategy over stored bars or a file of bars, on one asset or several')
    .option('--trades <file>', 'write the trades to a .csv, .parquet or .arrow file')
    .option('--equity <file>', 'write the equity curve to a .csv, .parquet or .arrow file')
    .option(...plainTimes)
    .option('--report <file>', 'write a tear sheet: one HTML file that opens from disk')
    .option('--by <metric>', 'metric that ranks several assets, the better end first (default: sharpe_ratio)')
    .option('--no-record', 'do not save a record for replay and compare, nor count the run as a try')
    .option('--json', 'print the result as JSON')
    .option(...curveOption)
    .action(async (options: Options) => {
      for (const path of [options.trades, options.equity]) if (path !== undefined) await checkTablePath(path);
      if (options.report !== undefined) await checkPagePath(options.report);
      const several = readSeveral(options);
      checkCurve(options, several !== null);
      if (several !== null) return runSeveral(several, options, environment);
      const run = await runBacktest(await readRunRequest(options), openServices(environment));
      if (options.record) await recordRun(run, environment);
      if (options.trades !== undefined) await writeTable(options.trades, tradeTable(run.result), marking(options));
      if (options.equity !== undefined) await writeTable(options.equity, equityTable(run), marking(options));
      if (options.report !== undefined) {
        const { renderTearSheet } = await import('../../report/index.js'); // few runs want a page
        await writePage(options.report, renderTearSheet(buildTearSheet(run)));
      }
      if (options.json) await printResult(run.result, equityPoints(run), options);
      else show(run.result, options);
      refuseUnlessAllowed(refusedRules(run.result), options);
    });
}

const refusedRules = ({ denied_signals }: Pick<BacktestResult, 'denied_signals'>): string[] =>
  denied_signals.map(({ side, name, message }) => `${side} rule ${name}: ${message}`);

async function runSeveral(assets: AssetList, options: Options, environment: Environment): Promise<void> {
  const { by } = readRanking(options.by === undefined ? {} : { by: options.by });
  if (options.report !== undefined) {
    throw new EngineError('INVALID_FIELD', 'report must be left out with several assets: a tear sheet is of one', {
      field: 'report',
    });
  }
  const request = await readRunRequest(options);
  const ledger = openTries(environment.home);
  const sweeps = await ledger.sweeps();
  const { trades, equity } = options;
  const tables = { trades: [] as TableColumn[][], equity: [] as TableColumn[][] };
  let bar: ReturnType<typeof progress> | undefined;
  const across = await backtestAssets(
    request,
    {
      ...{ assets, by },
      triedOn: async (asset) => ({ tries: await ledger.read(asset), sweeps: sweeps.get(asset) ?? [] }),
      async onRun(run, total) {
        bar ??= progress(total, 'assets');
        bar.step();
        if (options.record) await recordRun(run, environment);
        if (trades !== undefined) tables.trades.push(tradeTable(run.result));
        if (equity !== undefined) tables.equity.push(withAsset(run));
      },
    },
    openServices(environment),
  ).finally(() => bar?.stop());
  if (trades !== undefined) await writeTable(trades, joinRows(tables.trades), marking(options));
  if (equity !== undefined) await writeTable(equity, joinRows(tables.equity), marking(options));
  if (options.json) printJson(acrossRecord(across));
  else for (const line of acrossLines(across)) print(line);
  if (trades !== undefined) note(`trades written to ${trades}`);
  if (equity !== undefined) note(`equity written to ${equity}`);
  const refused = across.ranked.flatMap(({ facts }) => refusedRules(facts).map((text) => `${facts.asset}: ${text}`));
  refuseUnlessAllowed(refused, options);
}

/** The equity of a run, with its asset in every row. */
function withAsset(run: BacktestRun): TableColumn[] {
  const columns = equityTable(run);
  const asset: TableColumn = {
    name: 'asset',
    type: 'text',
    values: new Array(columns[0]?.values.length ?? 0).fill(run.result.asset),
  };
  return [asset, ...columns];
}

function show(result: BacktestResult, { trades, equity, report }: Options): void {
  for (const line of summaryLines(result)) print(line);
  if (trades !== undefined) note(`trades written to ${trades}`);
  if (equity !== undefined) note(`equity written to ${equity}`);
  if (report !== undefined) note(`tear sheet written to ${report}`);
}
