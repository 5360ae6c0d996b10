import { canonicalJson } from '../../engine/canonical-json.js';
import { resolveConfig, type TradeEvent } from '../../engine/execution/index.js';
import { resolveParams } from '../../engine/indicators/index.js';
import {
  extendedMetricTable,
  type MetricName,
  metricTable,
  rollingSharpe,
  type SideMetrics,
  type SideResults,
  sharpeWindow,
  sideMetricTable,
  sideResultTable,
  stated,
} from '../../engine/metrics/index.js';
import { type BarSeries, barsPerYear, sliceBars } from '../../engine/series/index.js';
import { findSignal, type Signal } from '../../engine/signals/index.js';
import { allRules, type DeniedSignal, type Rule, type RuleListKey } from '../../engine/strategy/index.js';
import type { Figures, SheetEvent, SheetRule, TearSheet } from '../../report/index.js';
import type { RenderedTrade } from './render.js';
import type { BacktestRun } from './run-backtest.js';
import { benchmarkFigures, rollingRisk, runMonteCarlo, sheetIndicators, shortWindowCaution } from './sheet-extras.js';

/** The same for every run, so that equal runs give equal pages. */
const MONTE_CARLO_SEED = 1;

export function buildTearSheet(run: BacktestRun): TearSheet {
  const { result, bars, first, simulation, strategy } = run;
  const { execution_config: config, metrics, extended_metrics, diagnostics, denied_signals, warnings } = result;
  // The page shows rules, settings, window and warnings in places of their own.
  const { run_id, engine_version, data, config_hash, seed, result_hash } = result.manifest;
  const { source, aggregated_from, content_hash } = data;
  const { own = [] } = strategy;
  const rulesIn = (list: RuleListKey, rules: readonly Rule[]) =>
    rules.map((rule) => sheetRule(rule, own, result.interval, refusalReason(rule, list, denied_signals)));
  const tradable = sliceBars(bars, first, bars.barCount);
  const caution = shortWindowCaution(metrics);
  const events = run.tradeEvents();
  return {
    title: result.strategy,
    asset: result.asset,
    interval: result.interval,
    intervalMs: bars.intervalMs,
    window: { startMs: Date.parse(result.window.start), endMs: Date.parse(result.window.end) },
    initialBalance: config.initial_balance,
    bars: tradable,
    equity: simulation.equity,
    rollingRisk: rollingRisk(simulation.equity, config, tradable),
    indicators: sheetIndicators(
      allRules(strategy).filter(({ asset }) => asset === undefined),
      own,
      bars,
      first,
    ),
    benchmark: benchmarkFigures(bars, first, config),
    monteCarlo: runMonteCarlo(simulation.equity, config.initial_balance, MONTE_CARLO_SEED),
    rollingSharpe: rollingSharpeCurve(simulation.equity, config, bars.intervalMs),
    trades: result.trades.map((trade, i) => ({
      ...plainSheetTrade(trade),
      mae: trade.mae,
      mfe: trade.mfe,
      ...(strategy.shortEntry !== undefined && { side: trade.side === 'exit_short' ? 'short' : 'long' }),
      ...(trade.initial_stop_price !== undefined && { first_stop: trade.initial_stop_price }),
      ...(trade.margin !== undefined && {
        margin: trade.margin,
        return_on_margin: trade.return_on_margin,
        liquidation_price: trade.liquidation_price,
      }),
      ...(events !== null && { events: (events[i] ?? []).map((event) => sheetEvent(event, bars)) }),
    })),
    metrics: statedFigures(metrics),
    extendedMetrics: { ...metricFigures(extendedMetricTable, extended_metrics), ...sideFigures(result.side_metrics) },
    diagnostics,
    rules: {
      entry: rulesIn('entry', strategy.entry),
      exit: rulesIn('exit', strategy.exit),
      ...(strategy.shortEntry !== undefined && {
        shortEntry: rulesIn('short_entry', strategy.shortEntry),
        shortExit: rulesIn('short_exit', strategy.shortExit ?? []),
      }),
    },
    execution: { ...config },
    executionDefaults: { ...resolveConfig({ interval: bars.intervalMs }).config },
    manifest: {
      run_id,
      engine_version,
      ...{ source, aggregated_from, content_hash },
      ...{ config_hash, seed, result_hash },
    },
    warnings: caution === null ? warnings : [...warnings, caution],
    deniedSignals: denied_signals,
  };
}

