// biome-ignore-all lint/style/noNonNullAssertion: a chunk has a value of each run in each column
import { openBars } from '../../../data/bars/index.js';
import { openSweepFolder, type PartRows, RETURNS_COLUMN } from '../../../data/sweeps/index.js';
import type { BytesColumn, TableColumn } from '../../../data/tables/index.js';
import { EngineError } from '../../../engine/errors.js';
import { type MetricName, type Metrics, metricNames } from '../../../engine/metrics/index.js';
import { isAssessed, type SettingValue, type SweepDataset } from '../../../engine/sweep/index.js';
import { type ChunkResult, rowError, runStatuses } from '../../../workers/index.js';
import { hashRunConfig } from './identity.js';
import { PortfolioKernel, periodReturns } from './kernel.js';
import { type PortfolioAxis, type PortfolioPlan, readPortfolioPlan } from './plan.js';
import type { PortfolioChunk, PortfolioRowSetup, PortfolioSetup, PortfolioTask } from './protocol.js';

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

function turnTo({ plan: json, home, sampleDir, rows, reads }: PortfolioSetup) {
  const { experimentId: id, engineVersion } = rows;
  if (current?.id === id) return current;
  const plan = readPortfolioPlan(json);
  const store = openBars({ home, sampleDir });
  current = { id, plan, kernel: new PortfolioKernel(plan, { store, engineVersion }, reads) };
  return current;
}

/** What all rows of a sweep share. */
interface RowContext extends PortfolioRowSetup {
  readonly plan: PortfolioPlan;
}

const wholeMetrics: readonly MetricName[] = [
  'total_trades',
  'max_drawdown_duration',
  'max_consecutive_wins',
  'max_consecutive_losses',
  'num_days',
];
/** The metrics in rows of other sweeps. */
const storedMetrics: readonly MetricName[] = [
  ...(['total_trades', 'win_rate', 'total_return', 'sharpe_ratio', 'sortino_ratio', 'max_drawdown'] as const),
  ...(['max_drawdown_duration', 'calmar_ratio', 'gain_to_pain_ratio', 'irr_annualized', 'irr_daily'] as const),
  ...(['avg_daily_return', 'max_consecutive_wins', 'max_consecutive_losses', 'num_days', 'net_pnl'] as const),
  ...(['starting_balance', 'ending_balance', 'profit_factor', 'expectancy', 'avg_bars_held', 'exposure'] as const),
  ...(['total_fees', 'benchmark_asset_return'] as const),
];

/** The rows of finished portfolios: the columns of other sweeps that apply, and one for each axis. */
function portfolioRows(chunk: PortfolioChunk, context: RowContext, completedMs: number): PartRows {
  const { from, count, metrics } = chunk;
  const { plan, datasets, experimentId, engineVersion } = context;
  const runs = Array.from({ length: count }, (_, k) => from + k);
  const runDataset = (run: number): SweepDataset => datasets[Math.floor(run / plan.combinations)]!;
  const each = (name: string, type: TableColumn['type'], of: (run: number, k: number) => unknown): TableColumn =>
    ({ name, type, values: runs.map(of) }) as TableColumn;
  const metric = (name: MetricName): TableColumn => {
    const m = metricNames.indexOf(name);
    const type = wholeMetrics.includes(name) ? 'integer' : 'double';
    return { name, type, values: Float64Array.from(runs, (_, k) => metrics[k * metricNames.length + m]!) };
  };
  const columns: (TableColumn | BytesColumn)[] = [
    each('experiment_id', 'text', () => experimentId),
    each('run_index', 'integer', (run) => run),
    each('config_hash', 'text', (_, k) => chunk.configHashes[k]),
    each('code_version', 'text', () => engineVersion),
    each('data_file_hash', 'text', (run) => runDataset(run).hash),
    each('data_file_rows', 'integer', (run) => runDataset(run).rows),
    each('strategy_name', 'text', () => plan.name),
    each('asset', 'text', (run) => runDataset(run).asset),
    each('timeframe', 'text', (run) => runDataset(run).timeframe),
    ...plan.axes.map((axis, a) =>
      axisColumn(
        axis,
        runs.map((run) => plan.axisPlaces(run % plan.combinations)[a]!),
      ),
    ),
    ...storedMetrics.map(metric),
    { name: 'turnover', type: 'double', values: chunk.turnover },
    { name: 'largest_gross_exposure', type: 'double', values: chunk.largestGross },
    each('status', 'text', (_, k) => runStatuses[chunk.statuses[k]!]),
    each('error_msg', 'text', (_, k) => chunk.errors[k]),
    { name: 'elapsed_seconds', type: 'double', values: chunk.elapsedMs.map((ms) => ms / 1_000) },
    each('completed_at', 'time', () => completedMs),
    { name: RETURNS_COLUMN, type: 'bytes', values: chunk.returns.map(toBytes) },
  ];
  // Dates are written as such only where rows share them.
  const rowOf = Int32Array.from(runs, (run) => Math.floor(run / plan.combinations));
  const dates = (['start_date', 'end_date'] as const).map(
    (name): TableColumn => ({ name, type: 'text', values: datasets.map((dataset) => dataset[name]) }),
  );
  const order = columns.map(({ name }) => name);
  order.splice(order.indexOf('timeframe') + 1, 0, 'start_date', 'end_date');
  return { columns, shared: { rowOf, columns: dates }, order, dates: ['start_date', 'end_date'] };
}

function axisColumn({ column, values }: PortfolioAxis, places: readonly number[]): TableColumn {
  const isNumeric = values.every((value) => value === null || typeof value === 'number');
  const cell = (value: SettingValue): number | string | null =>
    value === null || isNumeric ? (value as number | null) : typeof value === 'string' ? value : JSON.stringify(value);
  const cells = places.map((place) => cell(values[place]!));
  return { name: column, type: isNumeric ? 'double' : 'text', values: cells } as TableColumn;
}

const toBytes = (values: Float32Array | null): Uint8Array | null =>
  values === null ? null : new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
