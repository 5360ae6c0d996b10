import { randomUUID } from 'node:crypto';
import { type BacktestDeps, LeasedRunner, type RunnerStep, SqlBacktestStore } from '../backtests/index.js';
import { type PortfolioContent, Portfolios, portfolioMethods } from './index.js';
import type { State } from '../state/index.js';
import type { QueueSource } from '../../workers/queues/index.js';
import type { ServiceConfig } from '../settings/config.js';

interface PortfolioParts {
  readonly config: ServiceConfig;
  readonly state: State;
  readonly backtests: BacktestDeps;
  readonly sampleDir: string;
}

/** Runs of portfolios wait in the queue of backtests, whose workers take both. */
export function composePortfolios({ config, state, backtests, sampleDir }: PortfolioParts) {
  const store = new SqlBacktestStore<PortfolioContent>(state.db, true);
  const portfolios = new Portfolios({
    ...backtests,
    ...{ store, queue: backtests, home: config.BARLINE_HOME, sampleDir },
  });
  const runner = new LeasedRunner<PortfolioContent>(
    { ...backtests, store, execute: (plan, signal) => portfolios.compute(plan, signal) },
    { name: `${process.pid}-${randomUUID()}` },
  );
  return {
    portfolios,
    useCases: portfolioMethods(portfolios),
    /** The source of backtests, whose workers go on with portfolios when no backtest is left. */
    after: (source: QueueSource): QueueSource => ({
      ...source,
      async next() {
        const before = await source.next();
        let step: RunnerStep;
        do step = await runner.runNext();
        while (step === 'ended');
        return step === 'released' ? 'busy' : before;
      },
      stop() {
        source.stop();
        runner.stop();
      },
    }),
    close: () => portfolios.close(),
  };
}
