import { type MetricName, rankingValue } from '../../engine/metrics/index.js';
import { isoTime } from '../../engine/series/index.js';
import type { BacktestMetrics, BacktestRecord, BacktestStatus, BacktestSummary } from './stored.js';

/** Statuses as `Backtests` answers them; a queued run is `pending`. */
type StoredStatus = 'pending' | 'running' | 'completed' | 'failed';
type Verdict = 'PASS' | 'FAIL' | 'INSUFFICIENT_TRADES';

const timeOrNull = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));

const storedStatus = (status: BacktestStatus): StoredStatus => (status === 'queued' ? 'pending' : status);

/** A stored backtest as `Backtests.Get` answers it. */
export function storedBacktest(record: BacktestRecord) {
  const { outcome, id } = record;
  return {
    success: record.status === 'completed',
    backtest_id: id,
    id,
    status: storedStatus(record.status),
    strategy_id: record.strategyId,
    asset: record.asset,
    interval: record.interval,
    start_date: isoTime(record.startMs),
    end_date: isoTime(record.endMs),
    initial_balance: record.config.initial_balance,
    config: record.config,
    metrics: outcome?.metrics ?? null,
    trade_history: outcome?.trades ?? null,
    trade_count: outcome?.trades.length ?? 0,
    strategy_names: [record.strategyName],
    execution_time_seconds: record.executionSeconds,
    error: record.error,
    created_at: isoTime(record.createdAtMs),
    completed_at: timeOrNull(record.completedAtMs),
    archived: record.archivedAtMs !== null,
    archived_at: timeOrNull(record.archivedAtMs),
    diagnostics: outcome?.diagnostics ?? null,
    denied_signals: outcome?.deniedSignals ?? null,
    warnings: outcome?.warnings ?? null,
    run_id: outcome?.manifest.run_id ?? null,
    ...(outcome?.sideMetrics !== undefined && { side_metrics: outcome.sideMetrics }),
  };
}

/** The state of a submitted run, for polling. */
export function backtestState(record: BacktestRecord) {
  const { outcome } = record;
  return {
    success: true,
    backtest_id: record.id,
    status: record.status,
    metrics: outcome?.metrics ?? null,
    trade_history: outcome?.trades ?? null,
    trade_count: outcome?.trades.length ?? null,
    strategy_names: [record.strategyName],
    denied_signals: outcome?.deniedSignals ?? null,
    error_message: record.error,
    execution_time_seconds: record.executionSeconds,
    created_at: isoTime(record.createdAtMs),
    completed_at: timeOrNull(record.completedAtMs),
    warnings: outcome?.warnings ?? record.warnings,
    ...(outcome?.sideMetrics !== undefined && { side_metrics: outcome.sideMetrics }),
  };
}

/**
 * A row of the history. Trades are left out, since a page has up to a thousand runs; clients read
 * them one run at a time.
 */
export function historyItem(summary: BacktestSummary) {
  const { metrics } = summary;
  return {
    id: summary.id,
    asset: summary.asset,
    status: storedStatus(summary.status),
    start_date: isoTime(summary.startMs),
    end_date: isoTime(summary.endMs),
    initial_balance: summary.config.initial_balance,
    total_return: metrics?.total_return ?? null,
    irr_annualized: metrics?.irr_annualized ?? null,
    sharpe_ratio: metrics?.sharpe_ratio ?? null,
    win_rate: metrics?.win_rate ?? null,
    max_drawdown: metrics?.max_drawdown ?? null,
    total_trades: metrics?.total_trades ?? null,
    execution_time: summary.executionSeconds,
    created_at: isoTime(summary.createdAtMs),
    archived: summary.archivedAtMs !== null,
    archived_at: timeOrNull(summary.archivedAtMs),
    result: metrics === null ? storedStatus(summary.status) : judgeMetrics(metrics),
    metrics,
    trade_history: null,
  };
}

const TRADES_MIN = 10;

const reaches =
  (name: MetricName, least: number) =>
  (metrics: BacktestMetrics): boolean =>
    (rankingValue(name, metrics) ?? 0) >= least;

/**
 * Thresholds that a run must reach to pass; a metric without a value fails its threshold, and a
 * ratio of a gain to no risk reaches any.
 */
const thresholds: readonly ((metrics: BacktestMetrics) => boolean)[] = [
  reaches('sortino_ratio', 1.5),
  reaches('sharpe_ratio', 1.2),
  reaches('calmar_ratio', 1),
  reaches('irr_annualized', 0.15),
  ({ max_drawdown }) => (max_drawdown ?? 1) <= 0.7,
  reaches('win_rate', 0.25),
];

export function judgeMetrics(metrics: BacktestMetrics): Verdict {
  if (metrics.total_trades < TRADES_MIN) return 'INSUFFICIENT_TRADES';
  return thresholds.every((isReached) => isReached(metrics)) ? 'PASS' : 'FAIL';
}
