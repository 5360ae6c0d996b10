import { openBars } from '../../../data/bars/index.js';
import type { PartRows } from '../../../data/sweeps/index.js';
import { EngineError } from '../../../engine/errors.js';
import { type Metrics, metricNames } from '../../../engine/metrics/index.js';
import { isAssessed, type SweepDataset } from '../../../engine/sweep/index.js';
import { rowError, runStatuses } from '../../../workers/index.js';
import { hashRunConfig } from './identity.js';
import { PortfolioKernel, periodReturns } from './kernel.js';
import { type PortfolioPlan, readPortfolioPlan } from './plan.js';
import type { PortfolioChunk, PortfolioSetup, PortfolioTask } from './protocol.js';
import { portfolioRows } from './rows.js';

const WIDTH = metricNames.length;

let current: { readonly id: string; readonly plan: PortfolioPlan; readonly kernel: PortfolioKernel } | undefined;

/** Runs some portfolios of a sweep in a thread. A run that fails gets an error, and holds up no other. */
export default async function perform({ setup, from, to }: PortfolioTask): Promise<PortfolioChunk> {
  const { plan, kernel } = turnTo(setup);
  const chunk = emptyChunk(from, to);
  for (let k = 0; k < chunk.count; k++) {
    const start = performance.now();
    const run = from + k;
    const window = setup.windows[Math.floor(run / plan.combinations)] ?? { start: undefined, end: undefined };
    try {
      const trace = await kernel.trace(plan.portfolioAt(run % plan.combinations), window);
      const hasTraded = trace.simulation.trades.length > 0;
      chunk.statuses[k] = runStatuses.indexOf(hasTraded ? 'ok' : 'no_trades');
      put(trace.metrics, chunk.metrics.subarray(k * WIDTH, (k + 1) * WIDTH));
      chunk.turnover[k] = trace.simulation.turnover;
      chunk.largestGross[k] = trace.simulation.largestGrossExposure;
      if (hasTraded && isAssessed(run, setup.totalRuns)) chunk.returns[k] = periodReturns(trace);
    } catch (error) {
      chunk.statuses[k] = runStatuses.indexOf('error');
      chunk.errors[k] = rowError(error);
    }
    chunk.elapsedMs[k] = performance.now() - start;
  }
  return chunk;
}

function emptyChunk(from: number, to: number) {
  const room = to - from;
  return {
    ...{ from, count: room, statuses: new Uint8Array(room), errors: new Array<string | null>(room).fill(null) },
    elapsedMs: new Float64Array(room),
    metrics: new Float64Array(room * WIDTH).fill(Number.NaN),
    turnover: new Float64Array(room).fill(Number.NaN),
    largestGross: new Float64Array(room).fill(Number.NaN),
    returns: new Array<Float32Array | null>(room).fill(null),
  };
}

/** Portfolios that were not run, with the reason in place of a result. */
export function failedPortfolios(from: number, to: number, reason: string): PortfolioChunk {
  const chunk = emptyChunk(from, to);
  chunk.statuses.fill(runStatuses.indexOf('error'));
  chunk.errors.fill(rowError(new EngineError('INVALID_DATA', reason)));
  return chunk;
}

/** The rows of finished portfolios. */
export function portfolioRowsOf(
  chunk: PortfolioChunk,
  setup: PortfolioSetup,
  datasets: readonly SweepDataset[],
  experimentId: string,
): PartRows {
  const { plan } = turnTo(setup);
  const { engineVersion } = setup;
  const configHash = (run: number) => hashRunConfig({ plan, datasets }, run);
  return portfolioRows(chunk, { experimentId, engineVersion, plan, datasets, configHash }, Date.now());
}

function put(metrics: Metrics, values: Float64Array): void {
  for (const [m, name] of metricNames.entries()) values[m] = metrics[name] ?? Number.NaN;
}

function turnTo({ id, plan: json, home, sampleDir, engineVersion }: PortfolioSetup) {
  if (current?.id === id) return current;
  const plan = readPortfolioPlan(json);
  const store = openBars({ home, sampleDir });
  current = { id, plan, kernel: new PortfolioKernel(plan, { store, engineVersion }) };
  return current;
}
