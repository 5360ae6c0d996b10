import { join, resolve } from 'node:path';
import { writePage } from '../../data/pages/index.js';
import { amongRankable, bestFirst, newExperimentId, queryResults } from '../../data/sweeps/index.js';
import { openTries } from '../../data/tries/index.js';
import { EngineError } from '../../engine/errors.js';
import { isRankingMetric, MIN_TRADES, madeOf, notRankable, type SearchPower } from '../../engine/sweep/index.js';
import { refuseUnknownKeys, unknownKeys } from '../../engine/unknown-keys.js';
import { type AssessmentInWords, renderSweep, withWords } from '../../report/index.js';
import { loadSignalModules, type WindowRequest } from '../../research/index.js';
import { isPortfolioSweep } from '../../research/portfolio/sweep/index.js';
import {
  assessSweep,
  runSweep as conduct,
  findDefinition,
  outcomeRuns,
  overAssets,
  overWindow,
  type RunDefinition,
  rankedBy,
  recordAssessed,
  recordTries,
  type SweepProgress,
  searchPower,
  sweepReport,
} from '../../research/sweep/index.js';
import { checkAssets, checkWhole } from '../bounds.js';
import { type HomeOptions, homeServices, resolveHome } from '../home.js';

export type { RunDefinition };

export interface SweepOptions extends HomeOptions {
  /**
   * The configuration, as the JSON files of `barline sweep` hold it. It is not needed to resume.
   */
  readonly sweep?: object;
  /**
   * Assets in place of its datasets' assets, at their timeframes; `all`: every asset with stored
   * bars.
   */
  readonly assets?: readonly string[] | 'all';
  /** First day or time to trade (UTC), in place of the plan's. Default: the first bar. */
  readonly start?: string;
  /** Last day, included, or time, in place of the plan's. Default: the last bar. */
  readonly end?: string;
  /** Start this many months before the end, in place of the plan's start. */
  readonly lookbackMonths?: number;
  /** Folder of the sweep and its rows. Default: a new one below `sweeps` of the home folder. */
  readonly folder?: string;
  /** Continue the sweep in `folder`. */
  readonly resume?: boolean;
  /** Most threads to use. Default: one per processor; a short sweep uses fewer. */
  readonly threads?: number;
  /** Metric that ranks the runs. Default: `sharpe_ratio`, or the metric of `walk_forward`. */
  readonly by?: string;
  /** Trades that a leader needs. Default: 30. */
  readonly minTrades?: number;
  /** Number of best runs in `best`. Default: 10. */
  readonly top?: number;
  /**
   * Modules of signals of your own, by path. Every thread loads them, so functions cannot be given
   * here.
   */
  readonly signals?: string | readonly string[];
  readonly onProgress?: (progress: SweepProgress) => void;
  /** Stops the sweep after the current runs; all finished rows are kept, and `resume` continues. */
  readonly signal?: AbortSignal;
}

export interface Sweep {
  readonly folder: string;
  readonly total: number;
  /** Fewer than `total` if the sweep was stopped. */
  readonly done: number;
  readonly warnings: readonly string[];
  /** How many of the listed rules each run has, side by side, and which key changes that. */
  readonly madeOf: readonly string[];
  /**
   * What edge the sweep could find at all, by dataset: the true Sharpe ratios that pass in half of
   * searches, and in nine of ten.
   */
  readonly power: readonly SearchPower[];
  /** The metric that ranks the runs. */
  readonly by: string;
  /** The best runs, best first; runs with too few trades come last. */
  readonly best: readonly SweepRow[];
  /** How far the best run can be believed, one verdict for each dataset with a run that traded. */
  readonly verdicts: readonly AssessmentInWords[];
  /** What a run was, with its strategy and settings as `runBacktest` and `startLive` take them. */
  definition(row: SweepRow): Promise<RunDefinition>;
  /** Rows of any SQL over the table `results`, as `barline results` prints them. */
  query(sql: string): Promise<SweepRow[]>;
  /** The page of the sweep as one HTML page without references to other files. */
  page(): Promise<string>;
  /** @throws EngineError if it cannot be written */
  savePage(path: string): Promise<void>;
}

const OPTIONS = [
  ...([
    'sweep',
    'assets',
    'start',
    'end',
    'lookbackMonths',
    'folder',
    'resume',
    'threads',
    'by',
    'minTrades',
    'top',
    'signals',
    'onProgress',
    'signal',
  ] as const),
  'home',
] satisfies readonly (keyof SweepOptions)[];
const TOP = 10;

