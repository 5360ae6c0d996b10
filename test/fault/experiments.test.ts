import assert from 'node:assert/strict';
import test from 'node:test';
import { queryResults } from '../../data/sweeps/index.js';
import type { Foundation } from '../../service/capability.js';
import { openExperiments } from '../../service/experiments/capability.js';
import { EXPERIMENT_RUNS_MAX } from '../../service/identity/index.js';
import { sharedHome } from '../../service/objects/index.js';
import { openPlanner, type Planner } from '../../workers/index.js';
import { csvOf, fileOf } from '../support/data-fixtures.js';
import { addValidated, orgOf } from '../support/experiment-store.js';
import { caller, openExperimentBench, unlimited, type World } from '../support/experiment-world.js';
import { shortExperiment } from '../support/experiments.js';
import { randomBars } from '../support/random.js';
import { rejectsWith } from '../support/refusals.js';
import { moduleUrl } from '../support/tree.js';

const { home, bars, planner, folder, newWorld } = await openExperimentBench();

const check = (statement: string, body: (world: World) => Promise<void>) =>
  test(statement, async () => body(await newWorld()));

const btc = { asset: 'BTC', timeframe: '1d' };
const eth = { asset: 'ETH', timeframe: '1d' };
const RUNS = 12;

/** The bars, and a hook that runs before each load. */
function watched(beforeLoad: () => void | Promise<void>) {
  let loads = 0;
  const load: typeof bars.load = async (query) => {
    loads++;
    await beforeLoad();
    return bars.load(query);
  };
  return { bars: { ...bars, load }, loads: () => loads };
}

async function draft({ experiments }: World, more: object = {}): Promise<string> {
  return (await experiments.create(caller, shortExperiment('Draft', more))).experiment_id;
}

check('more datasets than the maximum are refused before any is loaded', async (world) => {
  const { bars: counted, loads } = watched(() => {});
  const experiments = world.experimentsWith({ bars: counted });
  const validate = async (count: number) =>
    experiments.validate(caller, await draft(world, { datasets: Array(count).fill(btc) }));
  const { valid, errors } = await validate(65);
  assert.deepEqual([valid, errors, loads()], [false, ['datasets must be a list with at most 64 datasets, had 65'], 0]);
  assert.equal((await validate(64)).valid, true);
});

check('a validation whose caller leaves loads no further dataset', async (world) => {
  const leaving = new AbortController();
  const { bars: left, loads } = watched(() => leaving.abort());
  const id = await draft(world, { datasets: [btc, eth] });
  const validation = world.experimentsWith({ bars: left }).validate(caller, id, leaving.signal);
  await assert.rejects(validation, (error) => error === leaving.signal.reason);
  assert.equal(loads(), 1);
});

check('validations beyond the queue are refused; the waiting ones hold no bars', async (world) => {
  let go = () => {};
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  let begun = () => {};
  const loading = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const { bars: slow, loads } = watched(() => {
    begun();
    return held;
  });
  const narrow = openPlanner({ queueMax: 1 });
  let entered = () => {};
  const told: Planner = {
    ...narrow,
    plan(prepare, signal) {
      const plan = narrow.plan(prepare, signal);
      entered();
      return plan;
    },
  };
  const experiments = world.experimentsWith({ bars: slow, planner: told });
  const validate = async () => experiments.validate(caller, await draft(world));
  try {
    const planned: Promise<unknown>[] = [];
    for (let i = 0; i < 2; i++) {
      await new Promise<void>((resolve) => {
        entered = resolve;
        planned.push(validate());
      });
    }
    await assert.rejects(validate(), {
      code: 'ENGINE_BUSY',
      message: 'no validation can start now: the queue of 1 is full',
      details: { retry_after: 5 },
    });
    await loading;
    assert.equal(loads(), 1);
    go();
    await Promise.all(planned);
    assert.equal(loads(), 2);
  } finally {
    await narrow.close();
  }
});

