export { type AuditReport, auditBacktest } from './audit-backtest.js';
export type { Diagnostics } from './diagnose.js';
export { evaluateSignals, type SignalAnswer } from './evaluate-signals.js';
export type { Manifest } from './manifest.js';
export type { BacktestRequest } from './prepare-run.js';
export { type Replay, readManifest, replay } from './replay.js';
export { type BacktestResult, type BacktestRun, runBacktest, type Services } from './run-backtest.js';
export { type SimulationAnswer, simulateRequests } from './simulate-requests.js';
export { tearSheetOf } from './tear-sheet.js';
