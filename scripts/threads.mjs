/** The scripts that threads run. The code that starts a thread looks for its script beside itself. */
export const threads = [
  'workers/sweep-task.ts',
  'workers/trial-task.ts',
  'workers/backtest-task.ts',
  'research/portfolio/sweep/portfolio-sweep-task.ts',
  'service/experiments/portfolio-plan-task.ts',
  'service/experiments/report-task.ts',
  'service/portfolios/portfolio-task.ts',
  'rpc/compute-task.ts',
  'data/state/embedded/pglite-thread.ts',
];
