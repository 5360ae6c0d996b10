import { join } from 'node:path';
import type { Command } from 'commander';
import { checkPagePath, writePage } from '../../data/pages/index.js';
import { listSweeps, newExperimentId } from '../../data/sweeps/index.js';
import { openTries } from '../../data/tries/index.js';
import { EngineError } from '../../engine/errors.js';
import { whyWithout } from '../../engine/metrics/index.js';
import {
  type Assessment,
  leadersFirst,
  MIN_TRADES,
  MIN_TRADES_MAX,
  madeOf,
  type Ranking,
  type SearchPower,
} from '../../engine/sweep/index.js';
import { isPortfolioSweep } from '../../research/portfolio/sweep/index.js';
import {
  assessSweep,
  outcomeRuns,
  overAssets,
  overWindow,
  rankedBy,
  recordAssessed,
  recordTries,
  runSweep,
  type SweepOutcome,
  type SweepProgress,
  type SweepRunner,
  searchPower,
  sweepReport,
} from '../../research/sweep/index.js';
import { assessedInFull, datasetLines } from '../across-view.js';
import { saveLeader, withDefinitions } from '../definition-file.js';
import type { Environment } from '../environment.js';
import { parseWhole, readJson } from '../inputs.js';
import { count, note, print, printJson } from '../output.js';
import { isOfPortfolios, sweepPortfolios, withPortfolioFiles } from '../portfolio-sweep.js';
import { openBar } from '../progress.js';
import {
  addWindowOptions,
  assetsHelp,
  readAssets,
  readSignals,
  readWindow,
  signalsHelp,
  type WindowOptions,
} from '../run-options.js';
import { openServices } from '../services.js';
import { sweepService } from '../sweep-service.js';
import { powerWords, rankedLines, rankedRecords, rankRuns, readRanking, stoppedLine, TOP_MAX } from '../sweep-view.js';

interface Options extends WindowOptions {
  readonly asset?: string;
  readonly out?: string;
  readonly workers?: number;
  readonly resume?: boolean;
  readonly top: number;
  readonly by?: string;
  readonly minTrades?: number;
  readonly report?: string;
  readonly saveLeader?: string;
  readonly signals?: readonly string[];
  readonly service?: string;
  readonly key?: string;
  readonly json?: boolean;
}

const WORKERS_MAX = 64;
const EXIT_INTERRUPTED = 130;

export function addSweep(program: Command, environment: Environment): void {
  const command = program
    .command('sweep')
    .description('run every configuration of a plan, or resume a stopped sweep')
    .argument('[plan]', 'JSON file of the plan; not needed with --resume')
    .option('--asset <name>', `${assetsHelp}, at the timeframes of the plan (default: the datasets of the plan)`);
  addWindowOptions(command)
    .option('--out <folder>', 'folder for the sweep and its rows')
    .option(
      '--workers <n>',
      `most threads to use, 1..${WORKERS_MAX} (default: one per processor); a short sweep uses fewer`,
      (text) => parseWhole(text, 'workers', 1, WORKERS_MAX),
    )
    .option('--resume', 'resume the sweep in --out (default: the latest sweep)')
    .option('--top <n>', 'number of best runs to print', (text) => parseWhole(text, 'top', 1, TOP_MAX), 10)
    .option(
      '--by <metric>',
      'metric that ranks the runs, the better end first (default: sharpe_ratio, or that of walk_forward)',
    )
    .option(
      '--min-trades <n>',
      `trades that a leader needs (default: ${MIN_TRADES}); runs with fewer rank last and are marked *`,
      (text) => parseWhole(text, 'min-trades', 0, MIN_TRADES_MAX),
    )
    .option('--report <file>', 'write a page of the sweep: one HTML file that opens from disk')
    .option('--save-leader <file>', 'write the strategy or portfolio that leads, with its settings, as a file to run')
    .option('--signals <module...>', signalsHelp)
    .option('--service <url>', 'run it on a service, at the address of its REST API, and bring the rows here')
    .option('--key <key>', 'API key for that service; better in BARLINE_API_KEY, which other users cannot read')
    .option('--json', 'print JSON')
    .action((plan: string | undefined, options: Options) => sweep(plan, options, environment));
}