check(
  'a random search beyond the cap is refused before any planning, the largest below it is planned',
  async (world) => {
    const { bars: counted, loads } = watched(() => {});
    const unplanned: Planner = { ...planner, plan: () => assert.fail('planned') };
    const experiments = world.experimentsWith({ bars: counted, planner: unplanned, tiers: unlimited });
    const random = (n_random: number, more: object = {}) =>
      draft(world, { search_mode: 'random', n_random, datasets: [btc], entry_signals: {}, ...more });
    for (const [id, runs] of [
      [await random(EXPERIMENT_RUNS_MAX + 1), 'more than 1000000'],
      [await random(EXPERIMENT_RUNS_MAX / 2 + 1, { datasets: [btc, eth] }), '1000002'],
    ]) {
      const message = new RegExp(`^Tier Unlimited allows 1000000 backtests per sweep, this experiment has ${runs}$`);
      await rejectsWith(experiments.validate(caller, id), 'TIER_UPGRADE_REQUIRED', message);
    }
    assert.equal(loads(), 0);
    // The cap of the tier Large.
    const largest = await world.experiments.validate(caller, await random(200));
    assert.deepEqual([largest.valid, largest.total_runs], [true, 200]);
    const folds = { walk_forward: { mode: 'rolling', train_days: 100, test_days: 50, metric: 'sharpe_ratio' } };
    const folded = world.experiments.validate(caller, await random(200, folds));
    await rejectsWith(
      folded,
      'TIER_UPGRADE_REQUIRED',
      /^Tier Large allows 200 backtests per sweep, this experiment has \d+$/,
    );
  },
);

check('a small validation does not wait for the large one of another organization', async (world) => {
  let go = () => {};
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  const large = world.experimentsWith({ bars: watched(() => held).bars }).validate(caller, await draft(world));
  const other = { ...caller, orgId: orgOf(1) };
  const { experiment_id: small } = await world.experiments.create(other, shortExperiment('Small'));
  assert.equal((await world.experiments.validate(other, small)).valid, true);
  go();
  assert.equal((await large).valid, true);
});

check('a launch wakes one worker per block, up to a maximum', async ({ stores }) => {
  const woken: unknown[] = [];
  const foundation = {
    config: { BARLINE_HOME: home },
    state: { kind: 'server', db: stores.db },
    ...{ market: bars, sampleDir: home, version: '0', shared: sharedHome, onInternalError: assert.fail },
    jobs: { wake: (queue: string, count: number) => woken.push([queue, count]) },
  } as unknown as Foundation;
  const { methods, close } = await openExperiments(foundation, unlimited);
  for (const [id, runs] of [
    ['exp_1', 501],
    ['exp_2', 1_000_000],
  ] as const) {
    await addValidated(stores, id, { runs });
    await methods['Experiments.Launch']({ experiment_id: id } as never, { caller } as never);
  }
  assert.deepEqual(woken, [
    ['sweeps', 2],
    ['sweeps', 16],
  ]);
  await close?.();
});

check('a plan that ends its thread every time fails its experiment', async ({ launch, runAll, get }) => {
  const id = await launch(shortExperiment('Deadly'));
  const deadly = openPlanner({ task: moduleUrl('test/support/exiting-task') });
  try {
    await runAll({ planner: deadly });
  } finally {
    await deadly.close();
  }
  const { status, error } = await get(id);
  assert.equal(status, 'failed');
  assert.match(error ?? '', /^the plan of the experiment ended its thread 3 times: worker exited with code: 9/);
});

check(
  'a worker that stops while it plans releases its block at once',
  async ({ launch, runnerOf, runAll, get, stores }) => {
    const id = await launch(shortExperiment('Stopped'));
    const stopped: ReturnType<typeof runnerOf> = runnerOf({ bars: watched(() => stopped.stop()).bars });
    assert.equal(await stopped.runNext(), true);
    const leases = await stores.db.selectFrom('experiment_leases').select(['runner', 'deaths']).execute();
    assert.deepEqual(leases, [{ runner: '', deaths: 0 }]);
    await runAll();
    assert.deepEqual([(await get(id)).status, (await get(id)).completed_runs], ['completed', RUNS]);
  },
);

