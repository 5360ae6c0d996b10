import { barsFor } from '../../../data/bars/index.js';
import { sha256 } from '../../../data/hashes/index.js';
import type { Hold, SweepFolder } from '../../../data/sweeps/index.js';
import type { Window } from '../../../engine/backtest/index.js';
import { canonicalJson } from '../../../engine/canonical-json.js';
import { EngineError } from '../../../engine/errors.js';
import { isoTime, parseIsoTime } from '../../../engine/series/index.js';
import {
  defaultRanking,
  foldsOf,
  type HeldOut,
  heldOutAmong,
  heldOutCut,
  heldOutNotice,
  heldOutText,
  lastDays,
  Problems,
  type Ranking,
  RunTable,
  type SweepDataset,
} from '../../../engine/sweep/index.js';
import { type ChunkResult, runSweepChunks, ThreadChoice } from '../../../workers/index.js';
import type { RunServices } from '../../backtest/run-backtest.js';
import { keepRuns } from '../../sweep/judged-runs.js';
import { runElsewhere, type SweepRunner } from '../../sweep/run-elsewhere.js';
import { missingRanges } from '../../sweep/run-sweep.js';
import { type FolderOutcome, openForRun, runInFolder } from '../../sweep/sweep-folder.js';
import { type SweepProgress, Tally } from '../../sweep/tally.js';
import { resolveWindow } from '../../window.js';
import type { RunBars, RunSeries } from '../../window-bars.js';
import { parsePortfolio } from '../definition.js';
import { outlinePortfolio, prepareAccount } from '../outline.js';
import { portfolioDataset } from './identity.js';
import { PortfolioKernel, type PortfolioWindow } from './kernel.js';
import { invalidPlan, type PortfolioPlan, readPortfolioPlan } from './plan.js';
import { type PortfolioSetup, startPortfolioThreads } from './protocol.js';

export interface PortfolioSweepRequest {
  /** Parsed JSON of the plan; null resumes the sweep in the folder. */
  readonly sweep: unknown;
  readonly folder: string;
  readonly experimentId: string;
  readonly threads?: number | undefined;
  /** Where threads find the bars. */
  readonly home: string;
  readonly sampleDir?: string | undefined;
  /** Set to a value other than 0 to stop after the current runs, with all finished rows written. */
  readonly stop: Int32Array;
  readonly onProgress: (progress: SweepProgress) => void;
  /** Called once, with the checked plan, before the first run. */
  readonly onPlanned?: (prepared: PreparedPortfolioSweep, folder: string) => Promise<void>;
  /** Runs the sweep in place of threads here; it names the experiment and the folder. */
  readonly runner?: SweepRunner | undefined;
  readonly ranking?: Ranking;
}

/** A checked plan over the bars, and what its rows are. */
export interface PreparedPortfolioSweep {
  readonly plan: PortfolioPlan;
  readonly kernel: PortfolioKernel;
  /** All days of the sweep. */
  readonly whole: SweepDataset;
  /** One for each window: the whole, or the training windows of the folds. */
  readonly datasets: readonly SweepDataset[];
  readonly windows: readonly PortfolioWindow[];
  readonly totalRuns: number;
  readonly planHash: string;
  /** Trading days in a year, by which ratios are annualized. */
  readonly daysPerYear: number;
  /** Days to hold out before the first run, of each asset. */
  readonly declared: readonly HeldOut[];
  readonly warnings: readonly string[];
}

export type PortfolioSweepOutcome = FolderOutcome<PreparedPortfolioSweep>;

/** Of the record of a sweep folder. */
export const PORTFOLIOS = 'portfolios';
const RUNS_MAX = 1_000_000;

/** Whether the record of a sweep folder is of portfolios. */
export const isPortfolioRecord = (record: unknown): boolean =>
  (record as { readonly kind?: unknown } | null)?.kind === PORTFOLIOS;

/**
 * Runs a sweep of portfolios, or the rest of it, into its folder. A row exists as soon as its chunk
 * is written; after a crash the same call with `sweep` null goes on.
 *
 * @throws EngineError for anything that the caller can fix
 */
export async function runPortfolioSweep(
  request: PortfolioSweepRequest,
  services: RunServices,
): Promise<PortfolioSweepOutcome> {
  const { runner, onPlanned } = request;
  if (runner !== undefined) {
    const prepared = await preparePortfolioSweep(request.sweep, services);
    const plan = portfolioRecord('', request.sweep, prepared, services);
    return runElsewhere({ runner, prepared, plan, heldOut: services.heldOut, onPlanned });
  }
  const sweeps = { what: 'sweep of portfolios', isOurs: isPortfolioRecord };
  const isResumed = request.sweep === null;
  const { folder, known } = await openForRun<Record<string, unknown>>(request.folder, isResumed, sweeps);
  const sweep = known?.sweep ?? request.sweep;
  const prepared = await preparePortfolioSweep(sweep, services);
  await onPlanned?.(prepared, request.folder);
  const experimentId = String(known?.experiment_id ?? request.experimentId);
  const record = portfolioRecord(experimentId, sweep, prepared, services);
  if (known !== null) requireSamePlan(known, record);
  const { totalRuns: total, planHash, warnings, declared } = prepared;
  const run = { folder, isNew: known === null, record, declared, heldOut: services.heldOut };
  const { by } = request.ranking ?? defaultRanking;
  const runs = isResumed ? null : new RunTable(prepared.plan.walkForward?.metric ?? by, total);
  const done = await runInFolder(run, (hold) =>
    runMissing({ request, folder, prepared, experimentId, hold, runs }, sweep, services),
  );
  return { experimentId, folder: request.folder, total, done, planHash, warnings, prepared, runs };
}

