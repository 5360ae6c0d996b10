export {
  type AcrossAssets,
  type AssetRun,
  assetFigures,
  backtestAssets,
} from './across-assets.js';
export { type AssetAudits, type AuditReport, auditAssets, auditBacktest } from './audit-backtest.js';
export type { Manifest } from './manifest.js';
export { openHeldOut } from './open-held-out.js';
export { type BacktestRequest, type OwnSignals, prepareRun, requestedStrategy } from './prepare-run.js';
export { equityPoints, showTrade } from './render.js';
export { differencesBetween, type Replay, readManifest, readResult, recordedRequest, replay } from './replay.js';
export { barTable, equityTable, tradeTable } from './result-tables.js';
export {
  type BacktestResult,
  type BacktestRun,
  type BacktestTrade,
  type RunServices,
  runBacktest,
  type Services,
} from './run-backtest.js';
export { shortWindowCaution } from './sheet-extras.js';
export { buildTearSheet } from './tear-sheet.js';