check('a block that another runner has taken is not begun', async ({ launch, runnerOf, runAll, get, stores }) => {
  const id = await launch(shortExperiment('Taken'));
  const taking = watched(async () => {
    await stores.db.updateTable('experiment_leases').set({ runner: 'another' }).execute();
    await new Promise((resolve) => setTimeout(resolve, 100)); // a renewal comes after 10 ms
  });
  const threads = () => assert.fail('it runs nothing');
  assert.equal(await runnerOf({ bars: taking.bars, leaseMs: 30, threads }).runNext(), true);
  const leases = await stores.db.selectFrom('experiment_leases').select(['runner', 'deaths']).execute();
  assert.deepEqual(leases, [{ runner: 'another', deaths: 0 }]);
  await stores.db.updateTable('experiment_leases').set({ until_ms: 0 }).execute();
  await runAll();
  assert.equal((await get(id)).status, 'completed');
});

/** Acts as if processes had died of a run, alone, this many times. */
async function launchDeadly({ launch, stores: { db } }: World, deaths: number): Promise<string> {
  const id = await launch(shortExperiment('Deadly'));
  const lease = { experiment_id: id, runner: 'gone', until_ms: 0 };
  await db.updateTable('experiments').where('id', '=', id).set({ next_run: RUNS, status: 'running' }).execute();
  const leases = [
    { ...lease, run_from: 0, run_to: 7, deaths: 1 },
    { ...lease, run_from: 7, run_to: 8, deaths },
    { ...lease, run_from: 8, run_to: RUNS, deaths: 0 },
  ];
  await db.insertInto('experiment_leases').values(leases).execute();
  return id;
}

check('a run that ended three processes is not run again: its row says so', async (world) => {
  const { runAll, get } = world;
  const id = await launchDeadly(world, 3);
  await runAll();
  const { status, progress } = await get(id);
  assert.deepEqual([status, progress.completed, progress.errors], ['completed', RUNS, 1]);
  const wanted = 'run_index, error_msg, length(config_hash), total_trades';
  const { rows } = await queryResults([folder(id)], `SELECT ${wanted} FROM results WHERE status = 'error'`);
  assert.deepEqual(rows, [[7, 'the run ended its process 3 times', 16, null]]);
  const another = await launchDeadly(world, 2);
  await runAll();
  assert.equal((await get(another)).progress.errors, 0, 'two deaths may be chance');
});

check('a run that ends its process even while its row is written fails the experiment', async (world) => {
  const id = await launchDeadly(world, 6);
  await world.runAll();
  const { status, error } = await world.get(id);
  assert.equal(status, 'failed');
  assert.match(error ?? '', /^run 7 cannot have a row: the run ended its process 6 times/);
});

check('rows come from the bars that the plan was checked against, even after new imports', async (world) => {
  const { launch, runAll, get } = world;
  const importBars = async (seed: number) => {
    const csv = csvOf(randomBars({ seed, barCount: 600, intervalMs: 86_400_000 }));
    await bars.import(await fileOf(home, `OWN-${seed}.csv`, csv), { asset: 'OWN', replace: true });
  };
  await importBars(1);
  const id = await launch(shortExperiment('Own', { datasets: [{ asset: 'OWN', timeframe: '1d' }] }));
  const [planned] = (await bars.list()).filter(({ asset }) => asset === 'OWN');
  const meanwhile: Planner = {
    ...planner,
    async plan(prepare, signal) {
      const plan = await planner.plan(prepare, signal);
      await importBars(2);
      return plan;
    },
  };
  await runAll({ planner: meanwhile });
  assert.deepEqual([(await get(id)).status, (await get(id)).error], ['completed', null]);
  const { rows } = await queryResults([folder(id)], 'SELECT DISTINCT data_file_hash FROM results');
  assert.deepEqual(rows, [[`sha256:${planned?.contentHash}`]]);
});
