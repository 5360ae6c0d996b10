// Asks: how does the cost of a sweep grow with bars, configurations and trades? Prints the
// exponents: 1 means in proportion, 0 means no growth. The gain from threads is measured in
// sweep-product, over the whole command.
import assert from 'node:assert/strict';
import { metricNames } from '../engine/metrics/index.js';
import type { BarSeries } from '../engine/series/index.js';
import { SweepKernel } from '../engine/sweep/index.js';
import { alone } from '../test/support/alone.js';
import { medianMs, type Sizes, seededBars, type Timing, yardstickMs } from './measure.js';
import { crosses, often, planOver, trending } from './sweep-plans.js';

const CACHE_BYTES_MAX = 96 * 1024 * 1024;
const TRADES = metricNames.indexOf('total_trades');
const CHECKED_RUNS = 3;

interface Point {
  readonly size: number;
  readonly ms: number;
  readonly timing: Timing;
}

export async function run({ isSmoke }: Sizes): Promise<Timing[]> {
  const scale = isSmoke ? 20 : 1;
  const bars = seededBars(20_000 / scale);
  const grow = (name: string, points: readonly Point[]): Timing[] => {
    console.log(`${name.padEnd(16)} exponent ${exponentOf(points).toFixed(2)}   ${points.map(pointText).join('   ')}`);
    return points.map(({ timing }) => timing);
  };
  return [
    ...grow(
      'bars',
      [5_000, 20_000, 80_000].map((count) => {
        const sized = seededBars(count / scale);
        return measure('bars', sized.barCount, sized, [often], 100, isSmoke);
      }),
    ),
    ...grow(
      'configurations',
      [100, 400, 1_600].map((count) => measure('configurations', count / scale, bars, [often], count / scale, isSmoke)),
    ),
    ...grow(
      'trades',
      [15, 25, 35, 45].map((threshold) =>
        measure('trades', null, bars, [trending({ values: [threshold] })], 1_000 / scale, isSmoke),
      ),
    ),
  ];
}

const pointText = ({ size, ms }: Point): string => `${size.toFixed(size < 10 ? 1 : 0)}: ${(1_000 * ms).toFixed(0)} us`;

/**
 * Times all runs of a plan on a new kernel, with four variants per combination. The cost is that of
 * one configuration, except where the number of configurations is the size: there it is the cost of
 * all.
 * @param size null for the mean number of trades
 */
function measure(
  name: string,
  size: number | null,
  bars: BarSeries,
  filters: readonly object[],
  combinations: number,
  isSmoke: boolean,
): Point {
  const { definition, plan } = planOver(crosses('BENCH', filters, combinations), bars);
  const values = new Float64Array(metricNames.length);
  let trades = 0;
  const sweep = (isChecked: boolean): void => {
    const kernel = new SweepKernel(definition, bars, 0, CACHE_BYTES_MAX);
    trades = 0;
    for (let i = 0; i < plan.totalRuns; i++) {
      const run = plan.run(i);
      kernel.run(run, values);
      trades += values[TRADES]!;
      if (!isChecked || i >= CHECKED_RUNS) continue;
      const { metrics } = alone(run, definition, bars, 0);
      for (const [m, metric] of metricNames.entries()) assert.equal(values[m], metrics[metric] ?? NaN, metric);
    }
  };
  sweep(true);
  const ms = medianMs(isSmoke ? 1 : 5, () => sweep(false)) / (name === 'configurations' ? 1 : plan.totalRuns);
  const point = size ?? trades / plan.totalRuns;
  const timing: Timing = {
    name: `${name} ${point.toPrecision(3)}`,
    bars: bars.barCount,
    p50Ms: ms,
    nsPerBar: (ms * 1e6) / bars.barCount,
    yardsticks: ms / yardstickMs(bars.barCount),
  };
  return { size: point, ms, timing };
}

/**
 * Slope of the least-squares line through the logarithms, without the points of size 0 that smoke
 * runs may have.
 */
function exponentOf(all: readonly Point[]): number {
  const points = all.filter(({ size }) => size > 0);
  const x = points.map(({ size }) => Math.log(size));
  const y = points.map(({ ms }) => Math.log(ms));
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [mx, my] = [mean(x), mean(y)];
  const rise = x.reduce((sum, value, i) => sum + (value - mx) * (y[i]! - my), 0);
  return rise / x.reduce((sum, value) => sum + (value - mx) ** 2, 0);
}
