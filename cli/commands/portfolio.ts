import { dirname } from 'node:path';
import type { Command } from 'commander';
import { checkPagePath, writePage } from '../../data/pages/index.js';
import { openRuns } from '../../data/runs/index.js';
import { checkTablePath, writeTable } from '../../data/tables/index.js';
import {
  type PortfolioResult,
  type PortfolioRun,
  portfolioContributionsTable,
  portfolioEquityTable,
  portfolioSheetOf,
  portfolioTradeTable,
  portfolioWeightsTable,
  runPortfolio,
} from '../../research/portfolio/index.js';
import type { Environment } from '../environment.js';
import { firstLine, parseWhole, readConfig, readJson } from '../inputs.js';
import { count, headedTable, money, note, percent, plural, print, printJson } from '../output.js';
import { withStrategies } from '../portfolio-file.js';
import { addRefusalOption, type RefusalOptions, refuseUnlessAllowed } from '../refused-rules.js';
import { MONTHS_MAX } from '../run-options.js';
import { openServices } from '../services.js';
import { countBy } from '../summary.js';
import { systemFault } from '../system-errors.js';

interface Options extends RefusalOptions {
  readonly interval?: string;
  readonly start?: string;
  readonly end?: string;
  readonly lookbackMonths?: string;
  readonly config?: readonly string[];
  readonly trades?: string;
  readonly equity?: string;
  readonly weights?: string;
  readonly contributions?: string;
  readonly report?: string;
  readonly record: boolean;
  readonly json?: boolean;
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
  addRefusalOption(program.command('portfolio'))
    .description('run one account over many assets: members with rules, or weights that are rebalanced')
    .argument('<file>', 'JSON file of the portfolio (- for standard input); a strategy may be the path of its file')
    .option('--interval <length>', "length of a bar, such as 1h, 1d (default: the portfolio's own)")
    .option('--start <time>', 'first day or time to trade (UTC)')
    .option('--end <time>', 'last day (included) or time (default: the last bar)')
    .option('--lookback-months <n>', 'start this many months before the end')
    .option('--config <item...>', 'execution settings for all members: JSON files or key=value pairs; later ones win')
    .option('--trades <file>', 'write the trades to a .csv, .parquet or .arrow file')
    .option('--equity <file>', 'write the equity curve to a .csv, .parquet or .arrow file')
    .option('--weights <file>', 'write what part of the account each member is, at each close')
    .option('--contributions <file>', 'write what each member has earned so far, at each close')
    .option('--report <file>', 'write its page: one HTML file that opens from disk')
    .option('--no-record', 'do not save a record for compare')
    .option('--json', 'print the whole result as JSON')
    .action(async (file: string, options: Options) => {
      const wanted = (Object.keys(tables) as TableName[]).flatMap((name) => {
        const path = options[name];
        return path === undefined ? [] : [{ name, path }];
      });
      for (const { path } of wanted) await checkTablePath(path);
      if (options.report !== undefined) await checkPagePath(options.report);
      const { interval, start, end, lookbackMonths: months } = options;
      const lookbackMonths = months === undefined ? undefined : parseWhole(months, 'lookback_months', 1, MONTHS_MAX);
      const run = await runPortfolio(
        {
          portfolio: await withStrategies(await readJson(file, 'portfolio'), dirname(file)),
          interval,
          window: { start, end, lookbackMonths },
          config: await readConfig(options.config ?? []),
        },
        openServices(environment),
      );
      if (options.record) await saveRecord(run, environment);
      for (const { name, path } of wanted) await writeTable(path, tables[name](run));
      if (options.report !== undefined) {
        const { renderPortfolio } = await import('../../report/index.js'); // few runs want a page
        await writePage(options.report, renderPortfolio(portfolioSheetOf(run)));
      }
      if (options.json) printJson({ ...run.result, equity: Array.from(run.simulation.equity) });
      else for (const line of summaryOf(run.result)) print(line);
      for (const { name, path } of wanted) note(`${name} written to ${path}`);
      if (options.report !== undefined) note(`page written to ${options.report}`);
      const refused = run.result.denied_signals.map(
        ({ member, side, name, message }) => `members[${member}]: ${side} rule ${name}: ${message}`,
      );
      refuseUnlessAllowed(refused, options);
    });
}

/** For `compare`. A failure only prints a note, because the result is still worth printing. */
async function saveRecord({ result }: PortfolioRun, environment: Environment): Promise<void> {
  try {
    await openRuns(environment.home).save(result.manifest.run_id, { manifest: result.manifest });
  } catch (error) {
    note(`barline: record not saved: ${(await systemFault(error, environment)) ?? firstLine(String(error))}`);
  }
}

/** Said where the members do not trade over the same window. */
function sharedText({ shared_window: shared, window, members }: PortfolioResult): string {
  if (members.length === 1) return '';
  if (shared === null) return '; at no time do all members trade';
  if (shared.start === window.start && shared.end === window.end) return ', all members throughout';
  return `; all members from ${day(shared.start)} to ${day(shared.end)}`;
}

const day = (time: string): string => time.replace(/:00Z$/, 'Z').replace('T', ' ');
const ratio = (value: number | null): string => (value === null ? '-' : value.toFixed(2));

/** Summary of a portfolio for a terminal. */
function summaryOf(result: PortfolioResult): string[] {
  const { metrics, members, data, window } = result;
  const what = result.kind === 'members' ? plural(members.length, 'member') : plural(members.length, 'asset');
  const lines = [
    `${result.portfolio}: ${what} on ${result.interval}`,
    `${day(window.start)} to ${day(window.end)}, ${plural(result.times, 'time')}${sharedText(result)}`,
    '',
    ...headedTable(
      [
        ['', 'account', 'evenly held'],
        ['total return', percent(Number(metrics.total_return)), percent(Number(metrics.benchmark_asset_return))],
        ['per year', percent(Number(metrics.irr_annualized)), ''],
        ['max drawdown', percent(Number(metrics.max_drawdown)), ''],
        ['Sharpe', ratio(metrics.sharpe_ratio), ''],
        ['balance', `${money(Number(metrics.starting_balance))} -> ${money(Number(metrics.ending_balance))}`, ''],
      ],
      ['left', 'right', 'right'],
    ),
    '',
    ...headedTable(
      [
        ['asset', 'strategy', 'trades', 'profit', 'share', 'exposure', 'in the market'],
        ...members.map((member, m) => [
          member.asset,
          data[m]?.strategy ?? '-',
          count(member.trades),
          money(member.profit),
          member.share_of_return === null ? '-' : percent(member.share_of_return, 0),
          percent(member.exposure, 1),
          percent(member.time_in_market, 1),
        ]),
      ],
      ['left', 'left', 'right', 'right', 'right', 'right', 'right'],
    ),
    '',
    `turnover ${result.turnover.toFixed(2)}, largest exposure ${percent(result.largest_gross_exposure, 0)} gross, ${percent(result.largest_net_exposure, 0)} net`,
  ];
  if (result.denied_by_limits > 0)
    lines.push(`entries denied by limits of the portfolio: ${count(result.denied_by_limits)}`);
  const others = countBy(result.denied_entries.map(({ reason }) => reason));
  if (others !== '') lines.push(`entries denied: ${others}`);
  for (const warning of result.warnings) lines.push(`warning: ${warning}`);
  lines.push(`run ${result.manifest.run_id}`);
  return lines;
}
