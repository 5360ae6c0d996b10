export { evaluateSignals, type SignalAnswer } from './evaluate-signals.js';
export type { BacktestRequest } from './prepare-run.js';
export { type BacktestResult, runBacktest } from './run-backtest.js';
export { type SimulationAnswer, simulateRequests } from './simulate-requests.js';
