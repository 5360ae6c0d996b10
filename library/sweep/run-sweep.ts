import { join, resolve } from 'node:path';
import { writePage } from '../../data/pages/index.js';
import { amongRankable, bestFirst, newExperimentId, queryResults } from '../../data/sweeps/index.js';
import { openTries } from '../../data/tries/index.js';
import {
  EngineError,
  isRankingMetric,
  MIN_TRADES,
  notRankable,
  refuseUnknownKeys,
  type SearchPower,
  unknownKeys,
} from '../../engine/index.js';
import { type JudgedInWords, renderSweep, withWords } from '../../report/index.js';
import { loadSignalModules } from '../../research/index.js';
import {
  assessSweep,
  runSweep as conduct,
  rankedBy,
  recordJudged,
  recordTries,
  type SweepProgress,
  searchPower,
  sweepReport,
} from '../../research/sweep/index.js';
import { checkWhole } from '../bounds.js';
import { type HomeOptions, homeOf, servicesOf } from '../home.js';

export interface SweepOptions extends HomeOptions {
  /**
   * The configuration, as the JSON files of `barline sweep` hold it. It is not needed to resume.
   */
  readonly sweep?: object;
  /** Folder of the sweep and its rows. Default: a new one below `sweeps` of the home folder. */
  readonly folder?: string;
  /** Continue the sweep in `folder`. */
  readonly resume?: boolean;
  /** Most threads to use. Default: one per processor; a short sweep uses fewer. */
  readonly threads?: number;
  /** Metric that ranks the runs. Default: `sharpe_ratio`, or that of `walk_forward`. */
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

/**
 * A run of a sweep: its row, with the rules as JSON in `entry_json` and `exit_json`, and in
 * `short_entry_json` and `short_exit_json` where the sweep has a short side.
 */
export type SweepRow = Readonly<Record<string, unknown>>;

export interface Sweep {
  readonly folder: string;
  readonly total: number;
  /** Fewer than `total` if the sweep was stopped. */
  readonly done: number;
  readonly warnings: readonly string[];
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
  readonly verdicts: readonly JudgedInWords[];
  /** Rows of any SQL over the table `results`, as `barline results` prints them. */
  query(sql: string): Promise<SweepRow[]>;
  /** The page of the sweep as one HTML page without references to other files. */
  page(): Promise<string>;
  /** @throws EngineError if it cannot be written */
  savePage(path: string): Promise<void>;
}

const OPTIONS = [
  ...(['sweep', 'folder', 'resume', 'threads', 'by', 'minTrades', 'top', 'signals', 'onProgress', 'signal'] as const),
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
  const home = homeOf(options);
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
        ...{ sweep: resume ? null : sweep, folder, experimentId, threads, isResumed: resume, stop, onProgress },
        ...{ ranking, own },
        onPlanned: async (planned) => {
          power = await searchPower(planned, folder, ledger);
        },
      },
      servicesOf(options),
    );
    const { prepared, total, done, warnings } = outcome;
    const shownBy = rankedBy(prepared, ranking.by);
    const tried = await recordTries(folder, ledger);
    const honesty =
      done === 0 ? [] : await assessSweep(prepared, folder, shownBy, { minTrades, triedBefore: tried, threads });
    await recordJudged(prepared, honesty, ledger);
    const query = async (sql: string) => recordsOf(await queryResults([folder], sql));
    const best = `SELECT * FROM results ORDER BY ${bestFirst({ by: shownBy, minTrades })} LIMIT ${top}`;
    const page = async () => renderSweep(await sweepReport(outcome, shownBy, honesty, minTrades));
    return {
      ...{ folder, total, done, warnings, power, by: shownBy },
      best: done === 0 ? [] : await query(amongRankable(best)),
      verdicts: honesty.map(withWords),
      query,
      page,
      savePage: async (path) => writePage(path, await page()),
    };
  } finally {
    leave();
  }
}

const recordsOf = ({ columns, rows }: Awaited<ReturnType<typeof queryResults>>): SweepRow[] =>
  rows.map((row) => Object.fromEntries(columns.map((name, i) => [name, row[i]])));

function stopBy(signal: AbortSignal | undefined) {
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const abort = () => Atomics.store(stop, 0, 1);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);
  return { stop, leave: () => signal?.removeEventListener('abort', abort) };
}