const portfolioRecord = (
  experimentId: string,
  sweep: unknown,
  { totalRuns, planHash, plan, datasets }: PreparedPortfolioSweep,
  { engineVersion }: RunServices,
) => ({
  ...{ version: 1, kind: PORTFOLIOS, experiment_id: experimentId, engine_version: engineVersion, sweep },
  ...{ total_runs: totalRuns, plan_hash: planHash, assets: plan.assets },
  datasets: datasets.map(({ asset, timeframe, hash, start_date, end_date }) => ({
    ...{ asset, timeframe, hash, start_date, end_date },
  })),
});

function requireSamePlan(before: Readonly<Record<string, unknown>>, now: Readonly<Record<string, unknown>>): void {
  const changed = ['plan_hash', 'total_runs', 'engine_version'].filter((field) => before[field] !== now[field]);
  if (changed.length === 0) return;
  const said = changed.map((field) => `${field} was ${String(before[field])}, is ${String(now[field])}`);
  throw new EngineError('CONFLICT', `the sweep cannot continue: ${said.join('; ')}`);
}

/** Reads a plan, runs its first portfolio once, and cuts the window into folds. */
export async function preparePortfolioSweep(sweep: unknown, services: RunServices): Promise<PreparedPortfolioSweep> {
  const plan = readPortfolioPlan(sweep);
  const kernel = new PortfolioKernel(plan, services);
  const { intervalMs, config } = prepareAccount(parsePortfolio(plan.base), {
    interval: plan.interval ?? undefined,
    window: {},
  });
  const store = barsFor(services.store, config);
  const cut = await cutPortfolioSweep(plan, intervalMs, { ...services, store }, Date.now());
  const window = { start: cut.start, end: cut.end };
  const first = await kernel.trace(plan.portfolioAt(0), window);
  const whole = portfolioDataset(plan.assets, first.market, first.contentHashes);
  const problems = new Problems('refused');
  const datasets =
    plan.walkForward === null
      ? [whole]
      : foldsOf(whole, 0, { bars: first.market, first: 0 }, plan.walkForward, problems);
  if (problems.errors.length > 0) throw invalidPlan(problems.errors);
  const totalRuns = datasets.length * plan.combinations;
  if (totalRuns > RUNS_MAX) {
    const message = `a sweep of portfolios must have at most ${RUNS_MAX} runs, was ${totalRuns}: lower n_random`;
    throw new EngineError('INVALID_FIELD', message, { field: 'n_random' });
  }
  return {
    ...{ plan, kernel, whole, datasets, totalRuns, daysPerYear: first.config.trading_days_per_year },
    windows: datasets.map(({ fold, start_date, end_date }) =>
      fold === undefined ? window : { start: start_date, end: end_date },
    ),
    planHash: sha256(
      canonicalJson([sweep, datasets.map(({ hash, start_date, end_date }) => [hash, start_date, end_date])]),
    ),
    declared: cut.declared,
    warnings: [...cut.warnings, ...problems.warnings, ...new Set(first.warnings)],
  };
}

/** Bars that all assets of any of the portfolios have in the window, together. */
export async function sweptBars(sweep: unknown, store: RunBars): Promise<number> {
  const { assets, base, interval, start, end, lookbackMonths } = readPortfolioPlan(sweep);
  const { config } = parsePortfolio(base);
  const choices = { interval: interval ?? undefined, window: { start, end, lookbackMonths }, config };
  return (await outlinePortfolio({ allocation: { assets } }, choices, store)).bars;
}

interface Running {
  readonly request: PortfolioSweepRequest;
  readonly folder: SweepFolder;
  readonly prepared: PreparedPortfolioSweep;
  readonly experimentId: string;
  readonly hold: Hold;
  /** Null in a resumed sweep. */
  readonly runs: RunTable | null;
}

