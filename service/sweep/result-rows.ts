import type { TableColumn } from '../../data/tables/index.js';
import {
  type ExecutionConfig,
  isoTime,
  type MetricName,
  metricNames,
  parseInterval,
  rulesText,
  type SweepDefinition,
  type SweepPlan,
  type SweepRun,
} from '../../engine/index.js';
import { type ChunkResult, runStatuses } from '../../workers/index.js';

/** What all rows of a sweep share. */
export interface RowContext {
  readonly experimentId: string;
  readonly engineVersion: string;
  readonly definition: SweepDefinition;
  readonly plan: SweepPlan;
  /** By dataset: last close over first open of BTC in its window, less 1; null where those bars are not held. */
  readonly btcReturns: readonly (number | null)[];
  readonly completedMs: number;
}

/** One run as it is written down. */
interface Row {
  readonly index: number;
  readonly run: SweepRun;
  readonly config: ExecutionConfig;
  readonly context: RowContext;
  readonly result: ChunkResult;
  /** Place of the run in the chunk. */
  readonly place: number;
  readonly entryJson: string;
  readonly exitJson: string;
}

type Cell = string | number | boolean | null;
type Field = readonly [name: string, type: 'double' | 'integer' | 'text' | 'boolean' | 'time', of: (row: Row) => Cell];

const text = (name: string, of: (row: Row) => string | null): Field => [name, 'text', of];
const integer = (name: string, of: (row: Row) => number | null): Field => [name, 'integer', of];
const double = (name: string, of: (row: Row) => number | null): Field => [name, 'double', of];

const setting = (name: keyof ExecutionConfig, type: 'double' | 'integer' | 'text'): Field => [
  name,
  type,
  ({ config }) => config[name] as Cell,
];
const settings = (type: 'double' | 'integer' | 'text', ...names: (keyof ExecutionConfig)[]): Field[] =>
  names.map((name) => setting(name, type));

const place = new Map(metricNames.map((name, i) => [name, i]));
const metric = (name: MetricName, type: 'double' | 'integer'): Field => [
  name,
  type,
  ({ result, place: k }) => {
    const value = result.metrics[k * metricNames.length + place.get(name)!]!;
    return Number.isNaN(value) ? null : value;
  },
];
const metrics = (type: 'double' | 'integer', ...names: MetricName[]): Field[] =>
  names.map((name) => metric(name, type));

/** An index of the seed and the run, for information; null where a double would not hold it exactly. */
function rngSeed({ context, index }: Row): number | null {
  const seed = context.definition.seed * 1_000_000 + index;
  return Number.isSafeInteger(seed) ? seed : null;
}

const strategyName = ({ run, index }: Row): string =>
  `exp_${run.dataset.asset}_${run.dataset.timeframe}_${run.entry[0]!.space.definition.signal.name}_${index}`;

/** The columns of a result row, in their order. Rates are fractions. */
const fields: readonly Field[] = [
  text('experiment_id', ({ context }) => context.experimentId),
  integer('run_index', ({ index }) => index),
  text('config_hash', ({ result, place: k }) => result.configHashes[k]!),
  text('code_version', ({ context }) => context.engineVersion),
  integer('rng_seed', rngSeed),
  text('data_file_path', ({ run }) => run.dataset.file),
  text('data_file_hash', ({ run }) => run.dataset.hash),
  integer('data_file_rows', ({ run }) => run.dataset.rows),
  text('strategy_name', strategyName),
  text('asset', ({ run }) => run.dataset.asset),
  text('timeframe', ({ run }) => run.dataset.timeframe),
  text('start_date', ({ run }) => run.dataset.start_date),
  text('end_date', ({ run }) => run.dataset.end_date),
  text('entry_json', ({ entryJson }) => entryJson),
  text('trigger_name', ({ run }) => run.entry[0]!.space.definition.signal.name),
  integer('num_entry_signals', ({ run }) => run.entry.length),
  text('exit_json', ({ exitJson }) => exitJson),
  integer('num_exit_signals', ({ run }) => run.exit.length),
  ...settings('double', 'reward_factor', 'max_risk_per_trade'),
  ...settings('text', 'stop_loss_calculation', 'position_size_calc'),
  ...settings('double', 'fixed_stop_pct'),
  ...settings('integer', 'atr_period'),
  ...settings('double', 'atr_volatility_factor', 'atr_short_weight', 'atr_long_weight', 'atr_cap_multiplier'),
  ...settings('double', 'initial_balance', 'min_balance_threshold', 'min_trade_amount'),
  ...settings('integer', 'max_open_positions', 'max_trades_per_day'),
  ...settings('double', 'max_units_per_trade', 'max_trade_amount'),
  ...settings('integer', 'volatility_window'),
  ...settings('double', 'target_volatility'),
  ...settings('text', 'volatility_mode'),
  ['enable_volatility_adj', 'boolean', ({ config }) => config.enable_volatility_adjustment],
  ...settings('double', 'max_hold_time_hours'),
  ...settings('integer', 'cooldown_bars'),
  ...settings('double', 'daily_momentum_limit', 'weekly_momentum_limit'),
  ...settings('integer', 'cooldown_short_loss_limit', 'cooldown_short_window_bars'),
  ...settings('integer', 'cooldown_long_loss_limit', 'cooldown_long_window_bars'),
  ...settings('integer', 'max_hold_bars', 'exit_on_loss_after_bars', 'exit_on_profit_after_bars'),
  ...settings('double', 'profit_threshold_pct', 'slippage_pct', 'fee_pct'),
  ...metrics('integer', 'total_trades'),
  ...metrics('double', 'win_rate', 'total_return', 'sharpe_ratio', 'sortino_ratio', 'max_drawdown'),
  ...metrics('integer', 'max_drawdown_duration'),
  ...metrics('double', 'calmar_ratio', 'gain_to_pain_ratio', 'irr_annualized', 'irr_daily', 'avg_daily_return'),
  ...metrics('integer', 'max_consecutive_wins', 'max_consecutive_losses', 'num_days'),
  ...metrics('double', 'net_pnl', 'starting_balance', 'ending_balance', 'profit_factor', 'expectancy'),
  ...metrics('double', 'avg_bars_held', 'exposure', 'total_fees', 'benchmark_asset_return'),
  double('benchmark_btc_return', ({ context, run }) => context.btcReturns[run.datasetIndex] ?? null),
  text('status', ({ result, place: k }) => runStatuses[result.statuses[k]!]!),
  text('error_msg', ({ result, place: k }) => result.errors[k] ?? null),
  double('elapsed_seconds', ({ result, place: k }) => result.elapsedMs[k]! / 1_000),
  ['completed_at', 'time', ({ context }) => context.completedMs],
];

export const resultColumns: readonly string[] = fields.map(([name]) => name);

/** The rows of a chunk as columns. */
export function resultTable(result: ChunkResult, context: RowContext): TableColumn[] {
  const rows = Array.from({ length: result.count }, (_, k): Row => {
    const index = result.from + k;
    const run = context.plan.run(index);
    const { dataset, entry, exit, variant } = run;
    const config = context.definition.variants.config(variant, parseInterval(dataset.timeframe));
    return {
      index,
      run,
      config,
      context,
      result,
      place: k,
      entryJson: rulesText(entry, dataset),
      exitJson: rulesText(exit, dataset),
    };
  });
  return fields.map(([name, type, of]) => ({ name, type, values: rows.map(of) }) as TableColumn);
}

export const dateOf = (ms: number): string => isoTime(ms).slice(0, 10);