async function sweep(plan: string | undefined, options: Options, environment: Environment): Promise<void> {
  const asked = readRanking(options);
  const isResumed = options.resume === true;
  if (plan === undefined && !isResumed) throw new EngineError('MISSING_FIELD', 'a plan is required: a JSON file');
  if (options.report !== undefined) await checkPagePath(options.report);
  if (isResumed) refuseOtherBars(options);
  if (options.service !== undefined) refuseAtService(options);
  else if (options.key !== undefined) {
    throw new EngineError('INVALID_FIELD', '--key must be left out without --service', { field: 'key' });
  }
  const experimentId = newExperimentId();
  const folder =
    options.out ?? (isResumed ? await latestSweep(environment) : join(environment.home, 'sweeps', experimentId));
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const release = stopOnInterrupt(stop, options);
  const bar = progressBar();
  const runner = readRunner(options, { stop, onProgress: bar.show }, environment);
  const ledger = openTries(environment.home);
  let power: readonly SearchPower[] = [];
  try {
    // biome-ignore lint/style/noNonNullAssertion: the command refuses to start without a plan
    const given = isResumed ? null : await readPlan(plan!, options, environment);
    if (await isOfPortfolios(given, folder)) {
      const { asset, signals } = options;
      const isWhole = await sweepPortfolios(
        given,
        { ...options, refused: { asset, signals } },
        { folder, experimentId, runner, stop, onProgress: bar.show, ranking: asked },
        environment,
      );
      if (!isWhole) process.exitCode = EXIT_INTERRUPTED;
      return;
    }
    const services = openServices(environment);
    const own = await readSignals(options.signals);
    const outcome = await runSweep(
      {
        sweep: given,
        folder,
        experimentId,
        threads: options.workers,
        isResumed,
        runner,
        stop,
        onProgress: bar.show,
        ranking: asked,
        own,
        onPlanned: async (planned, into) => {
          power = await searchPower(planned, into, ledger);
          if (options.json === true) return;
          for (const { words } of madeOf(planned.definition)) note(`barline: ${words}`);
          note(`barline: ${powerWords(power)}`);
        },
      },
      services,
    );
    bar.end();
    const { prepared } = outcome;
    const ranking = { ...asked, by: rankedBy(prepared, asked.by) };
    const { by, minTrades } = ranking;
    if (options.by !== undefined && by !== asked.by) {
      note(`barline: this sweep walks forward, so its runs are ranked by the metric of its choices, ${by}`);
    }
    const runs = await outcomeRuns(outcome, by);
    const triedBefore = await recordTries(prepared, runs, ledger);
    const honesty = await assessSweep(prepared, outcome.folder, by, {
      minTrades,
      triedBefore,
      threads: options.workers,
      runs,
    });
    await recordAssessed(prepared, honesty, ledger);
    if (options.report !== undefined) {
      const { renderSweep } = await import('../../report/index.js');
      await writePage(
        options.report,
        renderSweep(await sweepReport(outcome, by, honesty, { minTrades, services, own })),
      );
    }
    await show({ ...outcome, power }, bar.last(), honesty, ranking, options);
    if (outcome.done < outcome.total) process.exitCode = EXIT_INTERRUPTED;
  } finally {
    bar.end();
    release();
  }
}

function refuseOtherBars({ asset, start, end, lookbackMonths: lookback_months }: Options): void {
  for (const [field, value] of Object.entries({ asset, start, end, lookback_months })) {
    if (value === undefined) continue;
    const message = `${field} must be left out with --resume: a sweep goes on with its datasets`;
    throw new EngineError('INVALID_FIELD', message, { field });
  }
}

/** What a service cannot do for a sweep. */
function refuseAtService({ resume, signals }: Options): void {
  const refused = (option: string, why: string) =>
    new EngineError('INVALID_FIELD', `${option} must be left out with --service: ${why}`, { field: option.slice(2) });
  if (resume === true) throw refused('--resume', 'the same command goes on with the experiment that it began');
  if (signals !== undefined) throw refused('--signals', 'a service runs no code of yours');
}

function readRunner(
  { service, key, out }: Options,
  watched: Pick<Parameters<typeof sweepService>[0], 'stop' | 'onProgress'>,
  { apiKey, home }: Environment,
): SweepRunner | undefined {
  if (service === undefined) return undefined;
  const folderOf = (experimentId: string) => out ?? join(home, 'sweeps', experimentId);
  return sweepService({ url: service, key: key ?? apiKey, folderOf, ...watched });
}

