import { openBars } from '../../../data/bars/index.js';
import { openSweepFolder } from '../../../data/sweeps/index.js';
import { EngineError } from '../../../engine/errors.js';
import { type Metrics, metricNames } from '../../../engine/metrics/index.js';
import { isAssessed } from '../../../engine/sweep/index.js';
import { type ChunkResult, rowError, runStatuses } from '../../../workers/index.js';
import { hashRunConfig } from './identity.js';
import { PortfolioKernel, periodReturns } from './kernel.js';
import { type PortfolioPlan, readPortfolioPlan } from './plan.js';
import type { PortfolioChunk, PortfolioSetup, PortfolioTask } from './protocol.js';
import { portfolioRows } from './rows.js';

const WIDTH = metricNames.length;

let current: { readonly id: string; readonly plan: PortfolioPlan; readonly kernel: PortfolioKernel } | undefined;

/**
 * Runs some portfolios of a sweep and writes their rows in the thread. A run that fails gets an
 * error, and holds up no other.
 */
export default async function perform(task: PortfolioTask): Promise<ChunkResult> {
  const { setup, from } = task;
  const { plan, kernel } = turnTo(setup);
  const chunk = await computeChunk(task, plan, kernel);
  const rows = portfolioRows(chunk, { ...setup.rows, plan }, Date.now());
  try {
    await openSweepFolder(setup.rows.folder).writePart(from, from + chunk.count, rows);
    return chunk;
  } catch (error) {
    return { ...chunk, writeError: `the rows cannot be written: ${(error as Error).message}` };
  }
}

async function computeChunk(
  { setup, from, to, failure }: PortfolioTask,
  plan: PortfolioPlan,
  kernel: PortfolioKernel,
): Promise<PortfolioChunk> {
  const { datasets } = setup.rows;
  const room = to - from;
  const columns = {
    statuses: new Uint8Array(room),
    datasets: new Uint32Array(room),
    elapsedMs: new Float64Array(room),
    turnover: new Float64Array(room).fill(Number.NaN),
    largestGross: new Float64Array(room).fill(Number.NaN),
  };
  const metrics = new Float64Array(room * WIDTH).fill(Number.NaN);
  const configHashes: string[] = [];
  const errors: (string | null)[] = [];
  const returns: (Float32Array | null)[] = [];
  for (let k = 0; k < room && (k === 0 || Atomics.load(setup.stop, 0) === 0); k++) {
    const start = performance.now();
    const run = from + k;
    const dataset = Math.floor(run / plan.combinations);
    columns.datasets[k] = dataset;
    configHashes.push(hashRunConfig({ plan, datasets }, run));
    let error: string | null = null;
    let kept: Float32Array | null = null;
    try {
      if (failure !== undefined) throw new EngineError('INVALID_DATA', failure);
      const window = setup.windows[dataset] ?? { start: undefined, end: undefined };
      const trace = await kernel.trace(plan.portfolioAt(run % plan.combinations), window);
      const hasTraded = trace.simulation.trades.length > 0;
      columns.statuses[k] = runStatuses.indexOf(hasTraded ? 'ok' : 'no_trades');
      put(trace.metrics, metrics.subarray(k * WIDTH, (k + 1) * WIDTH));
      columns.turnover[k] = trace.simulation.turnover;
      columns.largestGross[k] = trace.simulation.largestGrossExposure;
      if (hasTraded && isAssessed(run, setup.totalRuns)) kept = periodReturns(trace);
    } catch (caught) {
      columns.statuses[k] = runStatuses.indexOf('error');
      error = rowError(caught);
    }
    errors.push(error);
    returns.push(kept);
    columns.elapsedMs[k] = performance.now() - start;
  }
  const count = errors.length;
  return {
    ...{ writeError: null, from, count, configHashes, errors, returns },
    statuses: columns.statuses.slice(0, count),
    datasets: columns.datasets.slice(0, count),
    elapsedMs: columns.elapsedMs.slice(0, count),
    turnover: columns.turnover.slice(0, count),
    largestGross: columns.largestGross.slice(0, count),
    metrics: metrics.slice(0, count * WIDTH),
  };
}

function put(metrics: Metrics, values: Float64Array): void {
  for (const [m, name] of metricNames.entries()) values[m] = metrics[name] ?? Number.NaN;
}

function turnTo({ plan: json, home, sampleDir, rows }: PortfolioSetup) {
  const { experimentId: id, engineVersion } = rows;
  if (current?.id === id) return current;
  const plan = readPortfolioPlan(json);
  const store = openBars({ home, sampleDir });
  current = { id, plan, kernel: new PortfolioKernel(plan, { store, engineVersion }) };
  return current;
}
