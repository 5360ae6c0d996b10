import type { WalkForward } from '../../engine/index.js';
import type { SheetDataset, SheetRun, SweepSheet } from './sheet.js';

/**
 * A walk-forward and the choice of its newest training window, which is the run that one would go
 * on with.
 */
export interface NewestChoice {
  readonly run: SheetRun;
  readonly walk: WalkForward;
}

/** Null where the sweep does not walk forward, or no run of the dataset traded. */
export function newestChoiceOf({ leader, honesty }: SheetDataset): NewestChoice | null {
  const walk = honesty?.walkForward ?? null;
  return leader === null || walk === null || walk.folds.length === 0 ? null : { run: leader, walk };
}

/**
 * The choice of a walk-forward sweep; of several datasets that of the one on which choosing earned
 * the highest Sharpe ratio out of sample. In-sample figures do not judge it: the best of all
 * training windows is only the luckiest of them.
 */
export const walkForwardWinner = ({ datasets }: SweepSheet): NewestChoice | null =>
  datasets
    .flatMap((dataset) => newestChoiceOf(dataset) ?? [])
    .reduce<NewestChoice | null>(
      (best, one) => (best === null || one.walk.sharpe > best.walk.sharpe ? one : best),
      null,
    );
