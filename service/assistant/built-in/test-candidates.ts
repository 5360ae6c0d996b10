import type { PlannedRule, StrategyConfig } from '../candidate.js';
import type { Collected, Tested, Working } from '../mind.js';
import type { AssistantTools, Ran, TestWindow } from '../tools.js';
import { judge } from './judge.js';
import { usual } from './propose.js';
import { recordOf } from './record.js';

const MONTHS_DEFAULT = 36;
const SHORT_BARS_MONTHS = 12;

/**
 * Runs the candidates of a conversation and judges them together.
 * @throws ApiError as `POST /backtests`
 */
export async function testCandidates(
  { candidates, collected }: Pick<Working, 'candidates' | 'collected'>,
  tools: Pick<AssistantTools, 'runBacktest' | 'runPortfolio'>,
): Promise<Tested> {
  const { asset, timeframe } = {
    asset: collected.asset ?? usual.asset,
    timeframe: collected.timeframe ?? usual.timeframe,
  };
  const moved = candidates.map((config) => movedTo(config, asset, timeframe));
  const window = windowOf(collected);
  const { portfolio } = collected;
  if (portfolio.length === 0)
    return judged(moved, await runAll(moved, (config) => tools.runBacktest(config, timeframe, window)));
  const ran = await runAll(moved, (config) => tools.runPortfolio(config, portfolio, timeframe, window));
  return { ...judged(moved, ran), assets: portfolio };
}

/** Runs definitions one after the other. */
export async function runAll(
  configs: readonly StrategyConfig[],
  run: (config: StrategyConfig) => Promise<Ran>,
): Promise<Ran[]> {
  const ran: Ran[] = [];
  for (const config of configs) ran.push(await run(config));
  return ran;
}

/** @param ran one run for each definition, at least one */
export function judged(configs: readonly StrategyConfig[], ran: readonly Ran[]): Tested {
  const { best, verdict, belief, luckP, marketReturn } = judge(ran.map(({ facts }) => facts));
  const { start_date: start, end_date: end } = (ran[0] as Ran).figures;
  return {
    candidates: configs.map((config, i) => ({
      config,
      figures: (ran[i] as Ran).figures,
      record: recordOf((ran[i] as Ran).facts),
    })),
    ...{ best, verdict, belief, luck_p: luckP, market_return: marketReturn, window: { start, end } },
  };
}

/** A candidate for the asset and timeframe that the user has changed to since. */
function movedTo(config: StrategyConfig, asset: string, timeframe: string): StrategyConfig {
  const move = (rules: readonly PlannedRule[]) => rules.map((rule) => ({ ...rule, timeframe }));
  const { short_entry, short_exit } = config;
  return {
    ...{ ...config, asset, entry: move(config.entry), exit: move(config.exit) },
    ...(short_entry === undefined ? {} : { short_entry: move(short_entry) }),
    ...(short_exit === undefined ? {} : { short_exit: move(short_exit) }),
  };
}

export function windowOf({ start_date, end_date, lookback_months, timeframe }: Collected): TestWindow {
  if (start_date !== null) return { start_date, ...(end_date === null ? {} : { end_date }) };
  if (end_date !== null) return { start_date: monthsBefore(end_date, lookback_months ?? MONTHS_DEFAULT), end_date };
  const isShort = timeframe === '5m' || timeframe === '15m' || timeframe === '30m';
  return { lookback_months: lookback_months ?? (isShort ? SHORT_BARS_MONTHS : MONTHS_DEFAULT) };
}

/** The same day of an earlier month, or the first day of the next month where it has no such day. */
function monthsBefore(day: string, months: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() - months);
  return date.toISOString().slice(0, 10);
}
