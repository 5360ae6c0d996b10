import {
  positionColumns,
  positionFieldNames,
  type SettingColumn,
  settingColumns,
} from '../../engine/execution/index.js';

/** `date` is a day such as 2024-01-31, `time` epoch ms. */
type ColumnType = 'text' | 'integer' | 'number' | 'boolean' | 'date' | 'time';

/** A column as the reader of the corpus sees it. */
export interface CorpusColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** Stored as a fraction, shown as a percentage. */
  readonly isPercent: boolean;
  /** A setting with which the run executed its strategy. */
  readonly isSetting: boolean;
  /** Only rows of sweeps that use it have it. */
  readonly isLeftOut?: true;
}

export interface TableSchema {
  /** By name, in order. A query cannot reach any other column of the files. */
  readonly columns: ReadonlyMap<string, CorpusColumn>;
  /** Together these columns identify a row. They break the ties that a query's order leaves. */
  readonly key: readonly CorpusColumn[];
  /** Columns whose values select the files to read. */
  readonly partitions: readonly string[];
}

export const corpusTables = ['results', 'ohlcv'] as const;
export type CorpusTable = (typeof corpusTables)[number];

const percents = [
  'irr_annualized',
  'total_return',
  'win_rate',
  'max_drawdown',
  'benchmark_asset_return',
  'benchmark_btc_return',
];

const of = (type: ColumnType, names: string): CorpusColumn[] =>
  names.split(' ').map((name) => ({ name, type, isPercent: percents.includes(name), isSetting: false }));

const settingColumn = ({ name, kind }: SettingColumn): CorpusColumn => {
  const type = kind === 'number' || kind === 'integer' || kind === 'boolean' ? kind : 'text';
  return { name, type, isPercent: false, isSetting: true };
};

/** Columns of sweeps with a short side or with settings of sides, margin, orders and guards. */
const leftOut = [
  ...of('text', 'short_entry_json short_exit_json'),
  ...positionColumns(positionFieldNames).map(settingColumn),
].map((column) => ({ ...column, isLeftOut: true }) as const);

function schema(columns: readonly CorpusColumn[], key: readonly string[], partitions: readonly string[]): TableSchema {
  const byName = new Map(columns.map((column) => [column.name, column]));
  // biome-ignore lint/style/noNonNullAssertion: the key names columns of the table
  return { columns: byName, key: key.map((name) => byName.get(name)!), partitions };
}

export const corpusSchemas: Readonly<Record<CorpusTable, TableSchema>> = {
  results: schema(
    [
      ...of('text', 'experiment_id'),
      ...of('integer', 'run_index'),
      ...of('text', 'config_hash code_version'),
      ...of('integer', 'rng_seed'),
      ...of('text', 'data_file_path data_file_hash'),
      ...of('integer', 'data_file_rows'),
      ...of('text', 'strategy_name asset timeframe'),
      ...of('date', 'start_date end_date'),
      ...of('text', 'entry_json trigger_name'),
      ...of('integer', 'num_entry_signals'),
      ...of('text', 'exit_json'),
      ...of('integer', 'num_exit_signals'),
      ...settingColumns.map(settingColumn),
      ...of('integer', 'total_trades'),
      ...of('number', 'win_rate total_return sharpe_ratio sortino_ratio max_drawdown'),
      ...of('integer', 'max_drawdown_duration'),
      ...of('number', 'calmar_ratio gain_to_pain_ratio irr_annualized irr_daily avg_daily_return'),
      ...of('integer', 'max_consecutive_wins max_consecutive_losses num_days'),
      ...of('number', 'net_pnl starting_balance ending_balance profit_factor expectancy avg_bars_held exposure'),
      ...of('number', 'total_fees benchmark_asset_return benchmark_btc_return'),
      ...of('text', 'status error_msg'),
      ...of('number', 'elapsed_seconds'),
      ...of('time', 'completed_at'),
      ...leftOut,
    ],
    ['experiment_id', 'run_index'],
    ['experiment_id'],
  ),
  ohlcv: schema(
    [
      ...of('text', 'asset timeframe'),
      ...of('time', 'timestamp'),
      ...of('number', 'open high low close volume'),
      ...of('text', 'file'),
    ],
    ['asset', 'timeframe', 'timestamp'],
    ['asset', 'timeframe'],
  ),
};
