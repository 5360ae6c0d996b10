import { join, resolve } from 'node:path';
import { writePage } from '../../data/pages/index.js';
import { newExperimentId, queryResults } from '../../data/sweeps/index.js';
import { openTries } from '../../data/tries/index.js';
import { EngineError } from '../../engine/errors.js';
import { isRankingMetric, MIN_TRADES, notRankable, type SearchPower } from '../../engine/sweep/index.js';
import { refuseUnknownKeys, unknownKeys } from '../../engine/unknown-keys.js';
import { type AssessmentInWords, renderSweep, withWords } from '../../report/index.js';
import { bestPortfolios, judgedPortfolioSweep, portfolioSweepReport } from '../../research/portfolio/sweep/index.js';
import { overWindow } from '../../research/sweep/index.js';
import { checkWhole } from '../bounds.js';
import { homeServices, resolveHome, sampleFolder } from '../home.js';
import { completePortfolio, type Portfolio } from '../portfolio/run-portfolio.js';
import {
  refuseOtherBars,
  type Sweep,
  type SweepOptions,
  type SweepRow,
  stopBy,
  toRecords,
  toWindow,
} from './run-sweep.js';

/** A place in a portfolio and its values, listed or from `min` to `max` in steps. */
export interface PortfolioAxis {
  /** Such as `allocation.top` or `members[*].strategy.entry[0].params.window_fast`. */
  readonly param: string;
  readonly values?: readonly (number | string | boolean | null)[];
  readonly min?: number;
  readonly max?: number;
  readonly step?: number;
}

/** A portfolio and what varies in it, as the JSON files of `barline sweep` hold it. */
export interface PortfolioSweepPlan {
  readonly name?: string;
  readonly portfolio: Portfolio;
  readonly sweep_axes?: readonly PortfolioAxis[];
  /** Default: the portfolio's. */
  readonly interval?: string;
  /** The days to trade; `lookback_months` in place of a start counts back from the end. */
  readonly window?: { readonly start?: string; readonly end?: string; readonly lookback_months?: number };
  /** The same as `start` and `end` of `window`. */
  readonly start?: string;
  readonly end?: string;
  /** Draw so many of the combinations. Default: all. */
  readonly n_random?: number;
  readonly seed?: number;
  /** Search training windows, and test the best of each on the days after it. */
  readonly walk_forward?: object;
  /** Days at the end of the data that no run may touch until they are opened, once. */
  readonly holdout?: number;
}

export interface PortfolioSweepOptions extends Omit<SweepOptions, 'sweep' | 'assets' | 'signals'> {
  /** It is not needed to resume. */
  readonly sweep?: PortfolioSweepPlan;
}

export interface PortfolioSweep extends Omit<Sweep, 'power' | 'verdicts' | 'madeOf' | 'definition'> {
  /** What edge the sweep could find at all; null where it is not known. */
  readonly power: SearchPower | null;
  /** How far the best portfolio can be believed; null where none traded. */
  readonly verdict: AssessmentInWords | null;
  /** The portfolio of a row, to run again. */
  portfolioOf(row: SweepRow): Portfolio;
}

const OPTIONS = [
  ...(['sweep', 'start', 'end', 'lookbackMonths'] as const),
  ...(['folder', 'resume', 'threads', 'by', 'minTrades', 'top', 'onProgress', 'signal', 'home'] as const),
] satisfies readonly (keyof PortfolioSweepOptions)[];
const TOP = 10;

/**
 * Runs a sweep of portfolios, or the rest of one, on all processors: the rows and the verdict of
 * `barline sweep`. Parquet rows are read by DuckDB, an optional package.
 *
 * @throws EngineError with field, bound and value, for anything that the caller can fix
 */
export async function runPortfolioSweep(options: PortfolioSweepOptions): Promise<PortfolioSweep> {
  refuseUnknownKeys(unknownKeys('runPortfolioSweep', options, OPTIONS));
  const { sweep, resume = false, threads, by = 'sharpe_ratio', minTrades = MIN_TRADES, top = TOP } = options;
  const { onProgress = () => {} } = options;
  if (!isRankingMetric(by)) throw new EngineError('INVALID_FIELD', notRankable('by', by));
  checkWhole({ threads, minTrades, top });
  const missing = resume ? 'folder' : 'sweep';
  if (options[missing] === undefined) {
    const message = resume ? 'folder is required to resume a sweep' : 'sweep is required: a portfolio and its axes';
    throw new EngineError('MISSING_FIELD', message, { field: missing });
  }
  if (resume) refuseOtherBars(options);
  const home = resolveHome(options);
  const services = homeServices(options);
  const experimentId = newExperimentId();
  const folder = resolve(options.folder ?? join(home, 'sweeps', experimentId));
  const { stop, leave } = stopBy(options.signal);
  try {
    const { outcome, power, ranking, honesty } = await judgedPortfolioSweep(
      {
        ...{
          sweep: resume ? null : overWindow(complete(sweep), toWindow(options)),
          folder,
          experimentId,
          threads,
          stop,
          onProgress,
        },
        ...{ ranking: { by, minTrades }, home, sampleDir: sampleFolder() },
      },
      openTries(home),
      services,
    );
    const { total, done, warnings, prepared } = outcome;
    const page = async () => renderSweep(await portfolioSweepReport(outcome, ranking, honesty, services));
    return {
      ...{ folder, total, done, warnings, power, by: ranking.by },
      best: done === 0 ? [] : toRecords(await bestPortfolios(outcome, ranking, top)),
      verdict: honesty === null ? null : withWords(honesty),
      portfolioOf: ({ run_index: run }) => portfolioOf(prepared, run),
      query: async (sql) => toRecords(await queryResults([folder], sql)),
      page,
      savePage: async (path) => writePage(path, await page()),
    };
  } finally {
    leave();
  }
}

type Prepared = Awaited<ReturnType<typeof judgedPortfolioSweep>>['outcome']['prepared'];

function portfolioOf({ plan, totalRuns }: Prepared, run: unknown): Portfolio {
  if (Number.isSafeInteger(run) && Number(run) >= 0 && Number(run) < totalRuns) {
    return plan.portfolioAt(Number(run) % plan.combinations) as Portfolio;
  }
  const message = `run_index must be a whole number 0..${totalRuns - 1}, was ${String(run)}`;
  throw new EngineError('INVALID_FIELD', message, { field: 'run_index' });
}

/** The plan with what the rules of its members may leave out. */
const complete = (sweep: PortfolioSweepPlan | undefined): unknown =>
  typeof sweep === 'object' && sweep !== null && 'portfolio' in sweep
    ? { ...sweep, portfolio: completePortfolio(sweep.portfolio) }
    : sweep;
