import { betterSide, type MetricName } from '../metrics/index.js';
import { type AssessmentTest, type LeaderAssessment, strictestFailed } from './assess-leader.js';

/** A leader judged as one that could be picked from several datasets of a sweep. */
export interface WholeSweep {
  /** Datasets with a leader. */
  readonly datasets: number;
  /** Tries that traded, on all of them. */
  readonly trialCount: number;
  /** As in `LeaderAssessment`, for the best of that many datasets. */
  readonly luckP: number | null;
  readonly marketP: number | null;
  readonly timingP: number | null;
  readonly fillsP: number | null;
  readonly fails: AssessmentTest | null;
}

type Judged = Pick<LeaderAssessment, 'trialCount' | 'luckP' | 'marketP' | 'timing' | 'fills' | 'everTried'>;

/**
 * Each leader of a sweep over several datasets, judged as the one that is picked because it looks
 * best: a p-value times the number of datasets, 1 at most. Bonferroni's bound holds however the
 * datasets are related; for unrelated ones it is nearly exact at small p-values. The p-values cover
 * everything ever tried, and other assets on which the plan was tried count as datasets.
 *
 * @returns in the order of the leaders; null where there is a single one, which was not picked
 */
export function assessAcross(leaders: readonly Judged[]): readonly (WholeSweep | null)[] {
  const datasets = leaders.length;
  if (datasets < 2) return leaders.map(() => null);
  const trialCount = leaders.reduce((sum, one) => sum + one.trialCount, 0);
  return leaders.map(({ everTried, ...own }) => {
    const { otherAssets, luckP, marketP, timingP, fillsP } = everTried ?? {
      ...{ otherAssets: 0, luckP: own.luckP, marketP: own.marketP },
      ...{ timingP: own.timing?.pValue ?? null, fillsP: own.fills?.pValue ?? null },
    };
    // Of one dataset and the other assets these are p-values already.
    const times = (datasets + otherAssets) / (1 + otherAssets);
    const picked = (p: number | null): number | null => (p === null ? null : Math.min(1, p * times));
    const p = { luck: picked(luckP), market: picked(marketP), timing: picked(timingP), fills: picked(fillsP) };
    return {
      ...{ datasets, trialCount, luckP: p.luck, marketP: p.market, timingP: p.timing, fillsP: p.fills },
      fails: strictestFailed(p),
    };
  });
}

interface Led {
  readonly leader: { readonly metric: MetricName; readonly value: number | null };
}

/** Judged datasets by the metric of their leaders, the best first; those without a value last. */
export function leadersFirst<T extends Led>(datasets: readonly T[]): T[] {
  const worth = ({ leader: { metric, value } }: Led): number => {
    if (value === null || Number.isNaN(value)) return -Infinity;
    return betterSide(metric) === 'lower' ? -value : value;
  };
  const ascending = (a: number, b: number): number => (a < b ? -1 : a > b ? 1 : 0);
  return [...datasets].sort((a, b) => ascending(worth(b), worth(a)));
}
