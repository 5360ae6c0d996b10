/** Runs a portfolio in a thread, since loading and simulating many assets takes seconds. */
import { openBars } from '../../data/bars/index.js';
import { openSameBars } from '../../data/tries/index.js';
import {
  type EngineCode,
  EngineError,
  type HeldOut,
  heldOutAmong,
  requestNames,
  sharedColumns,
} from '../../engine/index.js';
import {
  type AccountCourse,
  courseOf,
  identityOf,
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
  /** What the organization holds out; none for a run that opens it. */
  readonly heldOut: readonly HeldOut[];
  /** Asks for the name of a run that opens days, and not for the run. */
  readonly asksIdentity?: boolean;
  /** Asks for the course of the account too, by which the run is judged. */
  readonly asksCourse?: boolean;
}

/** Refusals are returned as data, since an error thrown in a thread loses its code. */
export type PortfolioAnswer =
  | { readonly identity: string }
  | {
      readonly result: PortfolioResult;
      /** What the run counts as in the ledger of tries. */
      readonly tried: ReturnType<typeof tryOfPortfolio>;
      /** Null where it was not asked for. */
      readonly course: AccountCourse | null;
    }
  | { readonly code: EngineCode; readonly message: string; readonly details: Readonly<Record<string, unknown>> };

export default async function run(task: PortfolioTask): Promise<PortfolioAnswer> {
  const { home, sampleDir, engineVersion, heldOut, asksIdentity, asksCourse, ...request } = task;
  const store = openBars({ home, sampleDir, allocate: sharedColumns });
  try {
    if (asksIdentity === true) return { identity: await identityOf(request, { store }) };
    const run = await runPortfolio(request, {
      store,
      engineVersion,
      heldOut: heldOutAmong(heldOut, requestNames, openSameBars(home)),
    });
    return { result: run.result, tried: tryOfPortfolio(run), course: asksCourse === true ? courseOf(run) : null };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return { code: error.code, message: error.message, details: error.details };
  }
}
