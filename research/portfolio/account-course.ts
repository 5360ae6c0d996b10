import { type ExecutionConfig, exhaustedFrom } from '../../engine/execution/index.js';
import { dailyReturns, marketReturns } from '../../engine/metrics/index.js';
import type { PortfolioSimulation } from '../../engine/portfolio/index.js';
import { type BarSeries, isoTime } from '../../engine/series/index.js';
import { type HeldShare, SplitMix64, sharedTimingTest } from '../../engine/statistics/index.js';
import type { LeaderFacts } from '../../engine/sweep/index.js';
import type { WindowBars } from '../window-bars.js';
import type { PortfolioRun } from './run-portfolio.js';

/** The account of a portfolio beside its market, the assets held evenly. */
interface Account {
  readonly market: BarSeries;
  readonly simulation: PortfolioSimulation;
  readonly config: ExecutionConfig;
  /** Of the members or assets. */
  readonly parts: readonly Traded[];
}

/** Bars with the first tradable one. */
type Traded = Pick<WindowBars, 'bars' | 'first'>;

export const accountDailyReturns = ({ market, simulation: { equity }, config }: Account): Float64Array =>
  dailyReturns(market, 0, equity, Int32Array.of(0, equity.length), config.initial_balance);

/** Return of the assets held evenly: bought at the first open, held until the last close. */
export const marketReturn = ({ open, close, barCount }: BarSeries): number =>
  (close[barCount - 1] ?? Number.NaN) / (open[0] ?? Number.NaN) - 1;

/** Seed of the random dates: the same run is judged alike everywhere. */
const SEED = 42;

/**
 * What a judgement of portfolios needs of the best one.
 * @param account of a run that kept its courses
 */
export const leaderFacts = (account: Account): LeaderFacts => ({
  daysPerYear: account.config.trading_days_per_year,
  daily: accountDailyReturns(account),
  market: marketReturns(account.market, 0),
  trades: [],
  timed: sharedTimingTest(
    account.simulation.rebalances.length > 0 ? sharesHeld(account) : sharesTraded(account),
    account.parts.map(({ bars: { open, close }, first }) => ({
      open: open.subarray(first),
      close: close.subarray(first),
    })),
    { random: new SplitMix64(SEED) },
  ),
  ...{ open: account.market.open, close: account.market.close },
  tradeReturns: Float64Array.from(
    account.simulation.trades,
    ({ profitLoss, beginningBalance }) => profitLoss / beginningBalance,
  ),
});

/** What members with rules held: their trades. */
const sharesTraded = ({ simulation, parts }: Account): HeldShare[] =>
  simulation.trades.map(({ member, entryBar, barsHeld, size, entryPrice, beginningBalance, details }) => ({
    ...{ market: member, entryBar: entryBar - (parts[member]?.first ?? 0), barsHeld },
    share: ((details?.side === 'short' ? -1 : 1) * size * entryPrice) / beginningBalance,
  }));

/** Units of one asset that differ by less are the same, as they come of weights. */
const ROUNDING = 1e-9;

/**
 * What an allocation held: of each asset, from each open at which its units changed to the next. Its
 * trades are sales of what was bought at several times.
 */
function sharesHeld({ simulation, parts, config }: Account): HeldShare[] {
  const { timeline, values, courses } = simulation;
  return parts.flatMap(({ bars, first }, market) => {
    const held: HeldShare[] = [];
    let [units, from, share] = [0, 0, 0];
    const end = (bar: number) => {
      if (units > 0 && bar > from) held.push({ market, entryBar: from - first, barsHeld: bar - from, share });
    };
    for (const [i, bar] of (timeline.bars[market] ?? []).entries()) {
      if (bar < 0 || i === values.length - 1) continue; // everything is sold at the last close
      const now = ((courses?.weights[market]?.[i] ?? 0) * (values[i] ?? 0)) / (bars.close[bar] ?? Number.NaN);
      if (Math.abs(now - units) <= ROUNDING * units) continue;
      end(bar);
      share =
        (now * (bars.open[bar] ?? Number.NaN)) / (i === 0 ? config.initial_balance : (values[i - 1] ?? Number.NaN));
      [units, from] = [now, bar];
    }
    end(bars.barCount);
    return held;
  });
}

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

export function accountCourse({ result, simulation, market, parts }: PortfolioRun): AccountCourse {
  const config = result.execution_config;
  const { equity, timeline } = simulation;
  const closes = timeline.times.map((time) => time + timeline.intervalMs);
  const from = exhaustedFrom(equity, config);
  return {
    ...{
      closes,
      equity,
      facts: leaderFacts({ market, simulation, config, parts }),
      marketReturn: marketReturn(market),
    },
    exhaustedOn: from === null ? null : isoTime(timeline.times[from] ?? Number.NaN).slice(0, 10),
  };
}
