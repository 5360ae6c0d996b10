import assert from 'node:assert/strict';
import { copyFile, mkdir, readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import test, { after } from 'node:test';
import { sha256 } from '../../../../data/hashes/index.js';
import { openSweepFolder, queryResults, triedIn } from '../../../../data/sweeps/index.js';
import { assessSweep, runSweep } from '../../../../research/sweep/index.js';
import { SqlHeldOutDays } from '../../../../service/experiments/held-out.js';
import { PartKeeper } from '../../../../service/experiments/keep-parts.js';
import { ExperimentReports } from '../../../../service/experiments/reports.js';
import type { BlockRunnerDeps } from '../../../../service/experiments/run-blocks.js';
import { sharedHome } from '../../../../service/objects/index.js';
import type { SweepThreads } from '../../../../workers/index.js';
import { csvOf, fileOf } from '../../../support/data-fixtures.js';
import { orgOf, rangesOf } from '../../../support/experiment-store.js';
import { caller, engineVersion, openExperimentBench, type World } from '../../../support/experiment-world.js';
import { shortExperiment } from '../../../support/experiments.js';
import { randomBars } from '../../../support/random.js';
import { rejectsWith } from '../../../support/refusals.js';
import { comparableRows } from '../../../support/sweep-process.js';
import { sweepRequest } from '../../../support/sweep-setup.js';
import { filter, trigger } from '../../../support/sweeps.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { root } from '../../../support/tree.js';

const { home, bars, corpus, threads: real, clock, folder, newWorld } = await openExperimentBench();

const check = (statement: string, body: (world: World) => Promise<void>) =>
  test(statement, async () => body(await newWorld()));

/** 36 runs over two series, of which every third never sees its filter true. */
const config = shortExperiment('Mixed', {
  datasets: [
    { asset: 'BTC', timeframe: '1d' },
    { asset: 'ETH', timeframe: '4h' },
  ],
  entry_signals: {
    triggers: [trigger('sma_cross_up', { window_fast: { values: [5, 10, 20] }, window_slow: { values: [10, 20] } })],
    filters: [
      filter('is_above_sma', { window: { values: [50, 100] } }),
      filter('rsi_oversold', { threshold: { values: [1] } }),
    ],
  },
});
const RUNS = 36;

/** Runs chunks on the real threads; calls `after` with the outcome of each. */
const threadsThat = (afterChunk: (chunk: number) => Promise<void>): SweepThreads => {
  let chunks = 0;
  return {
    ...real,
    count: 1,
    async run(task) {
      const result = await real.run(task);
      await afterChunk(++chunks);
      return result;
    },
  };
};

/** The keeper of the files of experiments, over these stores. */
const keeperOf = (stores: Pick<World['stores'], 'tries' | 'parts'>, nowMs = () => clock.nowMs) =>
  new PartKeeper({ tries: stores.tries, parts: stores.parts, files: sharedHome.parts, corpus, nowMs });

/** The same sweep on the command line. */
const calm = join(home, 'calm');
const { prepared } = await runSweep(sweepRequest(config, calm), { store: bars, engineVersion });
const calmRows = await comparableRows(calm);

/** The committed rows: a runner that lost its block may leave other files in the folder. */
async function assertEqualToCalm({ stores, get }: World, id: string): Promise<void> {
  const ended = await get(id);
  assert.deepEqual([ended.status, ended.completed_runs, ended.error], ['completed', RUNS, null]);
  const committed = openSweepFolder(temporaryFolder('committed'));
  await copyFile(join(folder(id), 'sweep.json'), join(committed.path, 'sweep.json'));
  let next = 0;
  for (const [from, to] of await rangesOf(stores, id)) {
    assert.equal(from, next);
    await copyFile(openSweepFolder(folder(id)).partPath(from, to), committed.partPath(from, to));
    next = to;
  }
  assert.equal(next, RUNS);
  assert.deepEqual(await comparableRows(committed.path), calmRows);
}

check('a validation reports all errors, the warnings, or the number of runs', async ({ experiments, get }) => {
  const { experiment_id: id } = await experiments.create(caller, { ...config, color: 'red' });
  const sound = await experiments.validate(caller, id);
  assert.deepEqual([sound.valid, sound.total_runs, sound.errors], [true, RUNS, []]);
  const made = 'entry_signals: its trigger, 1 of 2 filters in each run; max_filters 2 adds both';
  assert.deepEqual(sound.warnings, ['sweep: unknown color, ignored', made]);
  const validated = await get(id);
  assert.equal(validated.config.color, 'red');
  assert.deepEqual([validated.status, validated.total_runs], ['validated', RUNS]);

  const broken = {
    name: 'x',
    seed: -1,
    datasets: ['BTC_1d.csv', { asset: 'DOGE', timeframe: '1d' }, { asset: 'BTC', timeframe: '1m' }, 7],
    entry_signals: { triggers: [{ name: 'sma_cross_up' }], filters: [] },
  };
  await experiments.replace(caller, id, broken);
  const { valid, total_runs, errors } = await experiments.validate(caller, id);
  assert.deepEqual([valid, total_runs], [false, 0]);
  for (const part of [
    /^datasets\[0\].*"BTC_1d\.csv"/,
    /^datasets\[1\].*DOGE/,
    /^datasets\[2\].*1m/,
    /^seed/,
    /FILTER/,
  ]) {
    assert.ok(
      errors.some((error) => part.test(error)),
      `${part} in ${errors.join('\n')}`,
    );
  }
  assert.deepEqual([(await get(id)).status, (await get(id)).plan_hash], ['draft', null]);
});

check('a launch above what the tier allows by now is refused, and a paused experiment goes on', async (world) => {
  const { experiments, get } = world;
  const small = { ...caller, tier: 'small' };
  const { experiment_id: id } = await experiments.create(caller, config);
  await experiments.validate(caller, id);
  const refused = new RegExp(`^Tier Small allows 11 backtests per sweep, this experiment has ${RUNS}$`);
  await rejectsWith(experiments.launch(small, id), 'TIER_UPGRADE_REQUIRED', refused);
  assert.equal((await get(id)).status, 'validated');
  await experiments.launch(caller, id);
  await experiments.pause(caller, id);
  assert.equal((await experiments.launch(small, id)).status, 'queued');
});

check(
  'its rows are those of the command line, its plan hash that of their identities, and its best run is judged alike',
  async (world) => {
    const { launch, runAll, get } = world;
    const id = await launch(config);
    await runAll();
    await assertEqualToCalm(world, id);
    const { rows } = await queryResults([folder(id)], 'SELECT config_hash FROM results ORDER BY run_index');
    const { plan_hash, progress } = await get(id);
    assert.equal(plan_hash, sha256(rows.map(([hash]) => hash).join('\n')));
    assert.deepEqual(progress.per_dataset, {
      BTC_1d: { completed: 18, total: 18, status: 'done' },
      ETH_4h: { completed: 18, total: 18, status: 'done' },
    });

    const { store, parts, tries, db } = world.stores;
    const reports = new ExperimentReports({
      ...{
        store,
        parts,
        tries,
        files: sharedHome.parts,
        corpus,
        home,
        sampleDir: join(root, 'sample'),
        engineVersion,
        threads: 1,
      },
      heldOut: (orgId) => new SqlHeldOutDays(db, orgId),
    });
    after(() => reports.close());
    const { datasets } = await reports.honesty(caller, id);
    const judged = (datasets as unknown as readonly Readonly<Record<string, unknown>>[]).map((one) => [
      ...[one.asset, one.trial_count, one.sharpe, one.luck_p, one.deflated_sharpe],
    ]);
    const honesty = await assessSweep(prepared, calm, 'sharpe_ratio');
    assert.deepEqual(
      judged,
      honesty.map((one) => [one.asset, one.trialCount, one.sharpe, one.luckP, one.deflatedSharpe]),
    );
    const again = await launch(config);
    assert.equal((await get(again)).plan_hash, plan_hash, 'the same configuration, the same plan');
  },
);

check('a paused experiment takes the rows in progress, and continues from there to the same end', async (world) => {
  const { launch, runnerOf, runAll, experiments, get } = world;
  const id = await launch(config);
  const threads = threadsThat(async (chunk) => {
    if (chunk === 1) await experiments.pause(caller, id);
  });
  const runner = runnerOf({ threads: () => threads });
  assert.equal(await runner.runNext(), true);
  assert.equal(await runner.runNext(), false, 'nothing begins');
  const paused = await get(id);
  assert.equal(paused.status, 'paused');
  assert.ok(paused.completed_runs > 0 && paused.completed_runs < RUNS, `${paused.completed_runs} runs`);
  assert.equal(paused.progress.eta_seconds, null);
  await experiments.launch(caller, id);
  await runAll();
  await assertEqualToCalm(world, id);
});

check('a runner that lost its block adds nothing to the work of its successor', async (world) => {
  const { launch, runAll } = world;
  const id = await launch(config);
  const threads = threadsThat(async (chunk) => {
    if (chunk !== 2) return;
    clock.nowMs += 60_000; // as if the runner had been silent for long
    await runAll();
  });
  await runAll({ threads: () => threads });
  await assertEqualToCalm(world, id);
});

check('an experiment that differs from its validation does not run', async ({ launch, runAll, get, stores }) => {
  const of = async (part: number): Promise<string> =>
    fileOf(home, `OWN-${part}.csv`, csvOf(randomBars({ seed: part, barCount: 600, intervalMs: 86_400_000 })));
  await bars.import(await of(1), { asset: 'OWN' });
  const own = shortExperiment('Own', { datasets: [{ asset: 'OWN', timeframe: '1d' }] });
  const [data, plan, version] = [await launch(own), await launch(config), await launch(config)];
  const fails = async (id: string, reason: RegExp, more: Partial<BlockRunnerDeps> = {}) => {
    await stores.db
      .updateTable('experiments')
      .where('id', '!=', id)
      .where('status', '=', 'queued')
      .set({ status: 'paused' })
      .execute();
    await stores.db.updateTable('experiments').where('id', '=', id).set({ status: 'queued' }).execute();
    await runAll(more);
    const { status, error, completed_runs } = await get(id);
    assert.deepEqual([status, completed_runs], ['failed', 0]);
    assert.match(error ?? '', reason);
  };
  await bars.import(await of(2), { asset: 'OWN', replace: true });
  await fails(data, /cannot continue: .*plan_hash was .*datasets was /);
  const changed = JSON.stringify({ ...config, seed: 7, execution_config: { base: { reward_factor: 9 } } });
  await stores.db.updateTable('experiments').where('id', '=', plan).set({ config: changed }).execute();
  await fails(plan, /cannot continue: plan_hash was "?[0-9a-f]{64}"?, is /);
  await fails(version, /engine_version was "0\.0\.0-test", is "9"/, { engineVersion: '9' });
});

check('files of an ended experiment are joined without changing its rows', async (world) => {
  const { launch, runAll, stores, get } = world;
  const id = await launch(config);
  await runAll();
  const before = await get(id);
  const ranges = await rangesOf(stores, id);
  assert.ok(ranges.length > 1, 'there is something to join');
  const keeper = keeperOf(stores);
  assert.equal(await keeper.joinNext(), true);
  assert.equal(await keeper.joinNext(), false);
  assert.deepEqual(await rangesOf(stores, id), [[0, RUNS]]);
  assert.deepEqual(await get(id), before);
  const tried = await stores.tries.of(caller.orgId);
  assert.deepEqual(new Set(Object.values(tried).flat()), new Set([...(await triedIn(folder(id))).values()].flat()));
  assert.ok(Object.values(tried).flat().length > 0, 'what it tried counts from now on');
  assert.deepEqual(await stores.tries.of(orgOf(1)), {});
  await assertEqualToCalm(world, id);
  const names = await readdir(folder(id));
  assert.equal(
    names.filter((name) => name.endsWith('.parquet')).length,
    ranges.length + 1,
    'for queries that still read them',
  );

  await keeper.clear();
  assert.deepEqual(await readdir(folder(id)), names, 'nothing is old');
  clock.nowMs = Date.now() + 2 * 3_600_000;
  await keeper.clear();
  const [left, ...others] = (await readdir(folder(id))).filter((name) => name !== 'sweep.json');
  assert.deepEqual([left, others], ['part-000000000000-000000000036.parquet', []]);
  const { bytes } = await stores.db.selectFrom('experiment_parts').select('bytes').executeTakeFirstOrThrow();
  assert.equal(bytes, (await stat(join(folder(id), left ?? ''))).size);
  await assertEqualToCalm(world, id);
});

check('a cleanup removes no file that is being joined, or was joined a moment ago', async (world) => {
  const { launch, runAll, stores, get } = world;
  const id = await launch(config);
  await runAll();
  const { parts } = stores;
  const changing = (changed: Partial<typeof parts>) =>
    keeperOf({ ...stores, parts: Object.assign(Object.create(parts) as typeof parts, changed) });
  const crash = new Error('a crash between the file and its row');
  await assert.rejects(changing({ replace: () => Promise.reject(crash) }).joinNext(), crash);
  const names = await readdir(folder(id));
  for (const name of names) await utimes(join(folder(id), name), 0, 0);
  await parts.releaseAll();
  clock.nowMs = Date.now();
  const clearing = changing({
    async ofOrganization(orgId) {
      const before = await parts.ofOrganization(orgId);
      assert.equal(await keeperOf(stores).joinNext(), true);
      return before;
    },
  });
  await clearing.clear();
  await keeperOf(stores).clear();
  assert.deepEqual(await readdir(folder(id)), names, 'the joined file, and those that a query may be reading');
  assert.equal((await get(id)).status, 'completed');
  await assertEqualToCalm(world, id);
});

check('folders of deleted experiments are removed when they are old, and nothing else', async (world) => {
  const { launch, runAll, stores, experiments } = world;
  const [kept, deleted] = [await launch(config), await launch(config)];
  await runAll();
  const elsewhere = [join(corpus, 'notes.txt'), join(corpus, 'not-an-organization', 'file')];
  for (const path of elsewhere) {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, '');
    await utimes(path, 0, 0);
  }
  await experiments.remove(caller, deleted);
  const keeper = keeperOf(stores);
  clock.nowMs = Date.now();
  await keeper.clear();
  assert.ok(
    (await readdir(folder(deleted))).some((name) => name.endsWith('.parquet')),
    'a query may still read them',
  );
  clock.nowMs += 2 * 3_600_000;
  await keeper.clear();
  const folders = await readdir(dirname(folder(kept)));
  assert.deepEqual(folders, [kept], 'including those of other tests');
  await assertEqualToCalm(world, kept);
  for (const path of elsewhere) await stat(path);
});

