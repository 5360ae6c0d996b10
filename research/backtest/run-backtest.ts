import type { BarStore, Gap } from '../../data/bars/index.js';
import {
  type BarSeries,
  closeOfLast,
  type DeniedSignal,
  type ExecutionConfig,
  type ExtendedMetrics,
  formatInterval,
  isoTime,
  parseStrategy,
  type Simulation,
} from '../../engine/index.js';
import { type AliasedMetrics, type BacktestEngine, inThisThread } from '../../workers/index.js';
import type { RunBars } from '../window-bars.js';
import { type Diagnostics, diagnose } from './diagnose.js';
import { buildManifest, type Manifest } from './manifest.js';
import { type BacktestRequest, prepareRun } from './prepare-run.js';
import { type EquityPoint, type RenderedTrade, renderDenials, renderEquity, renderTrade } from './render.js';

/** What a single run needs. */
export interface RunServices {
  readonly store: RunBars;
  readonly engineVersion: string;
  /** Without it, this thread. */
  readonly engine?: BacktestEngine;
}

export interface Services extends RunServices {
  readonly store: BarStore;
}

/** A finished run: what is shown of it, and the columns it was made of. */
export interface BacktestRun {
  readonly result: BacktestResult;
  readonly bars: BarSeries;
  /** Index of the first tradable bar. */
  readonly first: number;
  readonly simulation: Simulation;
  /** One point per tradable bar; rendered only when asked for. */
  readonly renderEquity: () => EquityPoint[];
}

/** Maximum adverse and favourable excursion while held, fractions of the entry price, 0 or more. */
export type BacktestTrade = RenderedTrade & { readonly mae: number; readonly mfe: number };

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
  readonly metrics: AliasedMetrics;
  readonly extended_metrics: ExtendedMetrics;
  readonly diagnostics: Diagnostics;
  readonly trade_count: number;
  /** Bar indices count from the first tradable bar. */
  readonly trades: readonly BacktestTrade[];
  readonly denied_entries: readonly { readonly timestamp: string; readonly reason: string }[];
  readonly denied_signals: readonly DeniedSignal[];
  readonly warnings: readonly string[];
  readonly manifest: Manifest;
}

/**
 * One backtest from a definition and a window to a rendered result: defaults, bars with enough
 * history before the window, rules to masks, simulation, metrics.
 *
 * @throws EngineError for anything the caller can mend
 */
export async function runBacktest(
  request: BacktestRequest,
  services: RunServices,
  signal?: AbortSignal,
): Promise<BacktestRun> {
  const strategy = parseStrategy(request.strategy, 'relaxed');
  const run = await prepareRun(request, strategy, services.store);
  const { asset, bars, first, plan, config } = run;
  const { engine = inThisThread } = services;
  const computed = await engine.compute({ strategy, bars, first, config }, signal);
  const { masks, simulation, metrics, extendedMetrics, mae, mfe } = computed;
  const interval = formatInterval(bars.intervalMs);
  // biome-ignore lint/style/noNonNullAssertion: an index of a bar or trade of the run
  const window = { start: isoTime(bars.time[first]!), end: isoTime(closeOfLast(bars)) };
  const warnings = [...plan.warnings, ...run.warnings];
  const manifest = buildManifest(request, run, {
    interval,
    window,
    warnings,
    engineVersion: services.engineVersion,
    resultHash: computed.resultHash,
  });
  const labels = { runId: manifest.run_id, strategy: strategy.name, asset, originBar: first };
  const result: BacktestResult = {
    strategy: strategy.name,
    asset,
    interval,
    data: {
      source: run.source,
      aggregated_from: run.aggregatedFrom,
      content_hash: run.contentHash,
      history_bars: first,
      tradable_bars: bars.barCount - first,
      gaps: computed.gaps.map(renderGap),
    },
    window,
    execution_config: config,
    metrics,
    extended_metrics: extendedMetrics,
    diagnostics: diagnose(plan, masks, simulation, first, bars.barCount),
    trade_count: simulation.trades.length,
    trades: simulation.trades.map((trade, i) => ({
      ...renderTrade(trade, i, bars, labels),
      // biome-ignore lint/style/noNonNullAssertion: an index of a bar or trade of the run
      mae: mae[i]!,
      // biome-ignore lint/style/noNonNullAssertion: an index of a bar or trade of the run
      mfe: mfe[i]!,
    })),
    denied_entries: renderDenials(simulation.denials, 0).map(([bar, reason]) => ({
      // biome-ignore lint/style/noNonNullAssertion: an index of a bar or trade of the run
      timestamp: isoTime(bars.time[bar]!),
      reason,
    })),
    denied_signals: plan.denied,
    warnings,
    manifest,
  };
  const input = { bars, first, entry: masks.entry, exit: masks.exit, config };
  return { result, bars, first, simulation, renderEquity: () => renderEquity(input, simulation) };
}

const renderGap = ({ firstMissing, lastMissing, bars }: Gap) => ({
  first_missing: isoTime(firstMissing),
  last_missing: isoTime(lastMissing),
  bars,
});
