import { EngineError } from '../../engine/errors.js';
import { betterSide, dailyReturns, type MetricName, rankingValue } from '../../engine/metrics/index.js';
import { DAY_MS } from '../../engine/series/index.js';
import { returnPeriods, sumByPeriod } from '../../engine/statistics/index.js';
import {
  type AssessmentTest,
  assessAcross,
  assessLeader,
  countTries,
  type EarlierTries,
  joinTries,
  type LeaderAssessment,
  leaderFacts,
  NOTHING_EARLIER,
  type TriedSweep,
} from '../../engine/sweep/index.js';
import { type AssetList, listAssets, onEach } from '../assets-held.js';
import type { BacktestRequest } from './prepare-run.js';
import { type BacktestResult, type BacktestRun, runBacktest, type Services } from './run-backtest.js';

/** What was tried on an asset before, from the ledger of tries. */
interface TriedOn {
  readonly tries: readonly string[];
  readonly sweeps: readonly TriedSweep[];
}

interface AcrossOptions {
  readonly assets: AssetList;
  /** The metric that ranks the assets. */
  readonly by: MetricName;
  /** What was tried before on an asset; default: nothing. */
  readonly triedOn?: ((asset: string) => Promise<TriedOn>) | undefined;
  /** Called with each run as it ends. */
  readonly onRun?: ((run: BacktestRun, total: number) => Promise<void>) | undefined;
}

/** The facts kept of a run: without its bars, since there may be hundreds of runs. */
interface RunFacts
  extends Pick<
    BacktestResult,
    'strategy' | 'asset' | 'window' | 'metrics' | 'trade_count' | 'denied_signals' | 'warnings'
  > {
  readonly run_id: string;
}

/** A strategy on one of several assets. */
export interface AssetRun {
  readonly facts: RunFacts;
  /** Ended with more than it started with. */
  readonly earned: boolean;
  /**
   * Share of strategies without skill whose best of so many assets does as well, counting
   * everything ever tried on this one; null without trades, or with too few days.
   */
  readonly luckP: number | null;
  /** The strictest test that it fails as one picked from them; null where it passes all. */
  readonly fails: AssessmentTest | null;
}

export interface AcrossAssets {
  readonly by: MetricName;
  /** Best first; those without trades or without a value last. */
  readonly ranked: readonly AssetRun[];
  /** Assets that could not run, with the reason. */
  readonly leftOut: readonly { readonly asset: string; readonly reason: string }[];
  readonly earned: number;
  readonly traded: number;
  readonly medianReturn: number;
  readonly meanReturn: number;
  /** The same money on each asset: of its daily returns, as a single try that nobody picked. */
  readonly together: Together | null;
}

interface Together {
  readonly days: number;
  /** Annualized, of daily returns. */
  readonly sharpe: number | null;
  /** Probability that the true Sharpe ratio is above 0. */
  readonly probabilisticSharpe: number | null;
  /** Share of strategies without skill that do as well. */
  readonly luckP: number | null;
}

/**
 * Runs one strategy on several assets, one after the other, and judges each as one that could be
 * picked from all of them.
 *
 * @throws EngineError for anything that the caller can fix; of `all` assets, assets that cannot run
 * are left out, unless no asset can
 */
export async function backtestAssets(
  request: Omit<BacktestRequest, 'asset'>,
  { assets: list, by, triedOn, onRun }: AcrossOptions,
  services: Services,
): Promise<AcrossAssets> {
  if (request.interval === undefined) {
    throw new EngineError('MISSING_FIELD', 'interval is required', { field: 'interval' });
  }
  const assets = await listAssets(list, request.interval, services.store);
  const { ran, leftOut } = await onEach(list, assets, async (asset) => {
    const run = await runBacktest({ ...request, asset }, services);
    const judged = await judgeRun(run, triedOn);
    await onRun?.(run, assets.length);
    return judged;
  });
  return summariseRuns(ran, leftOut, by);
}

interface JudgedRun {
  readonly facts: RunFacts;
  /** Null without trades. */
  readonly trust: LeaderAssessment | null;
  /** Return of each UTC day with bars. */
  readonly daily: Float64Array;
  readonly days: readonly number[];
  readonly daysPerYear: number;
}

async function judgeRun(run: BacktestRun, triedOn: AcrossOptions['triedOn']): Promise<JudgedRun> {
  const { strategy, asset, window, metrics, trade_count, denied_signals, warnings, manifest } = run.result;
  const daily = runDailyReturns(run);
  return {
    facts: { strategy, asset, window, metrics, trade_count, denied_signals, warnings, run_id: manifest.run_id },
    trust: await assessedTogether(run, daily, triedOn),
    daily,
    days: utcDays(run),
    daysPerYear: run.result.execution_config.trading_days_per_year,
  };
}

function summariseRuns(runs: readonly JudgedRun[], leftOut: AcrossAssets['leftOut'], by: MetricName): AcrossAssets {
  const judged = runs.flatMap(({ facts, trust }) => (trust === null ? [] : [{ facts, trust }]));
  const across = assessAcross(judged.map(({ trust }) => trust));
  const ranked = runs
    .map(({ facts, trust }): AssetRun => {
      const place = judged.findIndex((one) => one.facts === facts);
      const whole = across[place] ?? null;
      const own = trust === null ? null : (trust.everTried?.luckP ?? trust.luckP);
      return {
        facts,
        earned: totalReturn(facts) > 0,
        luckP: whole === null ? own : whole.luckP,
        fails: whole === null ? (trust?.fails ?? null) : whole.fails,
      };
    })
    .sort((a, b) => sortValue(b, by) - sortValue(a, by) || (a.facts.asset < b.facts.asset ? -1 : 1));
  const returns = runs.map(({ facts }) => totalReturn(facts)).sort((a, b) => a - b);
  return {
    by,
    ranked,
    leftOut,
    earned: ranked.filter(({ earned }) => earned).length,
    traded: judged.length,
    medianReturn: middleValue(returns),
    meanReturn: returns.reduce((sum, one) => sum + one, 0) / returns.length,
    together: judged.length < 2 ? null : joinRuns(runs),
  };
}

