import { returnPeriods, sumByPeriod } from '../../../engine/statistics/index.js';
import {
  type AssessedLeader,
  type AssessmentInput,
  assessLeader,
  MIN_TRADES,
  NOTHING_EARLIER,
} from '../../../engine/sweep/index.js';
import { plainSpaces, verdictText } from '../../../report/index.js';
import type { RunFacts } from './run-facts.js';

/** What a few candidates over the same bars are worth together. */
interface Judgement {
  /** Place of the leader; null if none traded. See `Tested`. */
  readonly best: number | null;
  readonly verdict: string;
  readonly luckP: number | null;
  /** Growth of what was traded over the window, a fraction. */
  readonly marketReturn: number;
}

const SEED = 1;

/**
 * Judges the best of the candidates as the best run of a sweep of that size, with the same
 * statistics and the same words.
 * @param runs of the same assets, timeframe and window; at least one
 */
export function judge(runs: readonly RunFacts[]): Judgement {
  const traded = runs.flatMap((run, place) => (run.trades.length > 0 ? [{ run, place }] : []));
  const { marketReturn } = runs[0] as RunFacts;
  const sharpe = ({ run }: { readonly run: RunFacts }) => run.metrics.sharpe_ratio ?? Number.NEGATIVE_INFINITY;
  const eligible = traded.filter(({ run }) => run.trades.length >= MIN_TRADES);
  // The verdict names the candidates among which the leader is the best, so it must be one of them.
  const leader = (eligible.length > 0 ? eligible : traded).reduce<(typeof traded)[number] | null>(
    (best, each) => (best === null || sharpe(each) > sharpe(best) ? each : best),
    null,
  );
  if (leader === null) {
    return { best: null, verdict: 'No candidate traded in this window.', luckP: null, marketReturn };
  }
  const { asset, timeframe, metrics, trades, exhaustedOn, cautions } = leader.run;
  const { steps, ...trust } = assessLeader(
    assessmentInput(
      traded.map((each) => each.run),
      traded.indexOf(leader),
    ),
  );
  const honesty: AssessedLeader = {
    ...trust,
    ...{ asset, timeframe },
    leader: { run: leader.place + 1, metric: 'sharpe_ratio', value: metrics.sharpe_ratio, trades: trades.length },
    minTrades: MIN_TRADES,
    eligibleTrials: eligible.length,
    steps: steps.map(({ row: place, ...step }) => ({ ...step, run: (traded[place]?.place ?? 0) + 1 })),
    sampledTrials: traded.length,
    plateau: { neighbours: 0, mean: null },
    profitableTrials: traded.filter((each) => each.run.metrics.total_return > 0).length,
    bestReturn: Math.max(...traded.map((each) => each.run.metrics.total_return)),
    costStress: [
      { factor: 1, sharpe: metrics.sharpe_ratio ?? Number.NaN, totalReturn: metrics.total_return, exhaustedOn },
    ],
    wholeSweep: null,
    walkForward: null,
    warnings: cautions,
  };
  return {
    best: leader.place,
    verdict: plainSpaces(verdictText(honesty))
      .replace(/\bRun (?=\d)/g, 'Candidate ')
      .replace(/\brun (?=\d)/g, 'candidate '),
    luckP: trust.luckP,
    marketReturn,
  };
}

/** What the statistics of a sweep need of these runs, the leader in row `row`. */
function assessmentInput(runs: readonly RunFacts[], row: number): AssessmentInput {
  const periods = returnPeriods(runs[0]?.judged.daily.length ?? 0);
  const values = new Float32Array(runs.length * periods.count);
  for (const [i, { judged }] of runs.entries()) {
    sumByPeriod(judged.daily, periods, values.subarray(i * periods.count, (i + 1) * periods.count));
  }
  return {
    trials: { rowCount: runs.length, periodCount: periods.count, values },
    leader: row,
    trialCount: runs.length,
    startup: null,
    ...(runs[row] as RunFacts).judged,
    seed: SEED,
    earlier: NOTHING_EARLIER,
  };
}