/** What every page shows of a trade, whatever its side and settings. */
export const plainSheetTrade = (trade: RenderedTrade) => ({
  entry_time: Date.parse(trade.entry_timestamp),
  exit_time: Date.parse(trade.exit_timestamp),
  entry_price: trade.entry_price,
  exit_price: trade.exit_price,
  size: trade.position_size,
  profit_loss: trade.profit_loss,
  profit_loss_pct: trade.profit_loss_pct,
  exit_reason: trade.exit_reason,
  bars_held: trade.bars_held,
  stop_price: trade.stop_loss_price,
  target_price: trade.take_profit_price,
  fees: trade.fees,
});

function sheetEvent({ kind, bar, isAtClose, price, size, reason }: TradeEvent, bars: BarSeries): SheetEvent {
  const time = (bars.time[bar] ?? Number.NaN) + (isAtClose ? bars.intervalMs : 0);
  return { kind, time, price, ...(size !== undefined && { size }), ...(reason !== undefined && { reason }) };
}

/** Reason for which a rule was refused. Equal rules are refused for the same reason. */
function refusalReason(rule: Rule, side: RuleListKey, denied: readonly DeniedSignal[]): string | undefined {
  const { name, signalType, timeframe, params } = rule;
  const key = (one: object) => canonicalJson(one);
  const wanted = key({ side, name, signal_type: signalType, timeframe, params });
  return denied.find((one) => {
    const { side, name, signal_type, timeframe, params } = one;
    return key({ side, name, signal_type, timeframe, params }) === wanted;
  })?.reason;
}

/** A rule with all its parameters; a refused rule with only the parameters that its author gave. */
function sheetRule(rule: Rule, own: readonly Signal[], interval: string, refusal: string | undefined): SheetRule {
  const { name, signalType, timeframe, params, negate, withinBars, asset, group } = rule;
  const signal = findSignal(name, own);
  return {
    name,
    role: signalType,
    params: signal === undefined || refusal !== undefined ? params : resolveParams(signal, params),
    timeframe: timeframe ?? interval,
    ...(negate && { negate }),
    ...(withinBars !== undefined && { withinBars }),
    ...(asset !== undefined && { asset }),
    ...(group !== undefined && { group }),
    description: signal?.description ?? '',
    refusal,
  };
}

/**
 * One value per bar, NaN before the first full window. Null if the run is shorter than a window.
 */
export function rollingSharpeCurve(
  equity: Float64Array,
  config: BacktestRun['result']['execution_config'],
  intervalMs: number,
): TearSheet['rollingSharpe'] {
  const windowBars = sharpeWindow(equity.length, intervalMs);
  if (windowBars < 2 || equity.length < windowBars) return null;
  const column = rollingSharpe(equity, config.initial_balance, windowBars, barsPerYear(intervalMs, config));
  const values = new Float64Array(equity.length).fill(Number.NaN);
  values.set(column, windowBars - 1);
  return { values, windowBars };
}

/** The metrics with units; a ratio without its denominator has no value, and says why. */
export function statedFigures(metrics: BacktestRun['result']['metrics']): Figures {
  return Object.fromEntries(
    Object.entries(metricFigures(metricTable, metrics)).map(([name, figure]) => [
      name,
      { ...figure, ...stated(name as MetricName, metrics) },
    ]),
  );
}

/** The figures of both sides under one name each; none in a run that uses one side, paid in full. */
function sideFigures(sides: SideMetrics | undefined): Figures {
  if (sides === undefined) return {};
  const { long, short } = sides;
  const named = (side: string, results: SideResults) =>
    Object.entries(metricFigures(sideResultTable, results)).map(
      ([name, figure]) => [`${side}_${name}`, figure] as const,
    );
  return {
    ...metricFigures(sideMetricTable, sides),
    ...Object.fromEntries([...named('long', long), ...named('short', short)]),
  };
}

type MetricRecords = Readonly<Record<string, { readonly unit: string; readonly description: string }>>;

/** The metrics that are numbers or null, with unit and description from their record. */
export function metricFigures(records: MetricRecords, values: object): Figures {
  const byName = values as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(records).flatMap(([name, { unit, description }]) => {
      const value = byName[name];
      return value === null || typeof value === 'number' ? [[name, { value, unit, description }]] : [];
    }),
  );
}
