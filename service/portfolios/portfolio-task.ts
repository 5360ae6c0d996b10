/** Runs a portfolio in a thread, since loading and simulating many assets takes seconds. */
import { openBars } from '../../data/bars/index.js';
import { type EngineCode, EngineError, type HeldOut, heldOutAmong, sharedColumns } from '../../engine/index.js';
import {
  type AccountCourse,
  courseOf,
  type PortfolioResult,
  runPortfolio,
  tryOfPortfolio,
} from '../../research/portfolio/index.js';
import type { PortfolioRequest } from './store.js';

export interface PortfolioTask extends PortfolioRequest {
  /** Where the bars are stored. */
  readonly home: string;
  readonly sampleDir: string;
  readonly engineVersion: string;
  /** What the organization holds out. */
  readonly heldOut: readonly HeldOut[];
}

/** Refusals are returned as data, since an error thrown in a thread loses its code. */
export type PortfolioAnswer =
  | {
      readonly result: PortfolioResult;
      /** What the run counts as in the ledger of tries. */
      readonly tried: ReturnType<typeof tryOfPortfolio>;
      readonly course: AccountCourse;
    }
  | { readonly code: EngineCode; readonly message: string; readonly details: Readonly<Record<string, unknown>> };

export default async function run(task: PortfolioTask): Promise<PortfolioAnswer> {
  const { home, sampleDir, engineVersion, heldOut, ...request } = task;
  const store = openBars({ home, sampleDir, allocate: sharedColumns });
  try {
    const run = await runPortfolio(request, { store, engineVersion, heldOut: heldOutAmong(heldOut) });
    return { result: run.result, tried: tryOfPortfolio(run), course: courseOf(run) };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return { code: error.code, message: error.message, details: error.details };
  }
}
