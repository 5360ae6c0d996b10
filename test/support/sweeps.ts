import { createHash } from 'node:crypto';
import { metricNames } from '../../engine/metrics/index.js';
import type { BarSeries } from '../../engine/series/index.js';
import {
  type PlanOptions,
  planSweep,
  readSweep,
  type SweepDataset,
  type SweepDefinition,
  type SweepKernel,
  type SweepRun,
} from '../../engine/sweep/index.js';

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export const dataset = (asset: string, timeframe = '1h'): SweepDataset => ({
  asset,
  timeframe,
  file: `${asset}_2024-01-01_2024-12-31_${timeframe}.csv`,
  hash: 'sha256:00',
  rows: 8_784,
  start_date: '2024-01-01',
  end_date: '2024-12-31',
  columns: [],
  added: {},
});

/** Finds datasets by asset and timeframe. */
export const findDataset = ({ asset, timeframe }: Readonly<Record<string, unknown>>): SweepDataset =>
  dataset(String(asset), String(timeframe));

export const trigger = (name: string, params_sweep: object = {}, more: object = {}) => ({
  name,
  signal_type: 'TRIGGER',
  params_sweep,
  ...more,
});
export const filter = (name: string, params_sweep: object = {}, more: object = {}) => ({
  ...trigger(name, params_sweep, more),
  signal_type: 'FILTER',
});

/**
 * Crosses of averages above a longer one: 3 x 2 fast and slow windows of which fast < slow holds, 2
 * filters.
 */
export const crossSweep = (more: object = {}): Record<string, unknown> => ({
  name: 'crosses',
  datasets: [
    { asset: 'BTC', timeframe: '1h' },
    { asset: 'ETH', timeframe: '1h' },
  ],
  entry_signals: {
    triggers: [trigger('sma_cross_up', { window_fast: { values: [5, 10, 20] }, window_slow: { values: [10, 20] } })],
    filters: [filter('is_above_sma', { window: { values: [50, 100] } })],
  },
  execution_config: { sweep_axes: [{ param: 'reward_factor', values: [2, 3] }] },
  ...more,
});

export function definitionOf(json: unknown, barsOf?: (dataset: SweepDataset) => BarSeries): SweepDefinition {
  const { definition, errors } = readSweep(
    json,
    findDataset,
    barsOf && ((dataset) => ({ bars: barsOf(dataset), first: 0 })),
  );
  if (definition === null) throw new Error(errors.join('\n'));
  return definition;
}

export const planOf = (json: unknown, options: Partial<PlanOptions> = {}) =>
  planSweep(definitionOf(json), { sha256, runsMax: 1_000_000, ...options });

/** A run with its metrics by name, null where a metric is undefined. */
export function runIn(kernel: SweepKernel, run: SweepRun) {
  const values = new Float64Array(metricNames.length);
  const status = kernel.run(run, values);
  const metrics = Object.fromEntries(metricNames.map((name, m) => [name, Number.isNaN(values[m]) ? null : values[m]]));
  return { status, metrics };
}
