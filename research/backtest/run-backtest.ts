import { type BarStore, isPerpetual, normaliseAsset } from '../../data/bars/index.js';
import { sha256 } from '../../data/hashes/index.js';
import {
  type AliasedMetrics,
  type Diagnostics,
  diagnose,
  sidedWarnings,
  sizeLimits,
  sizeWarnings,
  undefinedWarnings,
} from '../../engine/backtest/index.js';
import {
  cashCurve,
  type ExecutionConfig,
  exhaustedFrom,
  type Simulation,
  type TradeEvent,
  tradeEvents,
} from '../../engine/execution/index.js';
import { type ExtendedMetrics, extendedMetricUnits, type SideMetrics } from '../../engine/metrics/index.js';
import { finerFindings, type QualityFinding } from '../../engine/quality/index.js';
import { type BarSeries, closeOfLast, formatInterval, type Gap, isoTime } from '../../engine/series/index.js';
import type { DeniedSignal, PlannedRule, StrategyDefinition } from '../../engine/strategy/index.js';
import { type HeldOutDays, singleIdentity } from '../../engine/sweep/index.js';
import { type BacktestEngine, type ComputedBacktest, inThisThread } from '../../workers/index.js';
import { cutNotes, type RunBars } from '../window-bars.js';
import { buildManifest, type Manifest } from './manifest.js';
import { type BacktestRequest, type PreparedRun, prepareRun, requestedStrategy } from './prepare-run.js';
import { type RenderedTrade, renderDenials, renderTrade } from './render.js';

/** Services that a single run needs. */
export interface RunServices {
  readonly store: RunBars;
  readonly engineVersion: string;
  /** Days that the run must not touch. Default: none are held out. */
  readonly heldOut?: HeldOutDays;
  /** Default: compute in this thread. */
  readonly engine?: BacktestEngine;
}

export interface Services extends RunServices {
  readonly store: BarStore;
}

/** A finished run: the result to show, and the columns behind it. */
export interface BacktestRun {
  readonly result: BacktestResult;
  readonly bars: BarSeries;
  /** Index of the first tradable bar. */
  readonly first: number;
  readonly simulation: Simulation;
  /** For the ledger of tries; null for a run without trades, which is no try. */
  readonly tried: Try | null;
  /** Cash at the close of each tradable bar, made on demand. */
  readonly cashCurve: () => Float64Array;
  readonly strategy: StrategyDefinition;
  /**
   * What happened to each trade, in the order of the trades; null in a run that uses one side, paid
   * in full, whose levels stay. Computed on demand.
   */
  readonly tradeEvents: () => readonly (readonly TradeEvent[])[] | null;
}

/**
 * Maximum adverse and favourable excursion: fractions of the entry price, 0 or more. The first two
 * end at the exit, the others with its bar, see `tradeExcursions`.
 */
export type BacktestTrade = RenderedTrade & {
  readonly mae: number;
  readonly mfe: number;
  readonly mae_full_bars: number;
  readonly mfe_full_bars: number;
};

