import type { Command } from 'commander';
import { checkPagePath, writePage } from '../../data/pages/index.js';
import { openRuns } from '../../data/runs/index.js';
import { checkTablePath, writeTable } from '../../data/tables/index.js';
import { renderTearSheet } from '../../report/index.js';
import { type BacktestRun, equityTable, runBacktest, tearSheetOf, tradeTable } from '../../service/index.js';
import type { Environment } from '../environment.js';
import { firstLine } from '../inputs.js';
import { note, print, printJson } from '../output.js';
import { addRunOptions, type RunOptions, readRunRequest } from '../run-options.js';
import { openServices } from '../services.js';
import { summaryOf } from '../summary.js';

interface Options extends RunOptions {
  readonly trades?: string;
  readonly equity?: string;
  readonly report?: string;
  readonly record: boolean;
  readonly json?: boolean;
}

export function addBacktest(program: Command, environment: Environment): void {
  addRunOptions(program.command('backtest'))
    .description('run one strategy over stored bars or a file of bars')
    .option('--trades <file>', 'write the trades to a .csv, .parquet or .arrow file')
    .option('--equity <file>', 'write the equity curve to a .csv, .parquet or .arrow file')
    .option('--report <file>', 'write a tear sheet: one HTML file that opens from disk')
    .option('--no-record', 'keep no record for replay')
    .option('--json', 'print the whole result as JSON')
    .action(async (options: Options) => {
      for (const path of [options.trades, options.equity]) if (path !== undefined) await checkTablePath(path);
      if (options.report !== undefined) await checkPagePath(options.report);
      const run = await runBacktest(await readRunRequest(options), openServices(environment));
      if (options.record) await record(run, environment);
      if (options.trades !== undefined) await writeTable(options.trades, tradeTable(run.result));
      if (options.equity !== undefined) await writeTable(options.equity, equityTable(run));
      if (options.report !== undefined) await writePage(options.report, renderTearSheet(tearSheetOf(run)));
      if (options.json) {
        printJson({ ...run.result, equity: run.renderEquity() });
        return;
      }
      for (const line of summaryOf(run.result)) print(line);
      if (options.trades !== undefined) note(`trades written to ${options.trades}`);
      if (options.equity !== undefined) note(`equity written to ${options.equity}`);
      if (options.report !== undefined) note(`tear sheet written to ${options.report}`);
    });
}

/** A result is worth printing even where its record cannot be kept. */
async function record({ result: { manifest } }: BacktestRun, { home }: Environment): Promise<void> {
  try {
    await openRuns(home).save(manifest.run_id, manifest);
  } catch (error) {
    note(`barline: no record kept: ${firstLine(String(error))}`);
  }
}
