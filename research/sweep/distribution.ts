import { hasTraded, statedColumn } from '../../data/sweeps/index.js';
import { betterSide, type MetricName } from '../../engine/metrics/index.js';
import type { Assessment } from '../../engine/sweep/index.js';
import type { Distribution, Explored } from '../../report/index.js';
import type { Ask } from './read-row.js';

const BINS_MIN = 12;
const BINS_MAX = 60;

/**
 * Distribution of the metric over all runs that traded, per dataset. The bins come from a sample of
 * the runs; the counts include every run.
 */
export async function loadDistributions(
  ask: Ask,
  by: MetricName,
  explored: Explored,
  honesty: readonly Assessment[],
): Promise<Map<string, Distribution>> {
  // Ratios without a denominator have no place among the values.
  const value = statedColumn(by);
  const finite = `${hasTraded} AND isfinite(${value})`;
  const { rows: facts } = await ask(
    `SELECT asset, timeframe, count(*), count(*) FILTER (${value} > 0), min(${value}), avg(${value}), max(${value}) FROM results WHERE ${finite} GROUP BY asset, timeframe`,
  );
  if (facts.length === 0) return new Map();
  const marks = facts.map((row) => Number(row[betterSide(by) === 'lower' ? 4 : 6]));
  if (by === 'sharpe_ratio') for (const { luckySharpe } of honesty) if (luckySharpe !== null) marks.push(luckySharpe);
  // biome-ignore lint/style/noNonNullAssertion: a sweep has at least one metric
  const { low, width, binCount } = binsFor(explored.metrics[0]!.values, marks);
  const { rows: counted } = await ask(
    `SELECT asset, timeframe, least(greatest(floor((${value} - ${literal(low)}) / ${literal(width)}), 0), ${binCount - 1}) AS bin, count(*) FROM results WHERE ${finite} GROUP BY ALL`,
  );
  const found = new Map<string, Distribution>();
  for (const [asset, timeframe, runs, runsAboveZero, min, mean, max] of facts) {
    const bins = new Array<number>(binCount).fill(0);
    for (const [a, t, bin, count] of counted) if (a === asset && t === timeframe) bins[Number(bin)] = Number(count);
    found.set(`${asset} ${timeframe}`, {
      low,
      width,
      bins,
      runs: Number(runs),
      runsAboveZero: Number(runsAboveZero),
      min: Number(min),
      mean: Number(mean),
      max: Number(max),
    });
  }
  return found;
}

/**
 * Bins of rounded width after Freedman and Diaconis, about 12 to 60 of them. Outliers and distant
 * marks fall into the first or last bin.
 */
function binsFor(values: Float64Array, marks: readonly number[]) {
  const sorted = values.filter(Number.isFinite).sort();
  // biome-ignore lint/style/noNonNullAssertion: a quantile lies within the values
  const at = (q: number) => sorted[Math.round(q * (sorted.length - 1))]!;
  const isFew = sorted.length < 1_000;
  let [from, to] = [at(isFew ? 0 : 0.005), at(isFew ? 1 : 0.995)];
  const reach = to - from || Math.abs(to) || 1;
  for (const mark of marks) {
    if (mark > to && mark < to + reach) to = mark;
    if (mark < from && mark > from - reach) from = mark;
  }
  const span = to - from || reach;
  const advised = (2 * (at(0.75) - at(0.25))) / Math.cbrt(sorted.length);
  const width = roundStep(Math.max(Math.min(advised, span / BINS_MIN), span / BINS_MAX));
  const low = Math.floor(from / width) * width;
  return { low, width, binCount: Math.max(1, Math.floor((to - low) / width) + 1) };
}

/** The nearest step of 1, 2 or 5 times a power of ten. */
function roundStep(raw: number): number {
  const power = 10 ** Math.floor(Math.log10(raw));
  const lead = raw / power;
  return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}

/** A double in SQL; a plain number would be a decimal. */
const literal = (value: number): string => `CAST('${value}' AS DOUBLE)`;