export interface BacktestResult {
  readonly strategy: string;
  readonly asset: string;
  readonly interval: string;
  readonly data: {
    /** `catalogue`, `sample`, or the path of a file. */
    readonly source: string;
    /** Interval of the stored bars if the run's bars were aggregated from them, else null. */
    readonly aggregated_from: string | null;
    readonly content_hash: string;
    readonly history_bars: number;
    readonly tradable_bars: number;
    readonly gaps: readonly { readonly first_missing: string; readonly last_missing: string; readonly bars: number }[];
    /** What to know about bars and fills; the messages are among the warnings too. */
    readonly quality: readonly ReturnType<typeof renderFinding>[];
  };
  /** Open of the first tradable bar, close of the last. */
  readonly window: { readonly start: string; readonly end: string };
  readonly execution_config: ExecutionConfig;
  readonly metrics: AliasedMetrics;
  readonly extended_metrics: ExtendedMetrics;
  /** Unit of each, and whether it is made of bars, days, months, trades or the run. */
  readonly extended_metric_units: typeof extendedMetricUnits;
  /** Results by side, exposures and margin; only in runs that use sides, margin, orders or guards. */
  readonly side_metrics?: SideMetrics;
  readonly diagnostics: Diagnostics;
  /** UTC date from which on too little was left for any entry; null where enough was left. */
  readonly exhausted_on: string | null;
  readonly trade_count: number;
  /** Funding paid by all trades, below 0 where it was received; already inside their profit. */
  readonly funding_paid: number;
  /** Bar indices are counted from the first tradable bar. */
  readonly trades: readonly BacktestTrade[];
  readonly denied_entries: readonly {
    readonly timestamp: string;
    readonly reason: string;
    /** Only where the strategy has a short side. */
    readonly side?: 'long' | 'short';
  }[];
  readonly denied_signals: readonly DeniedSignal[];
  readonly warnings: readonly string[];
  readonly manifest: Manifest;
}

/**
 * Runs one backtest, from a definition and a window to a rendered result: resolves defaults, loads
 * the window with enough history, evaluates the rules to masks, simulates and computes the metrics.
 * Long because it names every field of the result once; it decides nothing.
 *
 * @throws EngineError for anything that the caller can fix
 */
export async function runBacktest(
  request: BacktestRequest,
  services: RunServices,
  signal?: AbortSignal,
): Promise<BacktestRun> {
  const strategy = requestedStrategy(request);
  const run = await prepareRun(request, strategy, services);
  const { asset, bars, first, plan, config, heldAtMs, others, detail } = run;
  const { engine = inThisThread } = services;
  const work = { strategy, bars, first, config, others, detail, heldAtMs, isPerpetual: isPerpetual(asset) };
  const computed = await engine.compute(work, signal);
  const { masks, ruleGaps, simulation, metrics, extendedMetrics, sideMetrics } = computed;
  const interval = formatInterval(bars.intervalMs);
  // biome-ignore lint/style/noNonNullAssertion: first is a bar of the run
  const window = { start: isoTime(bars.time[first]!), end: isoTime(closeOfLast(bars)) };
  const exhausted = exhaustedFrom(simulation.equity, config);
  // biome-ignore lint/style/noNonNullAssertion: the bar is a tradable bar of the run
  const exhaustedOn = exhausted === null ? null : isoTime(bars.time[first + exhausted]!).slice(0, 10);
  const limits = sizeLimits(simulation, bars, config);
  const diagnostics = diagnose({ plan, masks, ruleGaps, simulation, first, barCount: bars.barCount, limits, config });
  const finer = run.finer === undefined ? [] : finerFindings(run.finer, bars.intervalMs);
  const quality = [...finer.map((finding) => ({ ...finding, bar: first })), ...computed.quality];
  const warnings = [
    ...plan.warnings,
    ...run.warnings,
    ...(exhaustedOn === null ? [] : [`the account was exhausted on ${exhaustedOn}: too little was left for any entry`]),
    ...sidedWarnings(simulation, bars, config, masks.short !== undefined),
    ...undefinedWarnings(diagnostics),
    ...sizeWarnings(limits, simulation.trades.length, config),
    ...quality.map(({ message }) => message),
    ...cutNotes(request.window, run.heldRange, bars.intervalMs),
  ];
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
      quality: quality.map((finding) => renderFinding(finding, bars)),
    },
    window,
    execution_config: config,
    metrics,
    extended_metrics: extendedMetrics,
    extended_metric_units: extendedMetricUnits,
    ...(sideMetrics !== null && { side_metrics: sideMetrics }),
    diagnostics,
    exhausted_on: exhaustedOn,
    trade_count: simulation.trades.length,
    funding_paid: simulation.trades.reduce((sum, trade) => sum + trade.fundingPaid, 0),
    trades: simulation.trades.map((trade, i) => ({
      ...renderTrade(trade, i, bars, labels),
      ...tradeExcursions(computed, i),
    })),
    // Often one for each bar, and the service answers without them, so they are rendered when read.
    get denied_entries() {
      const shorts = masks.short === undefined ? null : new Set(simulation.sided?.deniedShorts);
      return renderDenials(simulation.denials, 0).map(([bar, reason], i) => ({
        // biome-ignore lint/style/noNonNullAssertion: bar is a bar of the run
        timestamp: isoTime(bars.time[bar]!),
        reason,
        ...(shorts !== null && { side: shorts.has(i) ? ('short' as const) : ('long' as const) }),
      }));
    },
    denied_signals: plan.denied,
    warnings,
    manifest,
  };
  const input = { bars, first, entry: masks.entry, exit: masks.exit, config };
  const tried = simulation.trades.length === 0 ? null : makeTry(run);
  const { short } = masks;
  const sides = { ...input, ...(short && { shortEntry: short.entry, shortExit: short.exit }), detail };
  return {
    ...{ result, bars, first, simulation, tried, strategy },
    cashCurve: () => cashCurve(input, simulation),
    tradeEvents: () => (simulation.sided === undefined ? null : tradeEvents(sides)),
  };
}

