/**
 * Assesses the rows of an experiment in a thread: it repeats the best runs, which takes seconds.
 */
import { openBars } from '../../data/bars/index.js';
import { openSameBars } from '../../data/tries/index.js';
import { EngineError } from '../../engine/errors.js';
import { sharedColumns } from '../../engine/series/index.js';
import { type HeldOut, heldOutAmong, type Ranking, requestNames, type TriedSweep } from '../../engine/sweep/index.js';
import type { AssessmentInWords } from '../../report/index.js';
import {
  assessPortfolioSweep,
  isPortfolioSweep,
  judgedPortfolios,
  portfolioSweepReport,
  preparePortfolioSweep,
  triedTogether,
} from '../../research/portfolio/sweep/index.js';
import { assessSweep, prepareSweep, sweepReport, triedSweeps } from '../../research/sweep/index.js';
import type { Configuration } from './plan.js';

export interface ReportTask extends Ranking {
  readonly kind: 'honesty' | 'page';
  /** Where the bars are stored. */
  readonly home: string;
  readonly sampleDir: string;
  /** Most threads of the judgement. */
  readonly threads: number;
  readonly config: Configuration;
  /** What the organization ever tried, by asset. */
  readonly tried: Readonly<Record<string, readonly string[]>>;
  /** What its judged sweeps were worth, by asset. */
  readonly triedSweeps: Readonly<Record<string, readonly TriedSweep[]>>;
  /** What the organization holds out, where the experiment ends. */
  readonly heldOut: readonly HeldOut[];
  /** Folder with the committed rows and no others. */
  readonly folder: string;
  readonly experimentId: string;
  readonly engineVersion: string;
  readonly total: number;
  readonly done: number;
  readonly planHash: string;
}

/** Failures are returned as data, since an error thrown in a thread loses its code. */
export type ReportAnswer =
  | ((
      | { readonly honesty: readonly AssessmentInWords[]; readonly html: null }
      | { readonly honesty: null; readonly html: string }
    ) & { readonly worth: ReturnType<typeof triedSweeps> })
  | { readonly refusal: string };

export default async function report(task: ReportTask): Promise<ReportAnswer> {
  const { kind, home, sampleDir, config, by, minTrades, folder } = task;
  try {
    if (isPortfolioSweep(config)) return await reportPortfolios(task);
    // The thread reads the series of one experiment after the other: their buffers must be freed.
    const store = openBars({ home, sampleDir, allocate: sharedColumns });
    const prepared = await prepareSweep(
      config,
      { store, heldOut: heldOutAmong(task.heldOut, requestNames, openSameBars(home)) },
      [],
      'warned',
    );
    const before = triedBefore(task);
    const honesty = await assessSweep(prepared, folder, by, { minTrades, triedBefore: before, threads: task.threads });
    const worth = triedSweeps(prepared, honesty);
    // The report loads here, since it is large.
    const { renderSweep, withWords } = await import('../../report/index.js');
    if (kind === 'honesty') return { honesty: honesty.map(withWords), html: null, worth };
    const sheet = await sweepReport({ ...task, prepared, warnings: prepared.warnings }, by, honesty, {
      minTrades,
      services: { store, engineVersion: task.engineVersion },
    });
    return { honesty: null, html: renderSweep(sheet), worth };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return { refusal: error.message };
  }
}

const triedBefore = ({ tried, triedSweeps: sweeps }: ReportTask) => ({
  tries: new Map(Object.entries(tried)),
  sweeps: new Map(Object.entries(sweeps)),
});

async function reportPortfolios(task: ReportTask): Promise<ReportAnswer> {
  const { kind, home, sampleDir, config, by, minTrades, folder } = task;
  const store = openBars({ home, sampleDir, allocate: sharedColumns });
  const services = {
    store,
    engineVersion: task.engineVersion,
    heldOut: heldOutAmong(task.heldOut, requestNames, openSameBars(home)),
  };
  const prepared = await preparePortfolioSweep(config, services);
  const before = triedTogether(prepared, triedBefore(task));
  const honesty = await assessPortfolioSweep(prepared, folder, by, { minTrades, before });
  const worth = judgedPortfolios(prepared, honesty);
  const { renderSweep, withWords } = await import('../../report/index.js');
  if (kind === 'honesty') return { honesty: honesty === null ? [] : [withWords(honesty)], html: null, worth };
  const outcome = { ...task, prepared, warnings: prepared.warnings };
  const ranking = { by: prepared.plan.walkForward?.metric ?? by, minTrades };
  const sheet = await portfolioSweepReport(outcome, ranking, honesty, services);
  return { honesty: null, html: renderSweep(sheet), worth };
}
