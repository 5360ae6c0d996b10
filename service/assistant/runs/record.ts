import type { ExecutionConfig } from '../../../engine/execution/index.js';
import { dailyReturns } from '../../../engine/metrics/index.js';
import { isoTime } from '../../../engine/series/index.js';
import { type LeaderFacts, leaderFacts } from '../../../engine/sweep/index.js';
import type { BacktestRun, BacktestTrade } from '../../../research/backtest/index.js';
import type { AccountCourse, PortfolioResult } from '../../../research/portfolio/index.js';

type Trade = RunFacts['trades'][number];

/** A trade, as an answer speaks of it. */
interface SaidTrade {
  readonly entry: string;
  readonly exit: string;
  /** Fraction of the entry price. */
  readonly share: number;
  readonly amount: number;
  readonly reason: string;
  /** The asset, where an account trades several; absent in older conversations. */
  readonly asset?: string;
}

/** What answers may say of a run, from its own record. Money is in the quote currency of the asset. */
export interface RunRecord {
  readonly initial: number;
  readonly profit: number;
  readonly fees: number;
  readonly slippage: number;
  readonly won: number;
  readonly lost: number;
  readonly worst: SaidTrade | null;
  /** Absent in older conversations, like the sums and the share of the time. */
  readonly best?: SaidTrade | null;
  /** What winning and losing trades made. */
  readonly gains?: number;
  readonly losses?: number;
  /** Share of the time with a position. */
  readonly exposure?: number;
  /** How long a trade lasted, on average. */
  readonly hours?: number;
  /** The longest row of losing trades. */
  readonly streak: {
    readonly count: number;
    readonly from: string;
    readonly to: string;
    readonly amount: number;
  } | null;
  /** Days of the peak and the low of the largest drawdown; null where the account never fell. */
  readonly drawdown: { readonly share: number; readonly peak: string; readonly low: string } | null;
  readonly exits: Readonly<Record<string, { readonly count: number; readonly amount: number }>>;
  /** Why nothing traded; null where something did. */
  readonly why_no_trade: string | null;
  /** Bars on which the trigger and all entry rules were true; null over several assets. */
  readonly trigger_true: number | null;
  readonly both_true: number | null;
  readonly bars: number;
  readonly exhausted_on: string | null;
  /** Trades of each side; absent where a run has no short side, and in older conversations. */
  readonly sides?: Readonly<Record<'long' | 'short', { readonly count: number; readonly amount: number }>>;
  /** What each member made, for one account over several assets; absent in older conversations. */
  readonly members?: RunFacts['members'];
  /** Settings with which it ran. */
  readonly settings: { readonly fee_pct: number; readonly slippage_pct: number; readonly max_risk_per_trade: number };
}

const day = (time: string): string => time.slice(0, 10);

export function recordRun(run: RunFacts): RunRecord {
  const { trades, diagnostics, config, members } = run;
  const sum = (of: (trade: Trade) => number) => trades.reduce((total, trade) => total + of(trade), 0);
  const extreme = (isBeyond: (one: number, other: number) => boolean): SaidTrade | null => {
    const found = trades.reduce<Trade | null>(
      (most, trade) => (most === null || isBeyond(trade.profit_loss, most.profit_loss) ? trade : most),
      null,
    );
    return found === null ? null : { ...saidTrade(found), ...(members.length === 0 ? {} : { asset: found.asset }) };
  };
  const exits: Record<string, { count: number; amount: number }> = {};
  for (const { exit_reason: reason, profit_loss: amount } of trades) {
    const before = exits[reason] ?? { count: 0, amount: 0 };
    exits[reason] = { count: before.count + 1, amount: before.amount + amount };
  }
  return {
    initial: config.initial_balance,
    profit: run.metrics.total_return * config.initial_balance,
    fees: sum((trade) => trade.fees),
    slippage: sum((trade) => trade.slippage_cost),
    won: trades.filter(({ profit_loss: amount }) => amount > 0).length,
    lost: trades.filter(({ profit_loss: amount }) => amount <= 0).length,
    worst: extreme((one, other) => one < other),
    best: extreme((one, other) => one > other),
    gains: sum(({ profit_loss: amount }) => Math.max(0, amount)),
    losses: sum(({ profit_loss: amount }) => Math.min(0, amount)),
    exposure: run.metrics.exposure,
    ...(trades.length === 0 ? {} : { hours: sum(hoursHeld) / trades.length }),
    streak: longestStreak(trades),
    drawdown: deepestDrawdown(run),
    exits,
    why_no_trade: trades.length > 0 ? null : (diagnostics?.verdict ?? null),
    trigger_true: diagnostics?.trigger_true ?? null,
    both_true: diagnostics?.both_true ?? null,
    bars: run.equity.length,
    exhausted_on: run.exhaustedOn,
    ...(run.sellsShort ? { sides: { long: ofSide(trades, 'long'), short: ofSide(trades, 'short') } } : {}),
    ...(members.length === 0 ? {} : { members }),
    settings: {
      fee_pct: config.fee_pct,
      slippage_pct: config.slippage_pct,
      max_risk_per_trade: config.max_risk_per_trade,
    },
  };
}

