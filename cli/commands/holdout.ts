import type { Command } from 'commander';
import { openRuns } from '../../data/runs/index.js';
import { openHoldouts, openTries } from '../../data/tries/index.js';
import { EngineError } from '../../engine/errors.js';
import type { MetricName, Metrics } from '../../engine/metrics/index.js';
import { type HeldOut, heldOutText } from '../../engine/sweep/index.js';
import { openHeldOut } from '../../research/backtest/index.js';
import { openHeldOutPortfolio } from '../../research/portfolio/index.js';
import type { Environment } from '../environment.js';
import { count, headedTable, percent, print, printJson } from '../output.js';
import { readPortfolioRequest } from '../portfolio-file.js';
import { portfolioLines } from '../portfolio-view.js';
import { addRunOptions, type RunOptions, readRunRequest } from '../run-options.js';
import { openServices } from '../services.js';
import { statedText, summaryLines } from '../summary.js';

interface JsonOption {
  readonly json?: boolean;
}

export function addHoldout(program: Command, environment: Environment): void {
  const holdout = program
    .command('holdout')
    .description('days that no run may touch until they are opened, once; a sweep holds them out by `holdout`');
  addList(holdout, environment);
  addShow(holdout, environment);
  addOpen(holdout, environment);
}

function addList(holdout: Command, environment: Environment): void {
  holdout
    .command('list')
    .description('list the days that this home holds out, and those that it opened')
    .option('--json', 'print JSON')
    .action(async ({ json }: JsonOption) => {
      const known = await openHoldouts(environment.home).list();
      if (json) {
        printJson(known);
        return;
      }
      const header = ['asset', 'from', 'to', 'days', 'held out on', 'opened on'];
      const rows = known.map(({ asset, from, to, days, declared_at, opening }) => [
        ...[asset, from, to, count(days), declared_at.slice(0, 10), opening?.opened_at.slice(0, 10) ?? '-'],
      ]);
      if (rows.length === 0) print('no days are held out');
      else
        for (const line of headedTable([header, ...rows], ['left', 'left', 'left', 'right', 'left', 'left']))
          print(line);
    });
}

const shown: readonly (readonly [MetricName, (value: number) => string])[] = [
  ['total_return', percent],
  ['sharpe_ratio', (value) => value.toFixed(2)],
  ['max_drawdown', percent],
  ['total_trades', count],
];

/** The facts of held-out days, for a terminal. */
function heldOutLines(days: HeldOut): string[] {
  const { declared_at, opening } = days;
  const lines = [`${heldOutText(days)}, held out on ${declared_at}`];
  if (opening === null) return [...lines, 'not opened: no run has traded them since'];
  lines.push(`opened on ${opening.opened_at}`);
  const { metrics } = opening;
  if (metrics === null) return [...lines, 'without a result: only the same run can be completed'];
  const figures = shown.map(([name, render]) => `${name} ${statedText(name, metrics as Metrics, render)}`);
  return [...lines, figures.join(', ')];
}

function addShow(holdout: Command, environment: Environment): void {
  holdout
    .command('show')
    .description('show the held-out days of an asset, and what they gave when they were opened')
    .argument('<asset>', 'asset, such as BTC')
    .option('--json', 'print JSON')
    .action(async (asset: string, { json }: JsonOption) => {
      const known = await openHoldouts(environment.home).of(asset);
      if (known.length === 0)
        throw new EngineError('NOT_FOUND', `no days of ${asset} are held out`, { field: 'asset' });
      if (json) printJson(known);
      else for (const line of known.flatMap(heldOutLines)) print(line);
    });
}

interface OpenOptions extends RunOptions, JsonOption {
  readonly portfolio?: string;
}

function addOpen(holdout: Command, environment: Environment): void {
  addRunOptions(holdout.command('open'))
    .description('open the held-out days of an asset for one strategy or portfolio; a second opening is refused')
    .option('--portfolio <file>', 'JSON file of a portfolio, for which the days of all its assets are opened')
    .option('--json', 'print the whole result as JSON')
    .action(async (options: OpenOptions) => {
      const { heldOut: _, ...services } = openServices(environment);
      const ledger = openTries(environment.home);
      const holdouts = openHoldouts(environment.home);
      const opened = { ...services, holdouts, ledger, nowMs: Date.now() };
      if (options.portfolio !== undefined) {
        const { days, run } = await openHeldOutPortfolio(
          await readPortfolioRequest(options.portfolio, options),
          opened,
        );
        await openRuns(environment.home).save(run.result.manifest.run_id, { manifest: run.result.manifest });
        if (options.json) printJson({ holdout: days, ...run.result });
        else for (const line of [...portfolioLines(run.result), '', ...days.map(openedText)]) print(line);
        return;
      }
      const { days, run } = await openHeldOut(await readRunRequest(options), opened);
      await openRuns(environment.home).save(run.result.manifest.run_id, run.result.manifest);
      if (options.json) {
        printJson({ holdout: days, ...run.result });
        return;
      }
      for (const line of summaryLines(run.result)) print(line);
      print();
      print(openedText(days));
    });
}

const openedText = (days: HeldOut): string =>
  `${heldOutText(days)} are opened and stay so: any further run on them tests nothing new`;
