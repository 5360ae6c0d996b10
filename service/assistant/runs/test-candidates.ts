import { usual } from '../plan/apply.js';
import type { PlannedRule, StrategyConfig } from '../plan/candidate.js';
import type { Plan } from '../plan/plan.js';
import { defaultMonths } from '../plan/say.js';
import type { AssistantTools, Ran, TestWindow } from '../tools.js';
import type { Tested, Working } from '../working.js';
import { judge } from './judge.js';
import { recordRun } from './record.js';

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
