import type { Command } from 'commander';
import { checkPagePath, writePage } from '../../data/pages/index.js';
import { checkTablePath, writeTable } from '../../data/tables/index.js';
import {
  type BacktestResult,
  equityTable,
  runBacktest,
  tearSheetOf,
  tradeTable,
} from '../../research/backtest/index.js';
import type { Environment } from '../environment.js';
import { note, print, printJson } from '../output.js';
import { recordRun } from '../record-run.js';
import { addRefusalOption, type RefusalOptions, refuseUnlessAllowed } from '../refused-rules.js';
import { addRunOptions, type RunOptions, readRunRequest } from '../run-options.js';
import { openServices } from '../services.js';
import { summaryOf } from '../summary.js';

interface Options extends RunOptions, RefusalOptions {
  readonly trades?: string;
  readonly equity?: string;
  readonly report?: string;
  readonly record: boolean;
  readonly json?: boolean;
}

export function addBacktest(program: Command, environment: Environment): void {
  addRefusalOption(addRunOptions(program.command('backtest')))
    .description('run one strategy over stored bars or a file of bars')
    .option('--trades <file>', 'write the trades to a .csv, .parquet or .arrow file')
    .option('--equity <file>', 'write the equity curve to a .csv, .parquet or .arrow file')
    .option('--report <file>', 'write a tear sheet: one HTML file that opens from disk')
    .option('--no-record', 'do not save a record for replay and compare, nor count the run as a try')
    .option('--json', 'print the whole result as JSON')
    .action(async (options: Options) => {
      for (const path of [options.trades, options.equity]) if (path !== undefined) await checkTablePath(path);
      if (options.report !== undefined) await checkPagePath(options.report);
      const run = await runBacktest(await readRunRequest(options), openServices(environment));
      if (options.record) await recordRun(run, environment);
      if (options.trades !== undefined) await writeTable(options.trades, tradeTable(run.result));
      if (options.equity !== undefined) await writeTable(options.equity, equityTable(run));
      if (options.report !== undefined) {
        const { renderTearSheet } = await import('../../report/index.js'); // few runs want a page
        await writePage(options.report, renderTearSheet(tearSheetOf(run)));
      }
      if (options.json) printJson({ ...run.result, equity: run.renderEquity() });
      else show(run.result, options);
      const refused = run.result.denied_signals.map(({ side, name, message }) => `${side} rule ${name}: ${message}`);
      refuseUnlessAllowed(refused, options);
    });
}

function show(result: BacktestResult, { trades, equity, report }: Options): void {
  for (const line of summaryOf(result)) print(line);
  if (trades !== undefined) note(`trades written to ${trades}`);
  if (equity !== undefined) note(`equity written to ${equity}`);
  if (report !== undefined) note(`tear sheet written to ${report}`);
}
