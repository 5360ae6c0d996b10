import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after } from 'node:test';
import { type BarStore, openBars } from '../../data/bars/index.js';
import { startPortfolioThreads } from '../../research/portfolio/sweep/index.js';
import type { Caller } from '../../service/caller.js';
import { type ExperimentDeps, Experiments } from '../../service/experiments/experiments.js';
import { SqlHeldOutDays } from '../../service/experiments/held-out.js';
import { openPortfolioPlanner } from '../../service/experiments/plan.js';
import { BlockRunner, type BlockRunnerDeps, experimentFolder } from '../../service/experiments/run-blocks.js';
import { Tiers } from '../../service/identity/index.js';
import { sharedHome } from '../../service/objects/index.js';
import { openPlanner, type Planner, type SweepThreads, startThreads } from '../../workers/index.js';
import { type ExperimentStores, emptyExperiments, orgOf } from './experiment-store.js';
import { sharedState } from './shared-state.js';
import { temporaryFolder } from './temporary-folder.js';
import { root } from './tree.js';

export const engineVersion = '0.0.0-test';

const tier = {
  entitlements: [],
  strategiesMax: null,
  monthlyMax: { backtests: null, api_calls: null, oracle_data_queries: null, tokens: null, defi_pro_calls: null },
  priceMonthly: null,
  concurrentSweepsMax: null,
};
const tiers = new Tiers([
  { ...tier, id: 'large', name: 'Large', backtestsPerSweepMax: 200 },
  { ...tier, id: 'small', name: 'Small', backtestsPerSweepMax: 11 },
]);
export const unlimited = new Tiers([{ ...tier, id: 'large', name: 'Unlimited', backtestsPerSweepMax: null }]);
export const caller: Caller = {
  userId: orgOf(900),
  orgId: orgOf(0),
  role: 'member',
  tier: 'large',
  credential: 'session',
  credentialId: 'session',
  scopes: [],
};

export interface World {
  readonly stores: ExperimentStores;
  readonly experiments: Experiments;
  experimentsWith(more: Partial<ExperimentDeps>): Experiments;
  /** A new name every time. */
  runnerOf(more?: Partial<BlockRunnerDeps>): BlockRunner;
  /** Stores, validates and launches. */
  launch(config: object): Promise<string>;
  /** Runs until no work is left. */
  runAll(more?: Partial<BlockRunnerDeps>): Promise<void>;
  get(id: string): ReturnType<Experiments['get']>;
}

/** What the tests of a file share: threads, bars, a store, and a clock that stands still. */
export interface ExperimentBench {
  readonly home: string;
  readonly bars: BarStore;
  readonly corpus: string;
  readonly planner: Planner;
  readonly threads: SweepThreads;
  readonly clock: { nowMs: number };
  /** Of the rows of an experiment. */
  folder(id: string): string;
  /** Without experiments. */
  newWorld(): Promise<World>;
}

export async function openExperimentBench(): Promise<ExperimentBench> {
  const home = temporaryFolder('experiments');
  const bars = openBars({ home, sampleDir: join(root, 'sample') });
  const corpus = join(home, 'corpus');
  const planner = openPlanner();
  const portfolioPlanner = openPortfolioPlanner();
  const threads = startThreads({ threads: 2 });
  let ofPortfolios: ReturnType<typeof startPortfolioThreads> | null = null;
  const portfolioThreads = () => {
    ofPortfolios ??= startPortfolioThreads({ threads: 2 });
    return ofPortfolios;
  };
  const state = await sharedState();
  after(async () => {
    await threads.end();
    await ofPortfolios?.end();
    await Promise.all([planner.close(), portfolioPlanner.close()]);
  });
  let micros = 1_700_000_000_000_000;
  const clock = { nowMs: 1_700_000_000_000 };

  async function newWorld(): Promise<World> {
    const stores = await emptyExperiments(state.db);
    const heldOut = (orgId: string) => new SqlHeldOutDays(state.db, orgId);
    const sampleDir = join(root, 'sample');
    const plans = { bars, planner, portfolioPlanner, home, sampleDir };
    const deps = { ...plans, shared: sharedHome, engineVersion, heldOut, nowMs: () => clock.nowMs };
    const experimentsWith = (more: Partial<ExperimentDeps>) =>
      new Experiments({
        ...deps,
        store: stores.store,
        tiers,
        nowMicros: () => ++micros,
        onLaunched: () => {},
        ...more,
      });
    const experiments = experimentsWith({});
    let runners = 0;
    const runnerOf = (more: Partial<BlockRunnerDeps> = {}) =>
      new BlockRunner({
        ...deps,
        work: stores.work,
        threads: () => threads,
        portfolioThreads,
        corpus,
        name: `runner ${runners++}`,
        onInternalError: (error) => assert.fail(String(error)),
        ...more,
      });
    const runAll = async (more: Partial<BlockRunnerDeps> = {}) => {
      const runner = runnerOf(more);
      while (await runner.runNext());
    };
    const launch = async (config: object) => {
      const { experiment_id: id } = await experiments.create(caller, config as Record<string, unknown>);
      const { errors } = await experiments.validate(caller, id);
      assert.deepEqual(errors, []);
      await experiments.launch(caller, id);
      return id;
    };
    const get = (id: string) => experiments.get(caller, id);
    return { stores, experiments, experimentsWith, runnerOf, runAll, launch, get };
  }

  const folder = (id: string): string => experimentFolder(corpus, caller.orgId, id);
  return { home, bars, corpus, planner, threads, clock, folder, newWorld };
}
