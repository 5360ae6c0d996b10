import type { SimulationInput } from '../../engine/execution/index.js';
import { metricNames, writeMeasured } from '../../engine/metrics/index.js';
import { FusedRuns } from '../../engine/sweep/fused-runs.js';

/** The metrics of a run in one call, null where the fast path does not cover it. */
export function fusedMetrics(fused: FusedRuns | null, { bars, first, config, detail, ...masks }: SimulationInput) {
  const measures = fused?.run(masks, config, detail) ?? null;
  if (measures === null) return null;
  const values = new Float64Array(metricNames.length);
  writeMeasured({ bars, first, config }, measures, values);
  return Object.fromEntries(metricNames.map((name, m) => [name, Number.isNaN(values[m]) ? null : values[m]]));
}

export function inOneCall(input: SimulationInput) {
  const fused = FusedRuns.over(input.bars, input.first);
  const metrics = fusedMetrics(fused, input);
  fused?.release();
  return metrics;
}
