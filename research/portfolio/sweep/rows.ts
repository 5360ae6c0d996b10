// biome-ignore-all lint/style/noNonNullAssertion: a chunk has a value of each run in each column
import { type PartRows, RETURNS_COLUMN } from '../../../data/sweeps/index.js';
import type { BytesColumn, TableColumn } from '../../../data/tables/index.js';
import { type MetricName, metricNames } from '../../../engine/metrics/index.js';
import type { SettingValue, SweepDataset } from '../../../engine/sweep/index.js';
import { runStatuses } from '../../../workers/index.js';
import type { PortfolioAxis, PortfolioPlan } from './plan.js';
import type { PortfolioChunk, PortfolioRowSetup } from './protocol.js';

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
export function portfolioRows(chunk: PortfolioChunk, context: RowContext, completedMs: number): PartRows {
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
