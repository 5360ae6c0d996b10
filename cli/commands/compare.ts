import type { Command } from 'commander';
import { checkPagePath, writePage } from '../../data/pages/index.js';
import { EngineError, type MetricName } from '../../engine/index.js';
import { RUNS_MAX, renderComparison } from '../../report/index.js';
import { type BacktestRun, shortWindowCaution, tearSheetOf } from '../../research/backtest/index.js';
import { accountSheetOf, type PortfolioRun } from '../../research/portfolio/index.js';
import type { Environment } from '../environment.js';
import { amount, blocks, count, percent, plural, print, printJson } from '../output.js';
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
      if (report !== undefined) await writePage(report, renderComparison(runs.map(sheetOf)));
      if (json) printJson({ runs: runs.map(({ result }) => result), warnings });
      else for (const line of [...comparisonOf(runs), ...warnings, ...cautions]) print(line);
    });
}

type ComparedRun = BacktestRun | PortfolioRun;

const isPortfolio = (run: ComparedRun): run is PortfolioRun => 'portfolio' in run.result;
const sheetOf = (run: ComparedRun) => (isPortfolio(run) ? accountSheetOf(run) : tearSheetOf(run));

type Cell = (run: ComparedRun) => string;
const metric =
  (name: MetricName, render: (value: number) => string): Cell =>
  ({ result }) =>
    statedText(name, result.metrics, render);
const ratio = (value: number): string => value.toFixed(2);

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

/** One column per run, then the settings that differ between the runs. */
function comparisonOf(runs: readonly ComparedRun[]): string[] {
  const cells = rows.map(([label, cell]) => [label, ...runs.map(cell)]);
  const configs = runs.map(({ result }): Readonly<Record<string, unknown>> => result.execution_config);
  // biome-ignore lint/style/noNonNullAssertion: the command requires at least two runs
  const differing = Object.keys(configs[0]!).filter((name) => {
    const values = configs.map((config) => JSON.stringify(config[name]));
    return values.some((value) => value !== values[0]);
  });
  const settings = differing.map((name) => [name, ...configs.map((config) => JSON.stringify(config[name]) ?? '-')]);
  return blocks([...cells, ...settings], ['left', ...runs.map(() => 'right' as const)]);
}
