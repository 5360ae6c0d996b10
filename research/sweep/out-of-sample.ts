import { betterSide, type MetricName, marketReturns, stated } from '../../engine/metrics/index.js';
import { type BarSeries, sliceBars } from '../../engine/series/index.js';
import { withinReach } from '../../engine/simd/index.js';
import { sharpeSample } from '../../engine/statistics/index.js';
import {
  type FurtherSeries,
  HistoryKernels,
  type Leader,
  type RunTable,
  tradedIn,
  type WalkForward,
  type WalkForwardFold,
} from '../../engine/sweep/index.js';
import { furtherOver } from './further.js';
import type { PreparedSweep } from './prepare-sweep.js';

const CACHE_BYTES_MAX = 64 * 1024 * 1024;

/** The walk-forward of one dataset. */
interface OutOfSample {
  readonly walkForward: WalkForward;
  /** Index, in the datasets of the definition, of the newest fold that has a leader. */
  readonly newest: number;
}

/**
 * Runs the leader of every fold over the fold's test window, with a fresh account, and joins the
 * windows of each dataset.
 * @returns results by index of the dataset in the sweep's list; a dataset on which no run traded is
 *   missing
 */
export function outOfSample(prepared: PreparedSweep, runs: RunTable, minTrades: number): Map<number, OutOfSample> {
  const { by: metric } = runs;
  const { definition, loaded } = prepared;
  const leaders = runs.leaders(minTrades, { isJudged: false });
  const found = new Map<number, OutOfSample>();
  for (const [source, { bars, further }] of loaded.entries()) {
    const places = [...definition.datasets.keys()].filter(
      // biome-ignore lint/style/noNonNullAssertion: place is an index of the datasets
      (place) => definition.datasets[place]!.fold?.source === source,
    );
    const led = places.filter((place) => leaders.has(place));
    if (led.length === 0) continue;
    // biome-ignore lint/style/noNonNullAssertion: led holds only places with a leader
    const leading = new Map(led.map((place) => [place, leaders.get(place)!]));
    const folds = withinReach(bars, (near) =>
      testLeaders(prepared, metric, { bars: near, further: furtherOver(near, further) }, leading),
    );
    found.set(source, {
      walkForward: { ...joinTested(folds, metric), metric, minTrades, foldsLeftOut: places.length - led.length },
      // biome-ignore lint/style/noNonNullAssertion: led is not empty here
      newest: led.at(-1)!,
    });
  }
  return found;
}

/** A fold with the daily returns of its test window. */
export interface TestedFold {
  readonly figures: WalkForwardFold;
  readonly returns: Float64Array;
  /** The same of holding the asset. */
  readonly market: Float64Array;
  /** Days of trading in a year, by the settings of the leader. */
  readonly daysPerYear: number;
}

/**
 * @param leaders by index of their fold in the datasets of the definition, all of one source
 */
function testLeaders(
  { definition, plan }: PreparedSweep,
  metric: MetricName,
  { bars, further }: { readonly bars: BarSeries; readonly further: FurtherSeries },
  leaders: ReadonlyMap<number, Leader>,
): TestedFold[] {
  return Array.from(leaders, ([place, { run, value, trades, count: trialCount }]) => {
    // biome-ignore lint/style/noNonNullAssertion: place is an index of a dataset with a fold
    const { train, test } = definition.datasets[place]!.fold!;
    const kernels = new HistoryKernels(definition, tradedIn({ bars, further }, test), CACHE_BYTES_MAX);
    const kernel = kernels.over(plan.run(run));
    const { metrics, config } = kernel.trace(plan.run(run));
    const returns = kernel.dailyReturns(plan.run(run));
    kernels.release();
    return {
      figures: {
        trainFrom: train.start_date,
        trainTo: train.end_date,
        testFrom: test.start_date,
        testTo: test.end_date,
        run,
        trialCount,
        trainTrades: trades,
        inSample: value,
        outOfSample: stated(metric, metrics).value,
        totalReturn: metrics.total_return,
        // biome-ignore lint/style/noNonNullAssertion: a test window has bars
        marketReturn: bars.close[test.to - 1]! / bars.open[test.from]! - 1,
        maxDrawdown: metrics.max_drawdown,
        trades: metrics.total_trades,
      },
      returns,
      market: marketReturns(sliceBars(bars, 0, test.to), test.from),
      daysPerYear: config.trading_days_per_year,
    };
  });
}

export function joinTested(
  tested: readonly TestedFold[],
  metric: MetricName,
): Omit<WalkForward, 'metric' | 'minTrades' | 'foldsLeftOut'> {
  const folds = tested.map(({ figures }) => figures);
  const mean = (of: (fold: WalkForwardFold) => number) => folds.reduce((sum, fold) => sum + of(fold), 0) / folds.length;
  const growth = (of: (fold: WalkForwardFold) => number) => folds.reduce((all, fold) => all * (1 + of(fold)), 1) - 1;
  const sharpe = (of: (fold: TestedFold) => Float64Array) => {
    const sample = sharpeSample(Float64Array.from(tested.flatMap((fold) => [...of(fold)])));
    return sample === null ? 0 : sample.sharpe * Math.sqrt(tested.at(-1)?.daysPerYear ?? Number.NaN);
  };
  return {
    folds,
    efficiency: betterSide(metric) === 'lower' ? null : meanEfficiency(folds),
    totalReturn: growth(({ totalReturn }) => totalReturn),
    sharpe: sharpe(({ returns }) => returns),
    marketReturn: growth(({ marketReturn }) => marketReturn),
    marketSharpe: sharpe(({ market }) => market),
    profitableFolds: mean(({ totalReturn }) => (totalReturn > 0 ? 1 : 0)),
  };
}

/** Over the folds that have the metric in both windows. */
function meanEfficiency(folds: readonly WalkForwardFold[]): number | null {
  let [inside, outside] = [0, 0];
  for (const { inSample, outOfSample } of folds) {
    if (inSample === null || outOfSample === null) continue;
    inside += inSample;
    outside += outOfSample;
  }
  return inside > 0 ? outside / inside : null;
}
