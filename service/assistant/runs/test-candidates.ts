import { returnPeriods, sumByPeriod } from '../../../engine/statistics/index.js';
import {
  type AssessedLeader,
  type AssessmentInput,
  assessLeader,
  MIN_TRADES,
  NOTHING_EARLIER,
} from '../../../engine/sweep/index.js';
import { plainSpaces, verdictText } from '../../../report/index.js';
import { usual } from '../plan/apply.js';
import type { Plan, PlannedRule, StrategyConfig } from '../plan/plan.js';
import { defaultMonths } from '../plan/say.js';
import type { AssistantTools, Ran, TestWindow } from '../tools.js';
import type { Tested, Working } from '../working.js';
import { type RunFacts, recordRun } from './record.js';

/**
 * Runs the candidates of a conversation one after the other and judges them together.
 * @throws ApiError as `POST /backtests`
 */
export async function testCandidates(
  { candidates, collected: plan }: Pick<Working, 'candidates' | 'collected'>,
  tools: Pick<AssistantTools, 'runBacktest' | 'runPortfolio'>,
): Promise<Tested> {
  const asset = plan.asset ?? usual.asset;
  const timeframe = plan.timeframe ?? usual.timeframe;
  const window = testWindow(plan);
  const moved = candidates.map((config) => movedTo(config, asset, timeframe));
  const ran: Ran[] = [];
  for (const config of moved) {
    ran.push(
      plan.portfolio.length === 0
        ? await tools.runBacktest(config, timeframe, window)
        : await tools.runPortfolio(config, plan.portfolio, timeframe, window),
    );
  }
  const { best, verdict, luckP, marketReturn } = judge(ran.map(({ facts }) => facts));
  const { start_date: start, end_date: end } = (ran[0] as Ran).figures;
  return {
    candidates: moved.map((config, i) => {
      const { figures, facts } = ran[i] as Ran;
      return { config, figures, record: recordRun(facts) };
    }),
    ...{ best, verdict, luck_p: luckP, market_return: marketReturn, window: { start, end }, plan },
    ...(plan.portfolio.length === 0 ? {} : { assets: plan.portfolio }),
  };
}

/** A candidate for the asset and the timeframe of the plan. */
function movedTo(config: StrategyConfig, asset: string, timeframe: string): StrategyConfig {
  const move = (rules: readonly PlannedRule[]) => rules.map((rule) => ({ ...rule, timeframe }));
  const { entry, exit, short_entry, short_exit } = config;
  return {
    ...{ ...config, asset, entry: move(entry), exit: move(exit) },
    ...(short_entry === undefined ? {} : { short_entry: move(short_entry) }),
    ...(short_exit === undefined ? {} : { short_exit: move(short_exit) }),
  };
}

/** The window of a plan; without one, the last months. */
function testWindow({ start_date, end_date, lookback_months, timeframe }: Plan): TestWindow {
  if (start_date !== null) return { start_date, ...(end_date === null ? {} : { end_date }) };
  if (end_date !== null)
    return { start_date: monthsBefore(end_date, lookback_months ?? defaultMonths(timeframe)), end_date };
  return { lookback_months: lookback_months ?? defaultMonths(timeframe) };
}

/** The same day of an earlier month, or the first day of the next month where it has no such day. */
function monthsBefore(day: string, months: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() - months);
  return date.toISOString().slice(0, 10);
}

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
function judge(runs: readonly RunFacts[]): Judgement {
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
