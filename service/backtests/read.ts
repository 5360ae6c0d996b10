import { normaliseAsset } from '../../data/bars/index.js';
import { isUuid } from '../../data/state/index.js';
import { quote } from '../../engine/errors.js';
import { type MetricName, rankingValue } from '../../engine/metrics/index.js';
import { isoTime } from '../../engine/series/index.js';
import { parseTime } from '../../research/index.js';
import { ApiError, notFound } from '../api-error.js';
import type { Caller } from '../caller.js';
import type { BacktestDeps } from './execute.js';
import { type RunRequest, readWhole } from './request.js';
import { asSeen, isPresent } from './settings.js';
import {
  type BacktestMetrics,
  type BacktestRecord,
  type BacktestStatus,
  type BacktestSummary,
  backtestStatuses,
  type HistoryFilter,
} from './stored.js';
import { readText } from './strategy-json.js';

type ReadDeps = Pick<BacktestDeps, 'store' | 'nowMs'>;

/** @throws RESOURCE_NOT_FOUND for an unknown id and for another user's run */
export async function requireBacktest(caller: Caller, id: string, { store }: ReadDeps): Promise<BacktestRecord> {
  const record = isUuid(id) ? await store.get(caller.userId, id) : null;
  if (record === null) throw notFound('backtest', id);
  return record;
}

/**
 * The state of a run as clients of the batch engine poll it. Callers see their own runs, and runs
 * that anyone in their organization submitted there. A run of another organization is not found,
 * even if the same user submitted it.
 * @throws RESOURCE_NOT_FOUND
 */
export async function getSharedBacktestStatus(caller: Caller, id: string, { store }: ReadDeps) {
  const record = isUuid(id) ? await store.getShared(caller, id) : null;
  if (record === null) throw notFound('backtest', id);
  return stateSeen(caller, record);
}

const stateSeen = (caller: Caller, record: BacktestRecord) =>
  asSeen(caller, record.strategyId !== null, backtestState(record));

export async function getBacktest(caller: Caller, id: string, deps: ReadDeps) {
  const record = await requireBacktest(caller, id, deps);
  return asSeen(caller, record.strategyId !== null, storedBacktest(record));
}

export const getBacktestStatus = async (caller: Caller, id: string, deps: ReadDeps) =>
  stateSeen(caller, await requireBacktest(caller, id, deps));

/**
 * Ends a submitted run as failed. A worker that computes it stops when it next renews its lease.
 * @throws RESOURCE_NOT_FOUND; INVALID_STATE for a run that has ended or that another call waits for
 */
export async function cancelBacktest(caller: Caller, id: string, deps: ReadDeps) {
  const { createdAtMs } = await requireBacktest(caller, id, deps);
  const completedAtMs = Math.max(deps.nowMs(), createdAtMs);
  const end = { error: 'cancelled by its caller', executionSeconds: 0, completedAtMs };
  const isEnded = await deps.store.cancel(caller.userId, id, end);
  const record = await requireBacktest(caller, id, deps);
  if (isEnded) return stateSeen(caller, record);
  const why = ['queued', 'running'].includes(record.status) ? 'a call waits for it' : `it is ${record.status}`;
  throw new ApiError('INVALID_STATE', `backtest ${id} cannot be cancelled: ${why}`, { status: record.status });
}

/** All trades of a run, or a page of them. @throws RESOURCE_NOT_FOUND as `requireBacktest` */
export async function getBacktestTrades(caller: Caller, id: string, { store }: ReadDeps, request: RunRequest = {}) {
  const page = isUuid(id) ? await store.tradePage(caller.userId, id, readPage(request)) : null;
  if (page === null) throw notFound('backtest', id);
  return { backtest_id: id, trade_count: page.total, trades: page.trades };
}

const PAGE_MAX = 10_000;

/** A page of trades. */
export const readPage = (request: RunRequest) => ({
  limit: isPresent(request, 'limit') ? readWhole(request, 'limit', PAGE_MAX, [1, PAGE_MAX]) : null,
  offset: readWhole(request, 'offset', 0, [0, Number.MAX_SAFE_INTEGER]),
});

/**
 * Sets or clears the archive mark. Repeating the call changes nothing, not even the time of the
 * mark.
 */
export async function setBacktestArchived(caller: Caller, id: string, isArchived: boolean, deps: ReadDeps) {
  const marked = isUuid(id) ? await deps.store.setArchived(caller.userId, id, isArchived ? deps.nowMs() : null) : null;
  if (marked === null) throw notFound('backtest', id);
  const { archivedAtMs } = marked;
  return {
    backtest_id: id,
    archived: archivedAtMs !== null,
    archived_at: archivedAtMs === null ? null : isoTime(archivedAtMs),
  };
}

/** The caller's runs, newest first. */
export async function listBacktests(caller: Caller, request: RunRequest, { store }: ReadDeps) {
  const filter = readFilter(request);
  const { rows, total } = await store.history(caller.userId, filter);
  return { backtests: rows.map(historyItem), total, limit: filter.limit, offset: filter.offset };
}

const LIMIT = 50;
const LIMIT_MAX = 1_000;

function readFilter(request: RunRequest): HistoryFilter {
  const text = (field: string) => (isPresent(request, field) ? readText(request, field) : undefined);
  const time = (field: string, isEnd: boolean) => {
    const value = text(field);
    return value === undefined ? undefined : parseTime(value, field, isEnd);
  };
  const asset = text('asset');
  const includeArchived = request.include_archived ?? false;
  if (typeof includeArchived !== 'boolean') {
    throw invalid('include_archived', `must be true or false, was ${quote(includeArchived)}`);
  }
  return {
    statuses: readStatuses(text('status')),
    baseAsset: asset === undefined ? undefined : normaliseAsset(asset),
    sessionId: text('session_id'),
    createdFromMs: time('date_from', false),
    createdToMs: time('date_to', true),
    includeArchived,
    limit: Math.min(Math.max(readWhole(request, 'limit', LIMIT), 1), LIMIT_MAX),
    offset: Math.max(readWhole(request, 'offset', 0), 0),
  };
}

/** Stored runs show `pending` while they are queued. */
function readStatuses(status: string | undefined): readonly BacktestStatus[] | undefined {
  if (status === undefined) return undefined;
  const known = backtestStatuses.find((name) => name === (status === 'pending' ? 'queued' : status));
  if (known !== undefined) return [known];
  throw invalid('status', `must be one of pending, ${backtestStatuses.join(', ')}, was ${quote(status)}`);
}

const invalid = (field: string, problem: string) => new ApiError('VALIDATION_ERROR', `${field} ${problem}`, { field });

/** Statuses as `Backtests` answers them; a queued run is `pending`. */
type StoredStatus = 'pending' | 'running' | 'completed' | 'failed';
type Verdict = 'PASS' | 'FAIL' | 'INSUFFICIENT_TRADES';

const timeOrNull = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));

const storedStatus = (status: BacktestStatus): StoredStatus => (status === 'queued' ? 'pending' : status);

/** A stored backtest as `Backtests.Get` answers it. */
function storedBacktest(record: BacktestRecord) {
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
function backtestState(record: BacktestRecord) {
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
function historyItem(summary: BacktestSummary) {
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
