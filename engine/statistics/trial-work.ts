import { type BestOfManyTests, isTestable, joinLuck, type LuckPart, luckPart, RESAMPLES } from './best-of-many.js';
import { measureOverfitting, type Overfitting, splitEdges } from './overfitting.js';
import { SplitMix64 } from './random.js';
import { keptResamples } from './resample-means.js';
import { joinBests, joinRanks, type SplitBests, type SplitCounts, splitBests, splitCounts } from './split-ranks.js';
import type { RowRange, TrialReturns } from './trial-returns.js';

export interface LuckQuestion {
  readonly seed: number;
  readonly meanBlock: number;
  readonly market: Float64Array;
}

/** The work on a range of trials that one thread does by itself. */
export const trialWork = {
  luck: (trials: TrialReturns, rows: RowRange, { seed, ...question }: LuckQuestion): LuckPart => {
    const resamples = keptResamples(seed, RESAMPLES, trials.periodCount, question.meanBlock);
    return luckPart(trials, { random: new SplitMix64(seed), ...question, resamples }, rows);
  },
  bests: (trials: TrialReturns, rows: RowRange, { edges }: { readonly edges: readonly number[] }): SplitBests =>
    splitBests(trials, edges, rows),
  counts: (
    trials: TrialReturns,
    rows: RowRange,
    { edges, partners }: { readonly edges: readonly number[]; readonly partners: Float64Array },
  ): SplitCounts => splitCounts(trials, edges, partners, rows),
};

export type TrialWork = typeof trialWork;

/** Does one kind of work on a range, perhaps in another thread. */
export type PerformTrialWork = <Kind extends keyof TrialWork>(
  kind: Kind,
  rows: RowRange,
  question: Parameters<TrialWork[Kind]>[2],
) => Promise<ReturnType<TrialWork[Kind]>>;

export interface AssessedTrials {
  readonly tests: BestOfManyTests | null;
  readonly overfitting: Overfitting | null;
}

/**
 * `testBestOfMany` and `backtestOverfitting` of the same trials, divided into ranges. The results
 * do not depend on how many there are.
 */
export async function assessInParts(
  trials: TrialReturns,
  question: LuckQuestion,
  parts: number,
  perform: PerformTrialWork,
): Promise<AssessedTrials> {
  const rows = ranges(trials.rowCount, parts);
  const onAll = <Kind extends keyof TrialWork>(kind: Kind, asked: Parameters<TrialWork[Kind]>[2]) =>
    Promise.all(rows.map((range) => perform(kind, range, asked)));
  const edges = splitEdges(trials);
  const ranked = async (): Promise<Overfitting | null> => {
    if (edges === null) return null;
    const bests = joinBests(await onAll('bests', { edges }));
    const counts = await onAll('counts', { edges, partners: bests.partners });
    return measureOverfitting(joinRanks(edges, bests, counts), trials.rowCount);
  };
  const [overfitting, luck] = await Promise.all([ranked(), isTestable(trials) ? onAll('luck', question) : null]);
  return { tests: luck && joinLuck(luck), overfitting };
}

/** Adjoining ranges of about the same length. */
function ranges(rowCount: number, parts: number): RowRange[] {
  const edge = (k: number): number => Math.floor((k * rowCount) / parts);
  return Array.from({ length: parts }, (_, k) => ({ from: edge(k), to: edge(k + 1) })).filter(
    ({ from, to }) => from < to,
  );
}
