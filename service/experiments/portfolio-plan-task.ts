/**
 * Plans an experiment over portfolios in a thread: it reads the bars and runs the first portfolio,
 * which takes seconds.
 */
import { openBars } from '../../data/bars/index.js';
import { openSameBars } from '../../data/tries/index.js';
import { EngineError } from '../../engine/errors.js';
import { sharedColumns } from '../../engine/series/index.js';
import { type HeldOut, heldOutAmong, requestNames } from '../../engine/sweep/index.js';
import { type PreparedPortfolioSweep, preparePortfolioSweep, sweptBars } from '../../research/portfolio/sweep/index.js';

export interface PortfolioPlanTask {
  readonly config: Readonly<Record<string, unknown>>;
  /** Where the bars are stored. */
  readonly home: string;
  readonly sampleDir: string;
  readonly engineVersion: string;
  /** What the organization holds out. */
  readonly heldOut: readonly HeldOut[];
  /** Bars that the assets of all portfolios may have in the window together. */
  readonly barsMax: number;
}

/** A checked plan, as data. */
export type PlannedPortfolios = Pick<
  PreparedPortfolioSweep,
  'datasets' | 'windows' | 'totalRuns' | 'planHash' | 'declared' | 'warnings'
> & { readonly assets: readonly string[] };

/** Refusals are returned as data, since an error thrown in a thread loses its code. */
export type PortfolioPlanAnswer = { readonly planned: PlannedPortfolios } | { readonly refusal: string };

export default async function plan(task: PortfolioPlanTask): Promise<PortfolioPlanAnswer> {
  const { config, home, sampleDir, engineVersion, barsMax } = task;
  const heldOut = heldOutAmong(task.heldOut, requestNames, openSameBars(home));
  try {
    const services = { store: openBars({ home, sampleDir, allocate: sharedColumns }), engineVersion, heldOut };
    const bars = await sweptBars(config, services.store);
    if (bars > barsMax) {
      const message = `the assets of the portfolios must have at most ${barsMax} bars in the window together, have ${bars}: narrow it or take a longer interval`;
      throw new EngineError('INVALID_FIELD', message, { field: 'portfolio' });
    }
    const {
      plan: { assets },
      kernel: _,
      whole: __,
      daysPerYear: ___,
      ...planned
    } = await preparePortfolioSweep(config, services);
    return { planned: { ...planned, assets } };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return { refusal: error.message };
  }
}
