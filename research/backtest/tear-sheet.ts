import {
  barsPerYear,
  canonicalJson,
  type DeniedSignal,
  extendedMetricTable,
  findSignal,
  type MetricName,
  metricTable,
  parseStrategy,
  type Rule,
  resolveConfig,
  resolveParams,
  rollingSharpe,
  type Signal,
  sharpeWindow,
  sliceBars,
  stated,
} from '../../engine/index.js';
import type { Figures, SheetRule, TearSheet } from '../../report/index.js';
import type { BacktestRun } from './run-backtest.js';
import { benchmarkFigures, indicatorsOf, monteCarloOf, rollingRiskOf } from './sheet-extras.js';
import { shortWindowCaution } from './short-window.js';

/** The same for every run, so that equal runs give equal pages. */
const MONTE_CARLO_SEED = 1;

/** The tear sheet of a finished run. */
export function tearSheetOf({ result, bars, first, simulation, own }: BacktestRun): TearSheet {
  const { execution_config: config, metrics, extended_metrics, diagnostics, denied_signals, warnings } = result;
  // The page shows rules, settings, window and warnings in places of their own.
  const { run_id, engine_version, data, config_hash, seed, result_hash } = result.manifest;
  const { source, aggregated_from, content_hash } = data;
  const strategy = parseStrategy(result.manifest.request.strategy, 'relaxed', { own, onUnknownKeys: () => {} });
  const rulesOf = (side: 'entry' | 'exit') =>
    strategy[side].map((rule) => sheetRule(rule, own, result.interval, refusalOf(rule, side, denied_signals)));
  const tradable = sliceBars(bars, first, bars.barCount);
  const caution = shortWindowCaution(metrics);
  return {
    title: result.strategy,
    asset: result.asset,
    interval: result.interval,
    intervalMs: bars.intervalMs,
    window: { startMs: Date.parse(result.window.start), endMs: Date.parse(result.window.end) },
    initialBalance: config.initial_balance,
    bars: tradable,
    equity: simulation.equity,
    rollingRisk: rollingRiskOf(simulation.equity, config, tradable),
    indicators: indicatorsOf([...strategy.entry, ...strategy.exit], own, bars, first),
    benchmark: benchmarkFigures(bars, first, config),
    monteCarlo: monteCarloOf(simulation.equity, config.initial_balance, MONTE_CARLO_SEED),
    rollingSharpe: rollingOf(simulation.equity, config, bars.intervalMs),
    trades: result.trades.map((trade) => ({
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
      mae: trade.mae,
      mfe: trade.mfe,
    })),
    metrics: statedFigures(metrics),
    extendedMetrics: figuresOf(extendedMetricTable, extended_metrics),
    diagnostics,
    rules: { entry: rulesOf('entry'), exit: rulesOf('exit') },
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

/** Reason for which a rule was refused. Equal rules are refused for the same reason. */
function refusalOf(rule: Rule, side: 'entry' | 'exit', denied: readonly DeniedSignal[]): string | undefined {
  const { name, signalType, timeframe, params } = rule;
  const key = (one: object) => canonicalJson(one);
  const wanted = key({ side, name, signal_type: signalType, timeframe, params });
  return denied.find((one) => {
    const { side, name, signal_type, timeframe, params } = one;
    return key({ side, name, signal_type, timeframe, params }) === wanted;
  })?.reason;
}

/** A rule with all its parameters; a refused rule with only those that its author gave. */
function sheetRule(rule: Rule, own: readonly Signal[], interval: string, refusal: string | undefined): SheetRule {
  const { name, signalType, timeframe, params } = rule;
  const signal = findSignal(name, own);
  return {
    name,
    role: signalType,
    params: signal === undefined || refusal !== undefined ? params : resolveParams(signal, params),
    timeframe: timeframe ?? interval,
    description: signal?.description ?? '',
    refusal,
  };
}

/**
 * One value per bar, NaN before the first full window. Null if the run is shorter than a window.
 */
function rollingOf(
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
function statedFigures(metrics: BacktestRun['result']['metrics']): Figures {
  return Object.fromEntries(
    Object.entries(figuresOf(metricTable, metrics)).map(([name, figure]) => [
      name,
      { ...figure, ...stated(name as MetricName, metrics) },
    ]),
  );
}

type MetricRecords = Readonly<Record<string, { readonly unit: string; readonly description: string }>>;

/** The metrics that are numbers or null, with unit and description from their record. */
function figuresOf(records: MetricRecords, values: object): Figures {
  const byName = values as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(records).flatMap(([name, { unit, description }]) => {
      const value = byName[name];
      return value === null || typeof value === 'number' ? [[name, { value, unit, description }]] : [];
    }),
  );
}