const totalReturn = ({ metrics }: RunFacts): number => metrics.total_return ?? 0;

/** The larger the better; a run without trades or without a value comes last. */
function sortValue({ facts: { metrics, trade_count } }: AssetRun, by: MetricName): number {
  const value = trade_count === 0 ? null : rankingValue(by, metrics);
  if (value === null || Number.isNaN(value)) return -Number.MAX_VALUE;
  const capped = Math.max(-Number.MAX_VALUE / 2, Math.min(Number.MAX_VALUE / 2, value)); // a ratio may have no denominator
  return betterSide(by) === 'lower' ? -capped : capped;
}

function middleValue(sorted: readonly number[]): number {
  const middle = sorted.length >> 1;
  const [low = Number.NaN, high = Number.NaN] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[middle]];
  return (low + high) / 2;
}

function runDailyReturns({ bars, first, simulation, result }: BacktestRun): Float64Array {
  const whole = Int32Array.of(0, simulation.equity.length);
  return dailyReturns(bars, first, simulation.equity, whole, result.execution_config.initial_balance);
}

/** Seed of the resamples: the same run is judged alike everywhere. */
const SEED = 42;

/** How far a run can be trusted as the only try of this command on its asset; null without trades. */
async function assessedTogether(
  run: BacktestRun,
  daily: Float64Array,
  triedOn: AcrossOptions['triedOn'],
): Promise<LeaderAssessment | null> {
  const { result, bars, first, simulation, tried } = run;
  if (simulation.trades.length === 0) return null;
  const { trading_days_per_year: daysPerYear } = result.execution_config;
  return assessLeader({
    ...leaderFacts({ bars, first, trades: simulation.trades, daily, daysPerYear }),
    trials: asTrial(daily),
    leader: 0,
    trialCount: 1,
    startup: null,
    seed: SEED,
    earlier: tried === null ? NOTHING_EARLIER : earlierTries(tried.identity, await triedOn?.(tried.asset)),
  });
}

function asTrial(daily: Float64Array) {
  const periods = returnPeriods(daily.length);
  const values = new Float32Array(periods.count);
  sumByPeriod(daily, periods, values);
  return { rowCount: 1, periodCount: periods.count, values };
}

function earlierTries(identity: string, before: TriedOn | undefined): EarlierTries {
  if (before === undefined) return NOTHING_EARLIER;
  const kept = joinTries([identity], before.tries);
  const all = countTries(kept);
  const others = kept.filter((one) => one !== identity).length;
  const earlier = kept.length === 0 ? 0 : Math.round((all * others) / kept.length);
  return { all, earlier, sweeps: before.sweeps, otherAssets: 0 };
}

/** The same money on each asset, day by day; an asset without bars on a day counts as money. */
function joinRuns(runs: readonly JudgedRun[]): Together {
  const byDay = new Map<number, number>();
  for (const { daily, days } of runs) {
    for (const [d, change] of daily.entries()) {
      const day = days[d] as number; // one for each return
      byDay.set(day, (byDay.get(day) ?? 0) + change / runs.length);
    }
  }
  const daily = Float64Array.from(
    [...byDay].sort(([a], [b]) => a - b),
    ([, change]) => change,
  );
  const [{ daysPerYear }] = runs as readonly [JudgedRun];
  const trust = assessLeader({
    trials: asTrial(daily),
    ...{ leader: 0, trialCount: 1, startup: null, seed: SEED, earlier: NOTHING_EARLIER, daily },
    daysPerYear,
    // It has no market and no trades of its own: only luck is asked about.
    ...{ market: new Float64Array(daily.length), trades: [], tradeReturns: new Float64Array(0) },
    ...{ open: new Float64Array(0), close: new Float64Array(0) },
  });
  const { sharpe, probabilisticSharpe, luckP } = trust;
  return { days: daily.length, sharpe, probabilisticSharpe, luckP };
}

/** The UTC days of the bars of a run, one for each daily return. */
function utcDays({ bars, first }: BacktestRun): number[] {
  const days: number[] = [];
  for (const openMs of bars.time.subarray(first, bars.barCount)) {
    const day = Math.floor(openMs / DAY_MS);
    if (day !== days.at(-1)) days.push(day);
  }
  return days;
}

/** The figures of a run on an asset, for a table or JSON. */
export function assetFigures(
  { facts, earned, luckP, fails }: AssetRun,
  by: MetricName,
): Readonly<Record<string, unknown>> {
  const { asset, window, metrics, trade_count, warnings, run_id } = facts;
  return {
    asset,
    start: window.start,
    end: window.end,
    [by]: metrics[by],
    total_return: metrics.total_return,
    benchmark_asset_return: metrics.benchmark_asset_return,
    sharpe_ratio: metrics.sharpe_ratio,
    max_drawdown: metrics.max_drawdown,
    win_rate: metrics.win_rate,
    total_trades: trade_count,
    earned,
    luck_p: luckP,
    fails,
    warnings,
    run_id,
  };
}
