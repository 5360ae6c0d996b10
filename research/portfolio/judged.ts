import {
  type BarSeries,
  dailyReturns,
  type ExecutionConfig,
  exhaustedFrom,
  isoTime,
  type LeaderFacts,
  marketReturns,
  type PortfolioSimulation,
} from '../../engine/index.js';
import type { PortfolioRun } from './run-portfolio.js';

/** The account of a portfolio beside its market, the assets held evenly. */
interface Account {
  readonly market: BarSeries;
  readonly simulation: PortfolioSimulation;
  readonly config: ExecutionConfig;
}

export const dailyOf = ({ market, simulation: { equity }, config }: Account): Float64Array =>
  dailyReturns(market, 0, equity, Int32Array.of(0, equity.length), config.initial_balance);

/** Return of the assets held evenly: bought at the first open, held until the last close. */
export const marketReturn = ({ open, close, barCount }: BarSeries): number =>
  (close[barCount - 1] ?? Number.NaN) / (open[0] ?? Number.NaN) - 1;

/**
 * What a judgement of portfolios needs of the best one. Entries at random are not asked about,
 * since members trade assets of their own.
 */
export const leaderFactsOf = (account: Account): LeaderFacts => ({
  daysPerYear: account.config.trading_days_per_year,
  daily: dailyOf(account),
  market: marketReturns(account.market, 0),
  ...{ trades: [], open: account.market.open, close: account.market.close },
  tradeReturns: Float64Array.from(
    account.simulation.trades,
    ({ profitLoss, beginningBalance }) => profitLoss / beginningBalance,
  ),
});

/** The account of a finished run, as plain data that can leave its thread. */
export interface AccountCourse {
  /** The close of each time, epoch ms, and the value of the account then. */
  readonly closes: Float64Array;
  readonly equity: Float64Array;
  /** The day on which too little was left for another trade; null where enough was. */
  readonly exhaustedOn: string | null;
  readonly facts: LeaderFacts;
  readonly marketReturn: number;
}

export function courseOf({ result, simulation, market }: PortfolioRun): AccountCourse {
  const config = result.execution_config;
  const { equity, timeline } = simulation;
  const closes = timeline.times.map((time) => time + timeline.intervalMs);
  const from = exhaustedFrom(equity, config);
  return {
    ...{ closes, equity, facts: leaderFactsOf({ market, simulation, config }), marketReturn: marketReturn(market) },
    exhaustedOn: from === null ? null : isoTime(timeline.times[from] ?? Number.NaN).slice(0, 10),
  };
}
