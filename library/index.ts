/**
 * Barline as a library: bars, backtests, sweeps, live runs, indicators, and signals of one's own.
 * docs/library.md is its guide. Anything else may change in any version.
 */

export type { AuditFinding } from '../engine/audit/index.js';
export { type EngineCode, EngineError } from '../engine/errors.js';
export type { DenialReason, ExecutionConfig, Position, Trade } from '../engine/execution/index.js';
export {
  type Answers,
  defineOwnSignal as defineSignal,
  type OwnSignal,
  type SignalBars,
  type SignalDefinition,
  type SignalParam,
  type SignalParams,
} from '../engine/signals/index.js';
export type {
  AcrossAssets,
  AssetAudits,
  AuditReport,
  BacktestResult,
  BacktestTrade,
} from '../research/backtest/index.js';
export type { PortfolioAuditReport, PortfolioResult } from '../research/portfolio/index.js';
export type { SweepProgress } from '../research/sweep/index.js';
export {
  type AssetsOptions,
  type AuditAssetsOptions,
  auditAssets,
  type BacktestAssetsOptions,
  backtestAssets,
} from './backtest/backtest-assets.js';
export { type Backtest, type BacktestOptions, runBacktest } from './backtest/run-backtest.js';
export type { BarColumnsInput, BarRow, Bars } from './bars/columns-in.js';
export {
  type BarsSource,
  type FileBarsSource,
  type HeldBarsSource,
  loadBars,
  type MemoryBarsSource,
} from './bars/load-bars.js';
export type { AuditOptions } from './bounds.js';
export type { HomeOptions } from './home.js';
export * from './indicators/generated/functions.js';
export type { BarIndicator, ColumnIndicator, IndicatorStream, NumberColumn } from './indicators/indicator.js';
export type { FurtherBars } from './live/further-bars.js';
export type { LiveAccount, LivePosition, LiveWorkingOrder } from './live/live-account.js';
export type { LiveEvent, LiveHeld, LiveOrder } from './live/live-events.js';
export { type LiveOptions, type LiveRun, type LiveStep, startLive } from './live/live-run.js';
export type { LiveSkill } from './live/skills.js';
export type { ClosedBar } from './live/stored-bars.js';
export {
  type Allocation,
  type Portfolio,
  type PortfolioBacktest,
  type PortfolioMember,
  type PortfolioOptions,
  runPortfolio,
} from './portfolio/run-portfolio.js';
export type { ExecutionSettings, RuleList, Strategy, StrategyRule } from './strategy.js';
export {
  type PortfolioAxis,
  type PortfolioSweep,
  type PortfolioSweepOptions,
  type PortfolioSweepPlan,
  runPortfolioSweep,
} from './sweep/run-portfolio-sweep.js';
export { type RunDefinition, runSweep, type Sweep, type SweepOptions, type SweepRow } from './sweep/run-sweep.js';
