import type { Command } from 'commander';
import { checkPagePath, writePage } from '../../data/pages/index.js';
import { checkTablePath, writeTable } from '../../data/tables/index.js';
import {
  buildPortfolioSheet,
  type PortfolioRun,
  portfolioContributionsTable,
  portfolioEquityTable,
  portfolioTradeTable,
  portfolioWeightsTable,
  runPortfolio,
} from '../../research/portfolio/index.js';
import { type CurveOptions, checkCurve, curveOption, printResult } from '../curve-option.js';
import type { Environment } from '../environment.js';
import { note, print } from '../output.js';
import { marking, plainTimes, type TimeOptions } from '../plain-times.js';
import { readPortfolioRequest } from '../portfolio-file.js';
import { portfolioLines } from '../portfolio-view.js';
import { recordPortfolio } from '../record-run.js';
import {
  addRefusalOption,
  addWindowOptions,
  type RefusalOptions,
  type RunOptions,
  refuseUnlessAllowed,
  type WindowOptions,
} from '../run-options.js';
import { openServices } from '../services.js';

interface Options
  extends RefusalOptions,
    Pick<RunOptions, 'interval' | 'config'>,
    WindowOptions,
    TimeOptions,
    CurveOptions {
  readonly trades?: string;
  readonly equity?: string;
  readonly weights?: string;
  readonly contributions?: string;
  readonly report?: string;
  readonly record: boolean;
}

/** The files of tables that an option names, and what each holds. */
const tables = {
  trades: ({ result }: PortfolioRun) => portfolioTradeTable(result),
  equity: portfolioEquityTable,
  weights: portfolioWeightsTable,
  contributions: portfolioContributionsTable,
} as const;
type TableName = keyof typeof tables;

export function addPortfolio(program: Command, environment: Environment): void {
  const command = addRefusalOption(program.command('portfolio'))
    .description('run one account over many assets: members with rules, or weights that are rebalanced')
    .argument('<file>', 'JSON file of the portfolio (- for standard input); a strategy may be the path of its file')
    .option('--interval <length>', "length of a bar, such as 1h, 1d (default: the portfolio's own)");
  addWindowOptions(command)
    .option('--config <item...>', 'execution settings for all members: JSON files or key=value pairs; later ones win')
    .option('--trades <file>', 'write the trades to a .csv, .parquet or .arrow file')
    .option('--equity <file>', 'write the equity curve to a .csv, .parquet or .arrow file')
    .option('--weights <file>', 'write what part of the account each member is, at each close')
    .option('--contributions <file>', 'write what each member has earned so far, at each close')
    .option(...plainTimes)
    .option('--report <file>', 'write its page: one HTML file that opens from disk')
    .option('--no-record', 'do not save a record for replay and compare, nor count the run as a try')
    .option('--json', 'print the result as JSON')
    .option(...curveOption)
    .action(async (file: string, options: Options) => {
      const wanted = (Object.keys(tables) as TableName[]).flatMap((name) => {
        const path = options[name];
        return path === undefined ? [] : [{ name, path }];
      });
      for (const { path } of wanted) await checkTablePath(path);
      if (options.report !== undefined) await checkPagePath(options.report);
      checkCurve(options);
      const run = await runPortfolio(await readPortfolioRequest(file, options), openServices(environment));
      if (options.record) await recordPortfolio(run, environment);
      for (const { name, path } of wanted) await writeTable(path, tables[name](run), marking(options));
      if (options.report !== undefined) {
        const { renderPortfolio } = await import('../../report/index.js'); // few runs want a page
        await writePage(options.report, renderPortfolio(buildPortfolioSheet(run)));
      }
      if (options.json) await printResult(run.result, run.simulation.equity, options);
      else for (const line of portfolioLines(run.result)) print(line);
      for (const { name, path } of wanted) note(`${name} written to ${path}`);
      if (options.report !== undefined) note(`page written to ${options.report}`);
      const refused = run.result.denied_signals.map(
        ({ member, side, name, message }) => `members[${member}]: ${side} rule ${name}: ${message}`,
      );
      refuseUnlessAllowed(refused, options);
    });
}
