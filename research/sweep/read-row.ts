import { type ResultTable, statedColumn } from '../../data/sweeps/index.js';
import type { MetricName } from '../../engine/metrics/index.js';
import { findSignal } from '../../engine/signals/index.js';
import { labelledRules } from '../../engine/sweep/index.js';
import type { SheetRule, SheetRun } from '../../report/index.js';

export type ReadRow = readonly unknown[];

/** Runs a query on the rows of a sweep. */
export type Ask = (sql: string) => Promise<ResultTable>;

/** Metrics in the table of the best runs, in the costs of the leader and in the pictures. */
export const shownMetrics = [
  'sharpe_ratio',
  'sortino_ratio',
  'calmar_ratio',
  'total_return',
  'max_drawdown',
  'win_rate',
  'profit_factor',
  'total_trades',
  'exposure',
] as const;

const leaderMetrics = [...shownMetrics, 'total_fees', 'net_pnl', 'expectancy', 'ending_balance'] as const;

/** Columns of the rules of the short side, in rows of sweeps that have one. */
export const shortRuleColumns = ['short_entry_json', 'short_exit_json'] as const;

/** The metrics of a run for display, the one that ranks first: the columns to ask for, and their values. */
export function metricReader(by: MetricName) {
  const names = [...new Set<MetricName>([by, ...leaderMetrics])];
  return {
    columns: names.map((name) => `${statedColumn(name)} AS stated_${name}`),
    read: (values: ReadRow): SheetRun['metrics'] =>
      Object.fromEntries(names.map((name, i) => [name, readNumber(values[i])])),
  };
}

/**
 * Converts rows to runs for display, with the metric that ranks them.
 * @param hasShort whether the sweep has rules of the short side
 */
export function runReader(by: MetricName, settings: readonly string[], hasShort: boolean) {
  const metrics = metricReader(by);
  const fixed = ['run_index', 'asset', 'timeframe', 'entry_json', 'exit_json', 'fee_pct', 'slippage_pct'];
  const names = [
    ...fixed,
    ...(hasShort ? shortRuleColumns : []),
    ...metrics.columns,
    ...settings.map((name) => `${name} AS setting_${name}`),
  ];
  return {
    columns: names.join(', '),
    run(row: ReadRow): SheetRun {
      const [run, asset, timeframe, entry, exit, feePct, slippagePct, ...others] = row;
      const rest = hasShort ? others.slice(shortRuleColumns.length) : others;
      return {
        run: Number(run),
        dataset: `${asset} ${timeframe}`,
        entry: readRules(entry, String(timeframe)),
        exit: readRules(exit, String(timeframe)),
        ...(hasShort && {
          short: { entry: readRules(others[0], String(timeframe)), exit: readRules(others[1], String(timeframe)) },
        }),
        settings: Object.fromEntries(settings.map((name, i) => [name, rest[metrics.columns.length + i]])),
        feePct: Number(feePct),
        slippagePct: Number(slippagePct),
        metrics: metrics.read(rest),
      };
    },
  };
}

export const readNumber = (value: unknown): number | null => (typeof value === 'number' ? value : null);

const readRules = (json: unknown, own: string): SheetRule[] =>
  labelledRules(json, own).map(({ signal_type: role, ...rule }) => ({
    ...rule,
    role,
    description: findSignal(rule.name)?.description ?? '',
  }));
