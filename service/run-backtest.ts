import { type BarStore, findGaps, type Gap } from '../data/bars/index.js';
import {
  computeMetrics,
  countDenials,
  type DeniedSignal,
  type ExecutionConfig,
  evaluateRules,
  formatInterval,
  isoTime,
  type Metrics,
  parseStrategy,
  simulate,
  withAliases,
} from '../engine/index.js';
import { canonicalJson, sha256 } from './canonical-json.js';
import { type BacktestRequest, prepareRun } from './prepare-run.js';
import { type EquityPoint, type RenderedTrade, renderDenials, renderEquity, renderTrade } from './render.js';

export interface BacktestResult {
  readonly strategy: string;
  readonly asset: string;
  readonly interval: string;
  readonly data: {
    /** `catalogue`, `sample`, or the file. */
    readonly source: string;
    /** Interval of the bars on disk, when the run's were aggregated from them. */
    readonly aggregated_from: string | null;
    readonly content_hash: string;
    readonly history_bars: number;
    readonly tradable_bars: number;
    readonly gaps: readonly { readonly first_missing: string; readonly last_missing: string; readonly bars: number }[];
  };
  /** Open of the first tradable bar, close of the last. */
  readonly window: { readonly start: string; readonly end: string };
  readonly execution_config: ExecutionConfig;
  readonly metrics: Metrics;
  readonly trade_count: number;
  /** Bar indices count from the first tradable bar. */
  readonly trades: readonly RenderedTrade[];
  readonly denied_entry_counts: Readonly<Record<string, number>>;
  readonly denied_entries: readonly { readonly timestamp: string; readonly reason: string }[];
  readonly denied_signals: readonly DeniedSignal[];
  readonly warnings: readonly string[];
  readonly equity: readonly EquityPoint[];
}

/**
 * One backtest from a definition and a window to a rendered result: defaults, bars with enough history before the
 * window, rules to masks, simulation, metrics.
 *
 * @throws EngineError for anything the caller can mend
 */
export async function runBacktest(request: BacktestRequest, store: BarStore): Promise<BacktestResult> {
  const strategy = parseStrategy(request.strategy, 'relaxed');
  const run = await prepareRun(request, strategy, store);
  const { asset, bars, first, plan, config, warnings } = run;
  const masks = evaluateRules(plan, bars);
  const simulationInput = { bars, first, ...masks, config };
  const simulation = simulate(simulationInput);
  const metrics = withAliases(computeMetrics({ ...simulation, bars, first, config }));
  const runId = sha256(canonicalJson([run.contentHash, first, bars.barCount, bars.time[first], strategy, config]));
  const labels = { runId, strategy: strategy.name, asset, originBar: first };
  return {
    strategy: strategy.name,
    asset,
    interval: formatInterval(bars.intervalMs),
    data: {
      source: run.source,
      aggregated_from: run.aggregatedFrom,
      content_hash: run.contentHash,
      history_bars: first,
      tradable_bars: bars.barCount - first,
      gaps: findGaps(bars).map(renderGap),
    },
    window: { start: isoTime(bars.time[first]!), end: isoTime(bars.time[bars.barCount - 1]! + bars.intervalMs) },
    execution_config: config,
    metrics,
    trade_count: simulation.trades.length,
    trades: simulation.trades.map((trade, i) => renderTrade(trade, i, bars, labels)),
    denied_entry_counts: countDenials(simulation.denials),
    denied_entries: renderDenials(simulation.denials, 0).map(([bar, reason]) => ({
      timestamp: isoTime(bars.time[bar]!),
      reason,
    })),
    denied_signals: plan.denied,
    warnings: [...plan.warnings, ...warnings],
    equity: renderEquity(simulationInput, simulation),
  };
}

const renderGap = ({ firstMissing, lastMissing, bars }: Gap) => ({
  first_missing: isoTime(firstMissing),
  last_missing: isoTime(lastMissing),
  bars,
});
