import { dirname, join } from 'node:path';
import { writePage } from '../data/pages/index.js';
import { openSweepFolder, type ResultTable } from '../data/sweeps/index.js';
import { openTries } from '../data/tries/index.js';
import { EngineError } from '../engine/errors.js';
import { betterSide } from '../engine/metrics/index.js';
import type { Ranking } from '../engine/sweep/index.js';
import {
  bestPortfolios,
  isPortfolioRecord,
  isPortfolioSweep,
  type JudgedPortfolioSweep,
  judgedPortfolioSweep,
  type PortfolioSweepOutcome,
  portfolioSweepReport,
} from '../research/portfolio/sweep/index.js';
import type { SweepProgress, SweepRunner } from '../research/sweep/index.js';
import { saveLeader, withDefinitions } from './definition-file.js';
import type { Environment } from './environment.js';
import { count, note, plural, print, printJson } from './output.js';
import { readPortfolio, withStrategies } from './portfolio-file.js';
import { openServices } from './services.js';
import { powerWords, stoppedLine, tableLines, toRecords } from './sweep-view.js';

interface PortfolioSweepOptions {
  readonly top: number;
  readonly workers?: number;
  readonly json?: boolean;
  readonly report?: string;
  readonly saveLeader?: string;
  readonly service?: string;
  /** Options that do not apply to portfolios, as given. */
  readonly refused: Readonly<Record<string, unknown>>;
}

interface Surroundings {
  readonly folder: string;
  readonly experimentId: string;
  readonly runner: SweepRunner | undefined;
  readonly stop: Int32Array;
  readonly onProgress: (progress: SweepProgress) => void;
  readonly ranking: Ranking;
}

/** Whether a plan, or a sweep to resume, is one of portfolios. */
export async function isOfPortfolios(plan: unknown, folder: string): Promise<boolean> {
  if (plan !== null) return isPortfolioSweep(plan);
  return isPortfolioRecord(await openSweepFolder(folder).readRecord());
}

/** Strategies, and the portfolio itself, may be named by their files, from the folder of the plan. */
export async function withPortfolioFiles(plan: unknown, file: string): Promise<unknown> {
  if (!isPortfolioSweep(plan)) return plan;
  const { portfolio, ...rest } = plan as { portfolio: unknown };
  const read =
    typeof portfolio === 'string'
      ? readPortfolio(join(dirname(file), portfolio))
      : withStrategies(portfolio, dirname(file));
  return { ...rest, portfolio: await read };
}

/** Runs, judges and prints a sweep of portfolios. @returns whether all of it ran */
export async function sweepPortfolios(
  plan: unknown,
  options: PortfolioSweepOptions,
  { folder, experimentId, runner, stop, onProgress, ranking }: Surroundings,
  environment: Environment,
): Promise<boolean> {
  for (const [field, value] of Object.entries(options.refused)) {
    if (value === undefined) continue;
    throw new EngineError('INVALID_FIELD', `${field} must be left out with a sweep of portfolios`, { field });
  }
  const { home, packageRoot } = environment;
  const services = openServices(environment);
  const judged = await judgedPortfolioSweep(
    {
      ...{ sweep: plan, folder, experimentId, runner, stop, onProgress, ranking, threads: options.workers },
      ...{ home, sampleDir: join(packageRoot, 'sample') },
    },
    openTries(home),
    services,
    (power) => {
      if (options.json !== true) note(`barline: ${powerWords([power])}`);
    },
  );
  const { outcome, honesty } = judged;
  const { done, total } = outcome;
  if (options.report !== undefined) {
    const { renderSweep } = await import('../report/index.js'); // imported late: it is large
    await writePage(
      options.report,
      renderSweep(await portfolioSweepReport(outcome, judged.ranking, honesty, services)),
    );
  }
  const best = done === 0 ? null : await portfolioTable(outcome, judged.ranking, options.top);
  await show({ ...judged, best }, options);
  return done === total;
}

/** The best portfolios, with what the sweep varies. */
function portfolioTable(outcome: PortfolioSweepOutcome, ranking: Ranking, top: number): Promise<ResultTable> {
  const varied = outcome.prepared.plan.axes.map(({ column }) => `"${column}"`);
  const figures = ['total_trades', ranking.by, 'sharpe_ratio', 'total_return', 'max_drawdown', 'turnover'];
  return bestPortfolios(outcome, ranking, top, ['run_index', ...varied, ...new Set(figures)].join(', '));
}

async function show(
  { outcome, best, honesty, power, ranking }: JudgedPortfolioSweep & { readonly best: ResultTable | null },
  options: PortfolioSweepOptions,
): Promise<void> {
  const { folder, total, done, experimentId, planHash, warnings, prepared } = outcome;
  const { by, minTrades } = ranking;
  const { json, report } = options;
  await saveLeader(folder, best === null ? [] : toRecords(best), options);
  const allWarnings = [...new Set([...warnings, ...(honesty?.warnings ?? [])])];
  if (json) {
    const { withWords } = await import('../report/index.js'); // imported late: it is large
    printJson({
      ...{ experiment_id: experimentId, folder, total_runs: total, completed_runs: done, plan_hash: planHash },
      warnings: allWarnings,
      power: power === null ? [] : [power],
      ranking: { by, min_trades: minTrades },
      varied: prepared.plan.axes.map(({ param, column, values }) => ({ param, column, values })),
      top: best === null ? [] : await withDefinitions([folder], toRecords(best)),
      honesty: honesty === null ? [] : [withWords(honesty)],
    });
    return;
  }
  for (const warning of allWarnings) note(`barline: ${warning}`);
  print(`${count(done)} of ${plural(total, 'portfolio')} in ${folder}`);
  if (done < total) print(stoppedLine(folder, options));
  if (best !== null && best.rows.length > 0) {
    const where = prepared.plan.walkForward === null ? '' : ' in the newest training window';
    print();
    print(`The best ${count(best.rows.length)} portfolios${where}, by ${by} (${betterSide(by)} is better)`);
    const parameters = prepared.plan.axes.map(({ column }) => column);
    for (const line of tableLines(best, { parameters, beside: [] })) print(line);
  } else if (done > 0) print('No portfolio traded, so there is nothing to rank.');
  if (honesty !== null) {
    const { assessmentLines } = await import('./assessment-view.js'); // imported late: it is large
    for (const line of ['', ...assessmentLines(honesty, 'the assets evenly')]) print(line);
  }
  if (report !== undefined) note(`page of the sweep written to ${report}`);
}
