import type { WindowRequest } from '../../research/index.js';
import type { PortfolioResult } from '../../research/portfolio/index.js';
import type { SqlBacktestStore } from '../backtests/index.js';
import type {
  BacktestOutcome,
  BacktestPlan,
  BacktestRecord,
  BacktestSummary,
  RunContent,
} from '../backtests/stored.js';

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
export type PortfolioSummary = BacktestSummary<PortfolioContent>;
export type PortfolioStore = SqlBacktestStore<PortfolioContent>;
