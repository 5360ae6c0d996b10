import { isoTime } from '../../engine/series/index.js';
import { asSeen, withholdsRules } from '../backtests/index.js';
import type { Caller } from '../caller.js';
import type { PortfolioRecord, PortfolioRequest, PortfolioSummary } from './store.js';

const timeOrNull = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));

const shared = (run: Omit<PortfolioSummary, 'metrics'>) => ({
  portfolio_id: run.id,
  name: run.strategyName,
  status: run.status,
  assets: run.asset.split(','),
  interval: run.interval,
  start_date: isoTime(run.startMs),
  end_date: isoTime(run.endMs),
  initial_balance: run.config.initial_balance,
  execution_time_seconds: run.executionSeconds,
  error: run.error,
  created_at: isoTime(run.createdAtMs),
  completed_at: timeOrNull(run.completedAtMs),
  archived: run.archivedAtMs !== null,
  archived_at: timeOrNull(run.archivedAtMs),
});

/** A run with everything that came out of it; nulls until it has completed. */
export function portfolioRun(caller: Caller, record: PortfolioRecord) {
  const { outcome, request } = record;
  const isStored = request.stored !== undefined;
  return asSeen(caller, isStored, {
    ...shared(record),
    portfolio: withholdsRules(caller, isStored) ? asNamed(request) : request.portfolio,
    metrics: outcome?.metrics ?? null,
    trade_count: outcome?.trades.length ?? null,
    trade_history: outcome?.trades ?? null,
    denied_signals: outcome?.deniedSignals ?? null,
    warnings: outcome?.warnings ?? record.warnings,
    run_id: outcome?.manifest.run_id ?? null,
    facts: outcome?.diagnostics ?? null,
  });
}

/** The definition with the id of each stored strategy in place of its rules. */
function asNamed({ portfolio, stored }: PortfolioRequest): object {
  const { members } = portfolio as { readonly members: readonly object[] };
  const named = members.map((member, m) => {
    const id = stored?.[m];
    return id === undefined ? member : { ...member, strategy: undefined, strategy_id: id };
  });
  return { ...portfolio, members: named };
}

/** A row of the list, without trades and members. */
export const portfolioItem = (summary: PortfolioSummary) => ({ ...shared(summary), metrics: summary.metrics });