function ofSide(trades: readonly Trade[], side: 'long' | 'short') {
  const own = trades.filter((trade) => (trade.side === 'exit_short' ? 'short' : 'long') === side);
  return { count: own.length, amount: own.reduce((total, { profit_loss: amount }) => total + amount, 0) };
}

const hoursHeld = ({ entry_timestamp, exit_timestamp }: Trade): number =>
  (Date.parse(exit_timestamp) - Date.parse(entry_timestamp)) / 3_600_000;

const saidTrade = (trade: Trade): SaidTrade => ({
  entry: day(trade.entry_timestamp),
  exit: day(trade.exit_timestamp),
  share: trade.profit_loss_pct,
  amount: trade.profit_loss,
  reason: trade.exit_reason,
});

function longestStreak(trades: readonly Trade[]): RunRecord['streak'] {
  let best: Trade[] = [];
  let row: Trade[] = [];
  for (const trade of trades) {
    row = trade.profit_loss > 0 ? [] : [...row, trade];
    if (row.length > best.length) best = row;
  }
  const [first] = best;
  const last = best.at(-1);
  if (first === undefined || last === undefined) return null;
  return {
    count: best.length,
    from: day(first.entry_timestamp),
    to: day(last.exit_timestamp),
    amount: best.reduce((total, { profit_loss: amount }) => total + amount, 0),
  };
}

function deepestDrawdown({ equity, closes, config, start }: RunFacts): RunRecord['drawdown'] {
  let peak = { value: config.initial_balance, day: day(start) };
  let worst: RunRecord['drawdown'] = null;
  for (const [i, value] of equity.entries()) {
    const at = () => day(isoTime(closes[i] ?? Number.NaN));
    if (value > peak.value) peak = { value, day: at() };
    const share = (peak.value - value) / peak.value;
    if (share > (worst?.share ?? 0)) worst = { share, peak: peak.day, low: at() };
  }
  return worst;
}

/** What answers judge and speak of: a run of one asset, or one account over several. */
export interface RunFacts {
  /** One symbol, or the symbols of all members: `BTC, ETH, SOL` */
  readonly asset: string;
  readonly timeframe: string;
  readonly start: string;
  readonly config: ExecutionConfig;
  readonly metrics: Readonly<Record<'total_return' | 'exposure', number> & Record<'sharpe_ratio', number | null>>;
  readonly trades: readonly Pick<
    BacktestTrade,
    | ('asset' | 'entry_timestamp' | 'exit_timestamp' | 'side' | 'exit_reason')
    | ('profit_loss' | 'profit_loss_pct' | 'fees' | 'slippage_cost')
  >[];
  /** Value of the account at the close of each bar, and these times, epoch ms. */
  readonly equity: Float64Array;
  readonly closes: Float64Array;
  /** The day on which too little was left for another trade; null where enough was. */
  readonly exhaustedOn: string | null;
  readonly judged: LeaderFacts;
  /** Growth of the asset over the window, or of the assets held evenly, a fraction. */
  readonly marketReturn: number;
  readonly sellsShort: boolean;
  /** How often the rules held; null over several assets. */
  readonly diagnostics: BacktestRun['result']['diagnostics'] | null;
  /** What each member made; empty for one asset. */
  readonly members: readonly { readonly asset: string; readonly trades: number; readonly profit: number }[];
  /** What to know about the bars. */
  readonly cautions: readonly string[];
}

export function factsOfBacktest({ result, bars, first, simulation }: BacktestRun): RunFacts {
  const config = result.execution_config;
  const { equity, movedRanges, trades } = simulation;
  const daily = dailyReturns(bars, first, equity, movedRanges, config.initial_balance);
  return {
    ...{ asset: result.asset, timeframe: result.interval, start: result.window.start, config },
    ...{ metrics: result.metrics, trades: result.trades, equity },
    closes: Float64Array.from(equity, (_, i) => (bars.time[first + i] ?? Number.NaN) + bars.intervalMs),
    exhaustedOn: result.exhausted_on,
    judged: leaderFacts({ bars, first, trades, daily, daysPerYear: config.trading_days_per_year }),
    marketReturn: (bars.close[bars.barCount - 1] ?? Number.NaN) / (bars.open[first] ?? Number.NaN) - 1,
    sellsShort: result.side_metrics !== undefined,
    diagnostics: result.diagnostics,
    members: [],
    cautions: result.data.quality.map(({ message }) => message),
  };
}

export const factsOfPortfolio = (result: PortfolioResult, course: AccountCourse): RunFacts => ({
  asset: result.data.map(({ asset }) => asset).join(', '),
  ...{ timeframe: result.interval, start: result.window.start, config: result.execution_config },
  ...{ metrics: result.metrics, trades: result.trades, equity: course.equity, closes: course.closes },
  ...{ exhaustedOn: course.exhaustedOn, judged: course.facts, marketReturn: course.marketReturn },
  sellsShort: result.trades.some(({ side }) => side === 'exit_short'),
  diagnostics: null,
  members: result.members.map(({ asset, trades, profit }) => ({ asset, trades, profit })),
  cautions: result.warnings,
});