/** The plan of a file, over the assets and the window of the options where they are given. */
async function readPlan(file: string, options: Options, environment: Environment): Promise<unknown> {
  const { asset } = options;
  const plan = overWindow(await withPortfolioFiles(await readJson(file, 'plan'), file), readWindow(options));
  if (asset === undefined || isPortfolioSweep(plan)) return plan;
  return overAssets(plan, readAssets(asset) ?? [asset], openServices(environment).store);
}

async function show(
  outcome: SweepOutcome & { readonly power: readonly SearchPower[] },
  progress: SweepProgress | null,
  honesty: readonly Assessment[],
  ranking: Ranking,
  options: Options,
): Promise<void> {
  const { folder, total, done, experimentId, planHash, warnings, power, prepared } = outcome;
  const ranked = done === 0 ? null : await rankRuns([folder], ranking, options.top);
  await saveLeader(folder, ranked === null ? [] : rankedRecords(ranked), options);
  const made = madeOf(prepared.definition).map(({ words }) => words);
  if (options.json) {
    const { withWords } = await import('../../report/index.js'); // imported late: it is large
    printJson({
      experiment_id: experimentId,
      folder,
      total_runs: total,
      completed_runs: done,
      plan_hash: planHash,
      warnings: [...warnings, ...honesty.flatMap((one) => one.warnings)],
      made_of: made,
      power,
      ranking: { by: ranking.by, min_trades: ranking.minTrades },
      top: ranked === null ? [] : await withDefinitions([folder], rankedRecords(ranked)),
      honesty: leadersFirst(honesty).map(withWords),
    });
    return;
  }
  const told = new Set(made); // before the first run
  for (const warning of [...warnings, ...honesty.flatMap((one) => one.warnings)]) {
    if (!told.has(warning)) note(`barline: ${warning}`);
  }
  print(`${count(done)} of ${count(total)} runs in ${folder}`);
  if (progress !== null && progress.runsPerSecond > 0) {
    print(
      `${count(progress.runsPerSecond)} runs/s, ${count(progress.skipped)} skipped, ${count(progress.errors)} failed`,
    );
  }
  if (done < total) print(stoppedLine(folder, options));
  const datasets = datasetLines(honesty);
  if (datasets.length > 0) for (const line of ['', ...datasets]) print(line);
  const window = prepared.definition.walkForward === null ? '' : ' in the newest training window';
  if (ranked !== null) for (const line of ['', ...rankedLines(ranked, window)]) print(line);
  const { assessmentLines } = await import('../assessment-view.js'); // imported late: it is large
  for (const one of assessedInFull(honesty)) for (const line of ['', ...assessmentLines(one)]) print(line);
  if (options.report !== undefined) note(`page of the sweep written to ${options.report}`);
}

async function latestSweep({ home }: Environment): Promise<string> {
  const latest = (await listSweeps(home)).at(-1);
  if (latest === undefined)
    throw new EngineError('NOT_FOUND', `there is no sweep to resume in ${join(home, 'sweeps')}`);
  return latest;
}

/** The first Ctrl-C lets the running runs finish, or takes what a service has; the second exits at once. */
function stopOnInterrupt(stop: Int32Array, { service }: Options): () => void {
  const here = 'stopping once the current runs finish';
  const stopping = service === undefined ? here : 'taking the rows so far, while the service runs on';
  const interrupt = () => {
    if (Atomics.load(stop, 0) !== 0) process.exit(EXIT_INTERRUPTED);
    Atomics.store(stop, 0, 1);
    note(`${stopping}; press Ctrl-C again to stop at once`);
  };
  process.on('SIGINT', interrupt);
  process.on('SIGTERM', interrupt);
  return () => {
    process.off('SIGINT', interrupt);
    process.off('SIGTERM', interrupt);
  };
}

/** Draws on standard error, and only on a terminal. */
function progressBar() {
  let last: SweepProgress | null = null;
  const format = '{bar} {value}/{total} runs  {rate} runs/s  {eta_formatted} left  best {best}';
  const bar = process.stderr.isTTY ? openBar({ format, etaBuffer: 50 }) : null;
  return {
    show(progress: SweepProgress): void {
      const { done, total, runsPerSecond, best } = progress;
      const payload = {
        rate: count(runsPerSecond),
        best:
          best === null
            ? '-'
            : `${best.metric} ${best.value?.toPrecision(3) ?? whyWithout(best.metric)} (run ${best.run})`,
      };
      if (last === null) bar?.start(total, done, payload);
      else bar?.update(done, payload);
      last = progress;
    },
    end: (): void => bar?.stop(),
    last: () => last,
  };
}
