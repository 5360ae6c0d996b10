import { queryResults } from '../../data/sweeps/index.js';
import {
  type BarSeries,
  barsPerYear,
  DAY_MS,
  type MetricName,
  sharpeSample,
  type WalkForward,
  type WalkForwardFold,
  type WalkForwardSettings,
  WindowKernels,
  withinReach,
} from '../../engine/index.js';
import { keyColumns, keyOf } from './dataset-rows.js';
import type { PreparedSweep } from './run-sweep.js';

/** The best run of a training window. */
interface Leader {
  readonly run: number;
  readonly value: number;
  /** Number of runs that traded in the window. */
  readonly trialCount: number;
}

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
export async function outOfSample(
  prepared: PreparedSweep,
  { metric }: WalkForwardSettings,
  folder: string,
): Promise<Map<number, OutOfSample>> {
  const { definition, loaded } = prepared;
  const leaders = await leadersOf(prepared, folder, metric);
  const found = new Map<number, OutOfSample>();
  for (const [source, { bars }] of loaded.entries()) {
    const places = [...definition.datasets.keys()].filter(
      // biome-ignore lint/style/noNonNullAssertion: place is an index of the datasets
      (place) => definition.datasets[place]!.fold?.source === source,
    );
    const led = places.filter((place) => leaders.has(place));
    if (led.length === 0) continue;
    // biome-ignore lint/style/noNonNullAssertion: led holds only places with a leader
    const leading = new Map(led.map((place) => [place, leaders.get(place)!]));
    const folds = withinReach(bars, (near) => testLeaders(prepared, metric, near, leading));
    found.set(source, {
      walkForward: { ...joined(folds), metric, foldsLeftOut: places.length - led.length },
      // biome-ignore lint/style/noNonNullAssertion: led is not empty here
      newest: led.at(-1)!,
    });
  }
  return found;
}

/** A fold with the daily returns of its test window. */
interface TestedFold {
  readonly figures: WalkForwardFold;
  readonly returns: Float64Array;
}

/**
 * @param leaders by index of their fold in the datasets of the definition, all of one source
 */
function testLeaders(
  { definition, plan }: PreparedSweep,
  metric: MetricName,
  bars: BarSeries,
  leaders: ReadonlyMap<number, Leader>,
): TestedFold[] {
  const kernels = new WindowKernels(definition, bars, CACHE_BYTES_MAX);
  try {
    return Array.from(leaders, ([place, { run, value, trialCount }]) => {
      // biome-ignore lint/style/noNonNullAssertion: place is an index of a dataset with a fold
      const { train, test } = definition.datasets[place]!.fold!;
      const kernel = kernels.over(test);
      const { metrics } = kernel.trace(plan.run(run));
      const returns = kernel.dailyReturns(plan.run(run));
      kernel.release();
      return {
        figures: {
          trainFrom: train.start_date,
          trainTo: train.end_date,
          testFrom: test.start_date,
          testTo: test.end_date,
          run,
          trialCount,
          inSample: value,
          // biome-ignore lint/style/noNonNullAssertion: a sweep ranks only by metrics that are numbers
          outOfSample: metrics[metric]!,
          totalReturn: metrics.total_return,
          maxDrawdown: metrics.max_drawdown,
          trades: metrics.total_trades,
        },
        returns,
      };
    });
  } finally {
    kernels.release();
  }
}

function joined(tested: readonly TestedFold[]): Omit<WalkForward, 'metric' | 'foldsLeftOut'> {
  const folds = tested.map(({ figures }) => figures);
  const mean = (of: (fold: WalkForwardFold) => number) => folds.reduce((sum, fold) => sum + of(fold), 0) / folds.length;
  const inSample = mean((fold) => fold.inSample);
  const sample = sharpeSample(Float64Array.from(tested.flatMap(({ returns }) => [...returns])));
  return {
    folds,
    efficiency: inSample > 0 ? mean((fold) => fold.outOfSample) / inSample : null,
    totalReturn: folds.reduce((growth, { totalReturn }) => growth * (1 + totalReturn), 1) - 1,
    sharpe: sample === null ? 0 : sample.sharpe * Math.sqrt(barsPerYear(DAY_MS)),
    profitableFolds: mean(({ totalReturn }) => (totalReturn > 0 ? 1 : 0)),
  };
}

/** Leaders by index in the definition's datasets. On a tie the first run leads. */
async function leadersOf(
  { definition }: PreparedSweep,
  folder: string,
  metric: MetricName,
): Promise<Map<number, Leader>> {
  const { rows } = await queryResults(
    [folder],
    `SELECT first(run_index ORDER BY ${metric} DESC, run_index), max(${metric}), count(*), ${keyColumns.join(', ')}
     FROM results WHERE status = 'ok' GROUP BY ALL`,
  );
  const found = new Map(rows.map(([run, value, count, ...key]) => [key.join(' '), [run, value, count].map(Number)]));
  const leaders = new Map<number, Leader>();
  for (const [place, dataset] of definition.datasets.entries()) {
    const [run, value, trialCount] = found.get(keyOf(dataset).join(' ')) ?? [];
    // biome-ignore lint/style/noNonNullAssertion: a row found has all three values
    if (run !== undefined) leaders.set(place, { run, value: value!, trialCount: trialCount! });
  }
  return leaders;
}
