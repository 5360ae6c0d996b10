import { join, parse, resolve } from 'node:path';
import type { Command } from 'commander';
import { writePage } from '../../data/pages/index.js';
import { loadDuckDb, newExperimentId } from '../../data/sweeps/index.js';
import { defaultRanking } from '../../engine/sweep/index.js';
import { renderSweep, renderTearSheet } from '../../report/index.js';
import { buildTearSheet, runBacktest } from '../../research/backtest/index.js';
import { assessSweep, runSweep, sweepReport } from '../../research/sweep/index.js';
import type { Environment } from '../environment.js';
import { readJson } from '../inputs.js';
import { print } from '../output.js';
import { recordRun } from '../record-run.js';
import { openServices } from '../services.js';
import { summaryLines } from '../summary.js';
import { rankedLines, rankRuns } from '../sweep-view.js';

/**
 * A taker order on a large spot exchange costs about 0.1 % in fees. Half as much again covers
 * spread and slippage of small orders.
 */
const costs = { fee_pct: 0.001, slippage_pct: 0.0005 };

const afterword = [
  'These costs are typical for a taker on a large spot exchange: 0.1 % fee and 0.05 % slippage a leg. The',
  'defaults (0.85 % and 0.4 %) are pessimistic on purpose: about 2.5 % a round trip. To run with them:',
  '  npx barline backtest --strategy examples/btc-trend.json --interval 1h --start 2019-01-01',
];

export function addDemo(program: Command, environment: Environment): void {
  program
    .command('demo')
    .description('run a backtest and a small sweep on the bundled bars, each with its HTML page')
    .option('--report <file>', 'tear sheet to write; the page of the sweep goes beside it', 'demo.html')
    .action(async ({ report }: { report: string }) => {
      loadDuckDb(); // optional; without it the sweep below would be refused after the backtest
      const strategy = await readJson(join(environment.packageRoot, 'examples', 'btc-trend.json'), 'strategy');
      const request = { strategy, interval: '1h', window: { start: '2019-01-01' }, config: costs };
      const run = await runBacktest(request, openServices(environment));
      await recordRun(run, environment);
      await writePage(report, renderTearSheet(buildTearSheet(run)));
      for (const line of summaryLines(run.result)) print(line);
      print();
      print(`Tear sheet (open it in a browser): ${resolve(report)}`);
      for (const line of afterword) print(line);
      print();
      await sweepSome(environment, pageBeside(report));
    });
}

const SHOWN_RUNS = 5;

/** The page of the sweep goes beside the tear sheet: `demo-sweep.html` for `demo.html`. */
function pageBeside(report: string): string {
  const { dir, name, ext } = parse(report);
  return join(dir, `${name}-sweep${ext}`);
}

async function sweepSome(environment: Environment, page: string): Promise<void> {
  const experimentId = newExperimentId();
  const folder = join(environment.home, 'sweeps', experimentId);
  const outcome = await runSweep(
    {
      sweep: await readJson(join(environment.packageRoot, 'examples', 'sweeps', 'crosses.json'), 'plan'),
      folder,
      experimentId,
      isResumed: false,
      stop: new Int32Array(new SharedArrayBuffer(4)),
      onProgress: () => {},
    },
    openServices(environment),
  );
  const { prepared, runs } = outcome;
  const honesty = await assessSweep(prepared, folder, defaultRanking.by, { runs });
  await writePage(page, renderSweep(await sweepReport(outcome, defaultRanking.by, honesty)));
  print(`A sweep, ${outcome.done} of ${outcome.total} runs of examples/sweeps/crosses.json.`);
  print();
  for (const line of rankedLines(await rankRuns([folder], defaultRanking, SHOWN_RUNS))) print(line);
  print();
  print(`The best of many runs owes part of its result to luck. How much: ${resolve(page)}`);
  print('To query all rows with SQL:');
  print(`  npx barline results "SELECT avg(sharpe_ratio), max(sharpe_ratio) FROM results" --sweep ${folder}`);
}
