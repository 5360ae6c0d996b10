import type { QueueSource } from '../../workers/queues/index.js';
import type { BacktestDeps } from '../backtests/execute.js';
import { LeasedRunner, type RunnerStep } from '../backtests/runner.js';
import { SqlBacktestStore } from '../backtests/store.js';
import type { Capability, Foundation } from '../capability.js';
import { runnerName } from '../work/lease.js';
import { Portfolios } from './portfolios.js';
import type { PortfolioContent } from './store.js';

interface PortfolioNeeds {
  readonly deps: BacktestDeps;
  readonly source: QueueSource;
}

interface PortfolioCapability extends Capability<'Portfolios'> {
  readonly portfolios: Portfolios;
}

/** Runs of portfolios wait in the queue of backtests, whose workers take both. */
export function openPortfolios(
  { config, state, sampleDir }: Foundation,
  backtests: PortfolioNeeds,
): PortfolioCapability {
  const { deps, source } = backtests;
  const store = new SqlBacktestStore<PortfolioContent>(state.db, true);
  const portfolios = new Portfolios({ ...deps, store, queue: deps, home: config.BARLINE_HOME, sampleDir });
  const runner = new LeasedRunner<PortfolioContent>(
    { ...deps, store, execute: (plan, signal) => portfolios.compute(plan, signal) },
    { name: runnerName() },
  );
  return {
    portfolios,
    sources: [afterBacktests(source, runner)],
    close: () => portfolios.close(),
    reads: ['Portfolios.List', 'Portfolios.Get', 'Portfolios.ListTrades'],
    methods: {
      'Portfolios.Run': (request, { caller, signal }) => portfolios.run(caller, request, signal),
      'Portfolios.Submit': (request, { caller }) => portfolios.submit(caller, request),
      'Portfolios.Get': ({ portfolio_id: id }, { caller }) => portfolios.get(caller, id),
      'Portfolios.ListTrades': (request, { caller }) => portfolios.listTrades(caller, request.portfolio_id, request),
      'Portfolios.List': (request, { caller }) => portfolios.list(caller, request),
      'Portfolios.Cancel': ({ portfolio_id: id }, { caller }) => portfolios.cancel(caller, id),
      'Portfolios.Archive': ({ portfolio_id: id }, { caller }) => portfolios.setArchived(caller, id, true),
      'Portfolios.Unarchive': ({ portfolio_id: id }, { caller }) => portfolios.setArchived(caller, id, false),
    },
  };
}

/** The source of backtests, whose workers go on with portfolios when no backtest is left. */
const afterBacktests = (source: QueueSource, runner: LeasedRunner<PortfolioContent>): QueueSource => ({
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
});
