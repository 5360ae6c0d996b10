import type { Command } from 'commander';
import { checkPagePath, writePage } from '../../data/pages/index.js';
import { EngineError } from '../../engine/errors.js';
import type { MetricName } from '../../engine/metrics/index.js';
import {
  type ComparedRow,
  comparedDrawdowns,
  comparedRules,
  comparedSettings,
  plainSpaces,
  RUNS_MAX,
  renderComparison,
  type TearSheet,
} from '../../report/index.js';
import { type BacktestRun, buildTearSheet, shortWindowCaution } from '../../research/backtest/index.js';
import { buildAccountSheet, type PortfolioRun } from '../../research/portfolio/index.js';
import type { Environment } from '../environment.js';
import { amount, count, percent, plural, print, printJson, table, terminalWidth, wrapped } from '../output.js';
import { readSignals, signalsHelp } from '../run-options.js';
import { statedText } from '../summary.js';
import { replayedPortfolio, replayNamed } from './replay.js';

interface Options {
  readonly report?: string;
  readonly signals?: readonly string[];
  readonly json?: boolean;
}

export function addCompare(program: Command, environment: Environment): void {
  program
    .command('compare')
    .description('compare runs side by side, of strategies and portfolios; each is run again from its record')
    .argument('<runs...>', 'run ids, or JSON files of runs')
    .option('--report <file>', 'write the comparison as one HTML file that opens from disk')
    .option('--signals <module...>', signalsHelp)
    .option('--json', 'print JSON')
    .action(async (names: string[], { report, signals, json }: Options) => {
      if (names.length < 2 || names.length > RUNS_MAX) {
        throw new EngineError('INVALID_FIELD', `compare takes 2..${RUNS_MAX} runs, was ${names.length}`);
      }
      if (report !== undefined) await checkPagePath(report);
      const own = await readSignals(signals);
      const runs: ComparedRun[] = [];
      const warnings: string[] = [];
      for (const name of names) {
        const portfolio = await replayedPortfolio(name, environment);
        if (portfolio !== null) {
          runs.push(portfolio.run);
          warnings.push(...portfolio.warnings);
          continue;
        }
        const { recorded, replayed } = await replayNamed(name, environment, own);
        const { run, isReproduced, changes } = replayed;
        if (!isReproduced)
          warnings.push(`${recorded.run_id} came out differently than recorded: ${changes.join('; ')}`);
        runs.push(run);
      }
      const cautions = runs.flatMap(({ result }) => {
        const caution = shortWindowCaution(result.metrics);
        return caution === null ? [] : [`${result.manifest.run_id}: ${caution}`];
      });
      const sheets = runs.map(buildSheet);
      if (report !== undefined) await writePage(report, renderComparison(sheets));
      if (json) printJson({ runs: runs.map(({ result }) => result), warnings });
      else for (const line of [...comparisonLines(runs, sheets), ...warnings, ...cautions]) print(line);
    });
}

type ComparedRun = BacktestRun | PortfolioRun;

const isPortfolio = (run: ComparedRun): run is PortfolioRun => 'portfolio' in run.result;
const buildSheet = (run: ComparedRun) => (isPortfolio(run) ? buildAccountSheet(run) : buildTearSheet(run));

type Cell = (run: ComparedRun) => string;
const metric =
  (name: MetricName, render: (value: number) => string): Cell =>
  ({ result }) =>
    statedText(name, result.metrics, render);
const ratio = (value: number): string => value.toFixed(2);

/** Rows that say which run a column is. */
const namesRun: ReadonlySet<string> = new Set(['strategy', 'run']);

const rows: readonly (readonly [label: string, cell: Cell])[] = [
  ['strategy', ({ result }) => ('portfolio' in result ? result.portfolio : result.strategy)],
  [
    'series',
    ({ result }) =>
      `${'portfolio' in result ? plural(result.members.length, result.kind === 'members' ? 'member' : 'asset') : result.asset} ${result.interval}`,
  ],
  ['from', ({ result }) => result.window.start.slice(0, 10)],
  ['to', ({ result }) => result.window.end.slice(0, 10)],
  ['balance', metric('ending_balance', amount)],
  ['total return', metric('total_return', percent)],
  ['per year', metric('irr_annualized', percent)],
  ['buy and hold', metric('benchmark_asset_return', percent)],
  ['max drawdown', metric('max_drawdown', percent)],
  ['Sharpe', metric('sharpe_ratio', ratio)],
  ['Sortino', metric('sortino_ratio', ratio)],
  ['Calmar', metric('calmar_ratio', ratio)],
  ['trades', metric('total_trades', count)],
  ['win rate', metric('win_rate', (value) => percent(value, 1))],
  ['profit factor', metric('profit_factor', ratio)],
  ['expectancy', metric('expectancy', amount)],
  ['in the market', metric('exposure', (value) => percent(value, 1))],
  ['fees paid', metric('total_fees', amount)],
  ['run', ({ result }) => result.manifest.run_id],
];

/** Columns of a pipe or a file. */
const WIDTH = 100;
/** Columns for a run with its rules, beside the labels. */
const RUN_WIDTH = 32;

/**
 * One column per run, as many beside each other as fit: the differences above, the equal facts
 * below.
 */
function comparisonLines(runs: readonly ComparedRun[], sheets: readonly TearSheet[]): string[] {
  const facts = rows.map(([label, cell]): ComparedRow => [label, runs.map(cell)]);
  const isAlike = ([label, texts]: ComparedRow): boolean =>
    !namesRun.has(label) && texts.every((text) => text === texts[0]);
  const alike = facts.filter(isAlike).map(([label, [text]]) => `${label} ${text}`);
  const shown = [
    ...facts.filter((row) => !isAlike(row)),
    ...[...comparedDrawdowns(sheets), ...comparedRules(sheets), ...comparedSettings(sheets)].map(
      ([label, texts]): ComparedRow => [label, texts.map(plainSpaces)],
    ),
  ];
  const width = Number.isFinite(terminalWidth()) ? terminalWidth() : WIDTH;
  const beside = Math.max(1, Math.floor(width / RUN_WIDTH));
  const lines = alike.length === 0 ? [] : [...wrapped(`alike in all: ${alike.join(', ')}`, width), ''];
  for (let from = 0; from < runs.length; from += beside) {
    const part = shown.map(([label, texts]) => [label, ...texts.slice(from, from + beside)]);
    lines.push(...(from === 0 ? [] : ['']), ...table(part, ['left', ...runs.map(() => 'end' as const)], width));
  }
  return lines;
}
