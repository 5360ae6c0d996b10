import type { WalkForward } from '../../engine/sweep/index.js';
import type { SheetDataset, SheetRun, SweepSheet } from './sheet.js';

/**
 * A walk-forward and the run that its newest training window chose: the run that a trader would use
 * next.
 */
export interface NewestChoice {
  readonly run: SheetRun;
  readonly walk: WalkForward;
}

/** Null if the sweep does not walk forward or no run of the dataset traded. */
export function findNewestChoice({ leader, honesty }: SheetDataset): NewestChoice | null {
  const walk = honesty?.walkForward ?? null;
  return leader === null || walk === null || walk.folds.length === 0 ? null : { run: leader, walk };
}

/**
 * The newest choice of a walk-forward sweep. With several datasets, it is the choice on the dataset
 * whose walk-forward has the highest Sharpe ratio out of sample. In-sample figures do not decide:
 * the best of all training windows is only the luckiest.
 */
export const walkForwardWinner = ({ datasets }: Pick<SweepSheet, 'datasets'>): NewestChoice | null =>
  datasets
    .flatMap((dataset) => findNewestChoice(dataset) ?? [])
    .reduce<NewestChoice | null>(
      (best, one) => (best === null || one.walk.sharpe > best.walk.sharpe ? one : best),
      null,
    );