async function runMissing(
  { request, folder, prepared, experimentId, hold, runs }: Running,
  sweep: unknown,
  { engineVersion }: RunServices,
): Promise<number> {
  const { kernel, datasets, windows, totalRuns, whole } = prepared;
  const missing = missingRanges(await folder.parts(), totalRuns);
  let done = totalRuns - missing.reduce((runs, { from, to }) => runs + to - from, 0);
  if (missing.length === 0) return done;
  const { home, sampleDir, stop, threads: most } = request;
  const rows = { folder: folder.path, experimentId, engineVersion, datasets };
  const reads = await kernel.sharedReads();
  const setup: PortfolioSetup = { plan: sweep, windows, totalRuns, home, sampleDir, rows, reads, stop };
  const tally = new Tally(totalRuns, request.ranking ?? defaultRanking, request.onProgress);
  tally.start(done);
  const threads = startPortfolioThreads({ threads: most, threadsAtOnce: 1 });
  const choice = new ThreadChoice(totalRuns - done, whole.rows, threads.count);
  const onChunk = async (result: ChunkResult): Promise<void> => {
    await hold.touch();
    done += result.count;
    if (runs !== null) keepRuns(runs, result);
    tally.add(result, done);
  };
  try {
    await runSweepChunks({ setup, threads, choice, batches: [missing], onChunk });
  } finally {
    await threads.end();
  }
  return done;
}

/** Where a sweep of portfolios ends, so that it touches no held-out day of any asset. */
interface PortfolioCut {
  /** First day or time; undefined for the start of the data. */
  readonly start: string | undefined;
  /** Last day or time; undefined for the end of the data. */
  readonly end: string | undefined;
  /** Days to hold out before the first run, of each asset. */
  readonly declared: readonly HeldOut[];
  readonly warnings: readonly string[];
}

/** Where nothing remembers held-out days, a sweep only ends before its own. */
const unremembered = heldOutAmong([]);

/**
 * Ends a sweep of portfolios before held-out days: days that its assets hold out already, and days
 * that its `holdout` asks for, counted back from the last bar of any asset in the window. A
 * portfolio has one window, so the days are the same for all of its assets.
 * @throws EngineError INVALID_FIELD where the sweep would touch held-out days, or asks for other ones
 */
async function cutPortfolioSweep(
  { assets, holdout, start: asked, end, lookbackMonths }: PortfolioPlan,
  intervalMs: number,
  { store, heldOut = unremembered }: Pick<RunServices, 'store' | 'heldOut'>,
  nowMs: number,
): Promise<PortfolioCut> {
  const entries = await Promise.all(assets.map(async (asset) => (await store.resolveSource(asset, intervalMs)).entry));
  const heldToMs = Math.max(...entries.map(({ lastMs, intervalMs: storedMs }) => lastMs + storedMs));
  // From the last bar of any asset, and before held-out days are cut off.
  const start =
    lookbackMonths === undefined ? asked : isoTime(resolveWindow({ end, lookbackMonths }, heldToMs).startMs);
  const window = resolveWindow({ start, end }, heldToMs);
  const spans = assets.map((asset, a) => spanInWindow(asset, entries[a] as RunSeries, window));
  if (heldOut.meet !== undefined) {
    for (const [a, asset] of assets.entries()) {
      const { bars } = await store.load({ asset, intervalMs: (entries[a] as RunSeries).intervalMs });
      await heldOut.meet(asset, bars);
    }
  }
  const known = await Promise.all(assets.map((asset) => heldOut.of(asset)));
  const lastMs = Math.max(...spans.map(({ endMs }) => endMs));
  const cutsFor = (wanted: HeldOut | null) =>
    spans.map((span, a) =>
      heldOutCut(known[a] ?? [], holdout, { ...span, wanted: wanted && { ...wanted, asset: span.asset } }),
    );
  const last = holdout === null ? null : lastDays('', holdout, lastMs, nowMs);
  // Days that one asset holds out already are held out of the others too.
  const before = cutsFor(last).find(({ declared, days }) => declared === null && days !== null)?.days;
  const cuts = cutsFor(last && { ...last, ...(before && { from: before.from, to: before.to }) });
  const days = cuts.flatMap(({ days }) => days ?? []);
  const [first] = days;
  if (first === undefined) return { start, end, declared: [], warnings: [] };
  const other = days.find(({ from }) => from !== first.from);
  if (other !== undefined) {
    const message = `holdout must be of the same days of every asset: ${heldOutText(first)} and ${heldOutText(other)} are held out`;
    throw new EngineError('INVALID_FIELD', message, { field: 'holdout' });
  }
  const declared = cuts.flatMap(({ declared }) => declared ?? []);
  const notice = heldOutNotice({ ...first, asset: declared.map(({ asset }) => asset).join(', ') });
  return {
    start,
    end: isoTime(parseIsoTime(first.from) - 1).slice(0, 10),
    declared,
    warnings: [
      ...(declared.length === 0 ? [] : [notice]),
      ...cuts.flatMap(({ declared, warnings }) => (declared === null ? warnings : [])),
    ],
  };
}

/** The bars of an asset in the window of a sweep. */
const spanInWindow = (asset: string, { firstMs, lastMs, intervalMs }: RunSeries, { startMs, endMs }: Window) => ({
  asset,
  startMs: Math.max(startMs, firstMs),
  endMs: Math.min(endMs, lastMs + intervalMs),
});
