import type { BarStore } from '../../data/bars/index.js';
import { type BacktestRequest, equityPoints, runBacktest } from '../../research/backtest/index.js';

/** Runs one backtest as a known version of the engine, and renders its whole result. */
export async function backtestResult(request: BacktestRequest, store: BarStore) {
  const run = await runBacktest(request, { store, engineVersion: '0.0.0-test' });
  return { ...run.result, equity: [...equityPoints(run)] };
}
