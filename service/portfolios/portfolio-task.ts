/**
 * Reads and runs portfolios in a thread: reading the rules of 200 members takes a tenth of a second,
 * and loading and simulating them many.
 */
import { type BarStore, openBars } from '../../data/bars/index.js';
import { openSameBars } from '../../data/tries/index.js';
import { type EngineCode, EngineError } from '../../engine/errors.js';
import { sharedColumns } from '../../engine/series/index.js';
import { type HeldOut, heldOutAmong, requestNames } from '../../engine/sweep/index.js';
import {
  type AccountCourse,
  accountCourse,
  outlinePortfolio,
  type PortfolioResult,
  type RunChoices,
  runIdentity,
  runPortfolio,
  tryOfPortfolio,
} from '../../research/portfolio/index.js';
import type { PortfolioRequest } from './store.js';

/** Where the bars are stored. */
interface Stored {
  readonly home: string;
  readonly sampleDir: string;
}

/** Asks what a run will be. */
export interface OutlineTask extends Stored {
  readonly portfolio: object;
  readonly choices: RunChoices;
}

/** What a run will be, known before any bar is loaded. */
export type Outlined = Awaited<ReturnType<typeof outlined>>;

export interface PortfolioTask extends PortfolioRequest, Stored {
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
  | { readonly outline: Outlined }
  | { readonly identity: string }
  | {
      readonly result: PortfolioResult;
      /** What the run counts as in the ledger of tries. */
      readonly tried: ReturnType<typeof tryOfPortfolio>;
      /** Null where it was not asked for. */
      readonly course: AccountCourse | null;
    }
  | { readonly code: EngineCode; readonly message: string; readonly details: Readonly<Record<string, unknown>> };

async function outlined({ portfolio, choices }: OutlineTask, store: BarStore) {
  const { definition, account, ...outline } = await outlinePortfolio(portfolio, choices, store);
  return { name: definition.name, ...account, ...outline };
}

export default async function run(task: PortfolioTask | OutlineTask): Promise<PortfolioAnswer> {
  const store = openBars({ home: task.home, sampleDir: task.sampleDir, allocate: sharedColumns });
  try {
    if ('choices' in task) return { outline: await outlined(task, store) };
    const { home, sampleDir: _, engineVersion, heldOut, asksIdentity, asksCourse, ...request } = task;
    if (asksIdentity === true) return { identity: await runIdentity(request, { store }) };
    const run = await runPortfolio(request, {
      store,
      engineVersion,
      heldOut: heldOutAmong(heldOut, requestNames, openSameBars(home)),
    });
    return { result: run.result, tried: tryOfPortfolio(run), course: asksCourse === true ? accountCourse(run) : null };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return { code: error.code, message: error.message, details: error.details };
  }
}