/**
 * Runs a sweep, or the rest of one, on all processors: the engine, the rows and the verdicts of
 * `barline sweep`. Parquet rows are read by DuckDB, an optional package.
 *
 * @throws EngineError with every error of the configuration, and for anything else that the caller
 *   can fix
 */
export async function runSweep(options: SweepOptions): Promise<Sweep> {
  refuseUnknownKeys(unknownKeys('runSweep', options, OPTIONS));
  const { sweep, resume = false, threads, by, minTrades = MIN_TRADES, top = TOP, onProgress = () => {} } = options;
  if (by !== undefined && !isRankingMetric(by)) throw new EngineError('INVALID_FIELD', notRankable('by', by));
  checkWhole({ threads, minTrades, top });
  if (resume && options.folder === undefined) {
    throw new EngineError('MISSING_FIELD', 'folder is required to resume a sweep', { field: 'folder' });
  }
  if (resume) refuseOtherBars(options);
  if (isPortfolioSweep(sweep)) {
    const message = 'sweep must name datasets, was one of portfolios: runPortfolioSweep runs it';
    throw new EngineError('INVALID_FIELD', message, { field: 'sweep' });
  }
  const home = resolveHome(options);
  const services = homeServices(options);
  const windowed = overWindow(sweep, toWindow(options));
  const plan =
    options.assets === undefined ? windowed : await overAssets(windowed, checkAssets(options.assets), services.store);
  const experimentId = newExperimentId();
  const folder = resolve(options.folder ?? join(home, 'sweeps', experimentId));
  const ranking = { by: by ?? 'sharpe_ratio', minTrades } as const;
  const own = options.signals === undefined ? undefined : await loadSignalModules([options.signals].flat());
  const { stop, leave } = stopBy(options.signal);
  const ledger = openTries(home);
  let power: readonly SearchPower[] = [];
  try {
    const outcome = await conduct(
      {
        ...{ sweep: resume ? null : plan, folder, experimentId, threads, isResumed: resume, stop, onProgress },
        ...{ ranking, own },
        onPlanned: async (planned) => {
          power = await searchPower(planned, folder, ledger);
        },
      },
      services,
    );
    const { prepared, total, done, warnings } = outcome;
    const shownBy = rankedBy(prepared, ranking.by);
    const runs = await outcomeRuns(outcome, shownBy);
    const triedBefore = await recordTries(prepared, runs, ledger);
    const honesty = await assessSweep(prepared, folder, shownBy, { minTrades, triedBefore, threads, runs });
    await recordAssessed(prepared, honesty, ledger);
    const query = async (sql: string) => toRecords(await queryResults([folder], sql));
    const best = `SELECT * FROM results ORDER BY ${bestFirst({ by: shownBy, minTrades })} LIMIT ${top}`;
    const page = async () => renderSweep(await sweepReport(outcome, shownBy, honesty, { minTrades, services, own }));
    return {
      ...{ folder, total, done, warnings, power, by: shownBy },
      madeOf: madeOf(prepared.definition).map(({ words }) => words),
      best: done === 0 ? [] : await query(amongRankable(best)),
      verdicts: honesty.map(withWords),
      definition: async ({ run_index: run }) => findDefinition([folder], String(run)),
      query,
      page,
      savePage: async (path) => writePage(path, await page()),
    };
  } finally {
    leave();
  }
}

/**
 * A run of a sweep: its row, with the rules as JSON in `entry_json` and `exit_json`, and in
 * `short_entry_json` and `short_exit_json` where the sweep has a short side. A row of a sweep of
 * portfolios has a column for each axis instead.
 */
export type SweepRow = Readonly<Record<string, unknown>>;

export const toRecords = ({ columns, rows }: Awaited<ReturnType<typeof queryResults>>): SweepRow[] =>
  rows.map((row) => Object.fromEntries(columns.map((name, i) => [name, row[i]])));

/** What stops a sweep after its current runs. */
export function stopBy(signal: AbortSignal | undefined) {
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const abort = () => Atomics.store(stop, 0, 1);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);
  return { stop, leave: () => signal?.removeEventListener('abort', abort) };
}

export const toWindow = ({ start, end, lookbackMonths }: WindowRequest): WindowRequest => ({
  ...{ start, end, lookbackMonths },
});

/** @throws EngineError for options that would give a resumed sweep other bars */
export function refuseOtherBars({ assets, start, end, lookbackMonths }: WindowRequest & { readonly assets?: unknown }) {
  for (const [field, value] of Object.entries({ assets, start, end, lookbackMonths })) {
    if (value === undefined) continue;
    const message = `${field} must be left out to resume a sweep: it goes on with its datasets`;
    throw new EngineError('INVALID_FIELD', message, { field });
  }
}