check(
  'an experiment with holdout ends before the last days, and holds them out for its organization',
  async (world) => {
    const { experiments, launch, runAll, stores } = world;
    const heldOut = new SqlHeldOutDays(stores.db, caller.orgId);
    await stores.db.deleteFrom('held_out_days').execute();
    const holding = { ...config, datasets: [{ asset: 'BTC', timeframe: '1d' }], holdout: 90 };
    const { experiment_id: draft } = await experiments.create(caller, holding);
    const { warnings } = await experiments.validate(caller, draft);
    assert.match(warnings.join('\n'), /the days .* of BTC are held out from now on/);
    assert.deepEqual(await heldOut.list(), [], 'validation holds nothing out');
    const id = await launch(holding);
    await runAll();
    const [days] = await heldOut.list();
    assert.equal(days!.days, 90);
    const { rows } = await queryResults([folder(id)], 'SELECT DISTINCT CAST(end_date AS VARCHAR) FROM results');
    assert.deepEqual(rows, [[new Date(Date.parse(days!.from) - 1).toISOString().slice(0, 10)]]);
    const { experiment_id: plain } = await experiments.create(caller, { ...holding, holdout: undefined });
    const { errors } = await experiments.validate(caller, plain);
    assert.match(errors.join('\n'), /holdout must be 90, was not given: the days .* of BTC are held out/);
    await stores.db.deleteFrom('held_out_days').execute();
  },
);
