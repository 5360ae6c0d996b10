import { isoTime } from '../../engine/series/index.js';
import type { ExperimentProgress, ExperimentRow, ExperimentSummary } from './store.js';

const toIsoTime = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));

export const toSummary = ({
  id,
  name,
  status,
  total_runs,
  completed,
  search_mode,
  created_at_ms,
}: ExperimentSummary) => ({
  experiment_id: id,
  name,
  status,
  total_runs,
  completed,
  search_mode,
  created_at: isoTime(created_at_ms),
});

/**
 * An experiment as answers show it: its configuration as sent, and the state that the service
 * keeps.
 */
export const toRecord = (row: ExperimentRow, completed_runs: number) => ({
  config: row.config,
  experiment_id: row.id,
  status: row.status,
  org_id: row.org_id,
  created_at: isoTime(row.created_at_ms),
  updated_at: isoTime(row.updated_at_ms),
  launched_at: toIsoTime(row.launched_at_ms),
  started_at: toIsoTime(row.started_at_ms),
  ended_at: toIsoTime(row.ended_at_ms),
  total_runs: row.total_runs,
  completed_runs,
  plan_hash: row.plan_hash,
  error: row.error,
});

export type ProgressRecord = ReturnType<typeof progressRecord>;

/**
 * The progress of an experiment. `rate` is runs per second since the first one began, pauses
 * included.
 */
export function progressRecord(found: ExperimentProgress, nowMs: number) {
  const { experiment, series, ok, no_trades, skipped, errors } = found;
  const { status, started_at_ms: startMs, ended_at_ms: endMs, total_runs } = experiment;
  const total = total_runs ?? 0;
  const completed = ok + no_trades + skipped + errors;
  const elapsed = startMs === null ? 0 : Math.max(0, (endMs ?? nowMs) - startMs) / 1_000;
  const rate = elapsed === 0 ? 0 : completed / elapsed;
  const isGoing = status === 'queued' || status === 'running';
  return {
    experiment_id: experiment.id,
    status,
    completed,
    total,
    rate,
    eta_seconds: isGoing && rate > 0 ? (total - completed) / rate : null,
    elapsed_seconds: elapsed,
    errors,
    no_trades,
    skipped,
    per_dataset: perDataset(series, status),
  };
}

/** Merges a dataset that is listed twice, and leaves out a dataset without runs of its own. */
function perDataset(series: ExperimentProgress['series'], status: string) {
  const merged = new Map<string, { completed: number; total: number }>();
  for (const { key, completed, total } of series) {
    const before = merged.get(key) ?? { completed: 0, total: 0 };
    if (total > 0) merged.set(key, { completed: before.completed + completed, total: before.total + total });
  }
  return Object.fromEntries(Array.from(merged, ([key, one]) => [key, { ...one, status: shownStatus(one, status) }]));
}

function shownStatus(
  { completed, total }: { readonly completed: number; readonly total: number },
  status: string,
): string {
  if (completed === total) return 'done';
  if (status === 'failed') return 'failed';
  return completed === 0 ? 'pending' : 'running';
}
