import { isoTime } from '../../engine/series/index.js';
import type { WindowRequest } from '../../research/index.js';
import type { PortfolioResult } from '../../research/portfolio/index.js';
import { asSeen, type SqlBacktestStore, withholdsRules } from '../backtests/index.js';
import type {
  BacktestOutcome,
  BacktestPlan,
  BacktestRecord,
  BacktestSummary,
  RunContent,
} from '../backtests/stored.js';
import type { Caller } from '../caller.js';

/** What a run of a portfolio reads, as JSON. */
export interface PortfolioRequest {
  /** The definition, with each stored strategy that it names written out. */
  readonly portfolio: object;
  /** Ids of stored strategies by the number of the member that names one; absent where none does. */
  readonly stored?: Readonly<Record<number, string>>;
  readonly interval: string;
  readonly window: WindowRequest;
  /** Settings that override the definition's. */
  readonly config: Readonly<Record<string, unknown>>;
}

/** What a portfolio has beside what every stored run has. */
export function portfolioFacts(result: PortfolioResult) {
  const { portfolio, interval, window, execution_config, metrics, trade_count, trades, ...rest } = result;
  const { denied_signals, warnings, manifest, ...facts } = rest;
  return facts;
}

/** Types of the contents of stored runs. */
export interface PortfolioContent extends RunContent {
  readonly request: PortfolioRequest;
  readonly metrics: PortfolioResult['metrics'];
  readonly trade: PortfolioResult['trades'][number];
  readonly diagnostics: ReturnType<typeof portfolioFacts>;
  readonly deniedSignal: PortfolioResult['denied_signals'][number];
  readonly manifest: PortfolioResult['manifest'];
}

export type PortfolioPlan = BacktestPlan<PortfolioContent>;
export type PortfolioOutcome = BacktestOutcome<PortfolioContent>;
export type PortfolioRecord = BacktestRecord<PortfolioContent>;
type PortfolioSummary = BacktestSummary<PortfolioContent>;
export type PortfolioStore = SqlBacktestStore<PortfolioContent>;

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