const renderFinding = ({ kind, count, bar, message }: QualityFinding, { time }: BarSeries) => ({
  ...{ kind, count, message },
  // biome-ignore lint/style/noNonNullAssertion: bar is a bar of the run
  first: isoTime(time[bar]!),
});

/** Each column has one value per trade. */
const tradeExcursions = ({ mae, mfe, maeFullBars, mfeFullBars }: ComputedBacktest, trade: number) => ({
  mae: mae[trade] ?? Number.NaN,
  mfe: mfe[trade] ?? Number.NaN,
  mae_full_bars: maeFullBars[trade] ?? Number.NaN,
  mfe_full_bars: mfeFullBars[trade] ?? Number.NaN,
});

const renderGap = ({ firstMissing, lastMissing, bars }: Gap) => ({
  first_missing: isoTime(firstMissing),
  last_missing: isoTime(lastMissing),
  bars,
});

/** A run in the ledger of tries: the asset, and the identity that the same run has in a sweep. */
interface Try {
  readonly asset: string;
  readonly identity: string;
}

function makeTry(run: PreparedRun): Try {
  const { asset: spelled, countedAs, bars, first, plan, config, seriesHash, columns, series } = run;
  const asset = normaliseAsset(spelled);
  const isoDay = (ms: number): string => isoTime(ms).slice(0, 10);
  const rules = (planned: readonly PlannedRule[] | null) =>
    (planned ?? []).map(({ signal, params, role, timeframeMs, negate, withinBars, asset: other, group }) => ({
      name: signal.name,
      params,
      signal_type: role,
      timeframe: formatInterval(timeframeMs),
      ...(negate && { negate }),
      ...(withinBars !== undefined && { within_bars: withinBars }),
      ...(other !== undefined && { asset: normaliseAsset(other) }),
      ...(group !== undefined && { group }),
    }));
  const dataset = {
    asset,
    timeframe: formatInterval(bars.intervalMs),
    hash: `sha256:${seriesHash}`,
    // biome-ignore lint/style/noNonNullAssertion: first is a bar of the run
    start_date: isoDay(bars.time[first]!),
    end_date: isoDay(closeOfLast(bars) - 1),
    added: Object.fromEntries(columns.map(({ column, content_hash }) => [column, content_hash])),
  };
  const { entry, exit, shortEntry, shortExit } = plan;
  const sides =
    shortEntry === undefined ? {} : { short_entry: rules(shortEntry), short_exit: rules(shortExit ?? null) };
  const further = series.length === 0 ? {} : { series: series.map(({ content_hash }) => content_hash) };
  return {
    asset: countedAs ?? asset,
    identity: singleIdentity(
      { dataset, entry: rules(entry), exit: rules(exit), further: { ...sides, ...further }, config },
      sha256,
    ),
  };
}
