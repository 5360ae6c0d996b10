import { extendedMetricTable } from '../../engine/metrics/index.js';
import type { PortfolioSheet, TearSheet } from '../../report/index.js';
import { benchmarkFigures, runMonteCarlo, shortWindowCaution } from '../backtest/sheet-extras.js';
import { metricFigures, plainSheetTrade, rollingSharpeCurve, statedFigures } from '../backtest/tear-sheet.js';
import type { PortfolioRun } from './run-portfolio.js';
import { memberNames, settingsByMember } from './settings.js';

/** The same for every run, so that equal runs give equal pages. */
const MONTE_CARLO_SEED = 1;

/** The account of a portfolio as the page of a single run shows one, for pages and comparisons. */
export function buildAccountSheet({ result, simulation, market }: PortfolioRun): TearSheet {
  const { execution_config: config, metrics, extended_metrics, manifest, warnings, members } = result;
  const { equity, trades } = simulation;
  const caution = shortWindowCaution(metrics);
  const denied = countReasons(result);
  const { run_id, engine_version, result_hash } = manifest;
  const data = result.data.map(({ asset, source, content_hash }) => [`data ${asset}`, `${source} ${content_hash}`]);
  const starts = result.first_values.map(({ asset, rule, first_value }) => [
    `first value of ${rule}, ${asset}`,
    first_value ?? 'none in the window',
  ]);
  return {
    title: result.portfolio,
    asset: `${members.length} ${result.kind === 'members' ? 'members' : 'assets'}`,
    interval: result.interval,
    intervalMs: market.intervalMs,
    window: { startMs: Date.parse(result.window.start), endMs: Date.parse(result.window.end) },
    initialBalance: config.initial_balance,
    bars: market,
    equity,
    rollingRisk: null,
    rollingSharpe: rollingSharpeCurve(equity, config, market.intervalMs),
    indicators: [],
    benchmark: benchmarkFigures(market, 0, config),
    accountName: 'account',
    benchmarkName: 'held evenly',
    monteCarlo: runMonteCarlo(equity, config.initial_balance, MONTE_CARLO_SEED),
    trades: result.trades.map(plainSheetTrade),
    metrics: statedFigures(metrics),
    extendedMetrics: metricFigures(extendedMetricTable, extended_metrics),
    diagnostics: {
      ...{ bars: equity.length, trigger_true: 0, filter_true: 0, both_true: 0, denied, filled: trades.length },
      verdict: trades.length === 0 ? 'No entry was filled.' : null,
    },
    rules: { entry: [], exit: [] },
    definition: withoutName(manifest.request.portfolio),
    execution: memberSettings(result),
    executionDefaults: {},
    manifest: { run_id, engine_version, result_hash, ...Object.fromEntries([...data, ...starts]) },
    warnings: caution === null ? warnings : [...warnings, caution],
    deniedSignals: result.denied_signals,
  };
}

function withoutName(portfolio: unknown): unknown {
  const { name: _, ...definition } = { ...(portfolio as object | null), name: null };
  return definition;
}

/** The settings that acted, by member where they differ. */
export const memberSettings = ({ execution_config: config, members }: PortfolioRun['result']) =>
  settingsByMember({ config, own: members.map(({ settings }) => settings) }, memberNames(members));

/** The page of a finished portfolio. */
export function buildPortfolioSheet(run: PortfolioRun): PortfolioSheet {
  const { result, simulation } = run;
  const { courses, timeline, rebalances, correlation } = simulation;
  const names = memberNames(result.members);
  const none = new Float64Array(timeline.times.length);
  const weights = result.members.map((_, m) => courses?.weights[m] ?? none);
  const shared = result.shared_window;
  return {
    account: buildAccountSheet(run),
    kind: result.kind,
    members: result.members.map((member, m) => ({
      name: names[m] ?? member.asset,
      strategy: result.data[m]?.strategy ?? null,
      ...{ trades: member.trades, profit: member.profit, shareOfReturn: member.share_of_return },
      ...{ exposure: member.exposure, timeInMarket: member.time_in_market },
      weights: weights[m] ?? none,
      profits: courses?.profits[m] ?? none,
    })),
    correlation: correlation.map((row) => Array.from(row, (value) => (Number.isNaN(value) ? null : value))),
    gross: sumOf(weights, none.length, Math.abs),
    net: sumOf(weights, none.length, (weight) => weight),
    turnover: result.turnover,
    rebalances: rebalances.map(({ time, sold, bought }) => ({
      ...{ bar: time, sold, bought },
      timeMs: timeline.times[time] ?? Number.NaN,
    })),
    denied: countReasons(result),
    limited: sumOfLimits(result),
    money: result.contributions,
    shared: shared && { startMs: Date.parse(shared.start), endMs: Date.parse(shared.end) },
    definition: result.manifest.request.portfolio,
  };
}

function countReasons({ denied_entries }: PortfolioRun['result']): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { reason } of denied_entries) counts[reason] = (counts[reason] ?? 0) + 1;
  return counts;
}

function sumOfLimits({ members }: PortfolioRun['result']): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { limited } of members) {
    for (const [limit, n] of Object.entries(limited)) counts[limit] = (counts[limit] ?? 0) + n;
  }
  return counts;
}

function sumOf(columns: readonly Float64Array[], length: number, of: (value: number) => number): Float64Array {
  const sum = new Float64Array(length);
  // biome-ignore lint/style/noNonNullAssertion: all columns have that length
  for (const column of columns) for (let i = 0; i < length; i++) sum[i]! += of(column[i]!);
  return sum;
}
