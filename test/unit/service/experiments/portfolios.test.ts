import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { queryResults } from '../../../../data/sweeps/index.js';
import { assessPortfolioSweep, sweptBars } from '../../../../research/portfolio/sweep/index.js';
import { runPortfolioSweep } from '../../../../research/portfolio/sweep/run.js';
import { ApiError } from '../../../../service/api-error.js';
import { SqlHeldOutDays } from '../../../../service/experiments/held-out.js';
import { PartKeeper } from '../../../../service/experiments/keep-parts.js';
import { openPortfolioPlanner } from '../../../../service/experiments/plan.js';
import { ExperimentReports } from '../../../../service/experiments/reports.js';
import { SqlTries } from '../../../../service/experiments/tries.js';
import { sharedHome } from '../../../../service/objects/index.js';
import { caller, engineVersion, openExperimentBench } from '../../../support/experiment-world.js';
import { sharedState } from '../../../support/shared-state.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { root } from '../../../support/tree.js';

/** Experiments whose runs are portfolios. */

const bench = await openExperimentBench();
const sampleDir = join(root, 'sample');
const rotation = JSON.parse(readFileSync(join(root, 'examples/rotation.json'), 'utf8'));
const config = {
  name: 'Rotations',
  description: 'which of the majors to hold',
  portfolio: rotation,
  start: '2024-01-01',
  sweep_axes: [
    { param: 'allocation.top', min: 1, max: 3, step: 1 },
    { param: 'allocation.rank_by', values: ['roc(close, 30)', 'roc(close, 90)'] },
  ],
};

const rowsIn = async (folder: string): Promise<readonly (readonly unknown[])[]> => {
  const columns = "COLUMNS(name -> name NOT IN ('experiment_id', 'elapsed_seconds', 'completed_at'))";
  return (await queryResults([folder], `SELECT ${columns} FROM results ORDER BY run_index`)).rows;
};

/** The same plan swept on the command line. */
const alone = await runPortfolioSweep(
  {
    ...{ sweep: config, folder: join(temporaryFolder('alone'), 'sweep'), experimentId: 'exp_alone', threads: 1 },
    ...{ home: bench.home, sampleDir, stop: new Int32Array(new SharedArrayBuffer(4)), onProgress: () => {} },
  },
  { store: bench.bars, engineVersion },
);

test('an experiment over portfolios has the rows of the sweep, and is judged as it is', async () => {
  const { launch, runAll, get, stores } = await bench.newWorld();
  const id = await launch(config);
  assert.equal((await get(id)).total_runs, 6);
  await runAll();
  const { status, completed_runs, progress } = await get(id);
  assert.deepEqual([status, completed_runs, progress.total], ['completed', 6, 6]);
  assert.deepEqual(Object.keys(progress.per_dataset), [`${alone.prepared.whole.asset}_1d`]);
  assert.deepEqual(await rowsIn(bench.folder(id)), await rowsIn(alone.folder));

  const { db } = await sharedState();
  const tries = new SqlTries(db);
  const files = sharedHome.parts;
  const keeper = new PartKeeper({
    parts: stores.parts,
    tries,
    files,
    corpus: bench.corpus,
    nowMs: () => bench.clock.nowMs,
  });
  while (await keeper.joinNext());
  const label = alone.prepared.whole.asset;
  const tried = await tries.of(caller.orgId);
  const { rows } = await queryResults([alone.folder], "SELECT config_hash FROM results WHERE status = 'ok'");
  assert.deepEqual([...(tried.BTC ?? [])].sort(), rows.map(([hash]) => hash).sort(), 'trials are portfolios');

  const reports = new ExperimentReports({
    ...{ store: stores.store, parts: stores.parts, tries, files, corpus: bench.corpus, home: bench.home, sampleDir },
    ...{ engineVersion, threads: 1, heldOut: (orgId: string) => new SqlHeldOutDays(db, orgId) },
  });
  after(() => reports.close());
  const { datasets } = await reports.honesty(caller, id);
  const before = { tries: [], sweeps: [], elsewhere: 0 };
  const honesty = await assessPortfolioSweep(alone.prepared, alone.folder, 'sharpe_ratio', { before });
  assert.ok(honesty !== null);
  assert.equal(datasets.length, 1);
  const [judged] = datasets as unknown as readonly [Readonly<Record<string, unknown>>];
  assert.deepEqual(
    [judged.asset, judged.trial_count, judged.sharpe, judged.luck_p, judged.deflated_sharpe],
    [label, honesty.trialCount, honesty.sharpe, honesty.luckP, honesty.deflatedSharpe],
  );
  const worth = await tries.judgedSweeps(caller.orgId);
  assert.equal(worth.BTC?.length, 1, 'the next search of these assets is judged by it');
});

test('what is wrong with an experiment over portfolios is told, and its limits hold', async () => {
  const { experiments } = await bench.newWorld();
  const validated = async (change: object, who = caller) => {
    const { experiment_id: id } = await experiments.create(who, { ...config, ...change });
    return experiments.validate(who, id);
  };
  const refusals: readonly [change: object, error: RegExp][] = [
    [{ sweep_axes: [{ param: 'allocation.top', values: [0] }] }, /sweep_axes, allocation.top 0: .*top/],
    [{ portfolio: { allocation: { assets: ['NONE'] }, interval: '1d' }, sweep_axes: [] }, /NONE/],
  ];
  for (const [change, error] of refusals) {
    const { valid, errors } = await validated(change);
    assert.equal(valid, false, JSON.stringify(change));
    assert.match(errors.join('; '), error);
  }
  const small = { ...caller, tier: 'small' };
  await assert.rejects(
    validated({ sweep_axes: [...config.sweep_axes, { param: 'allocation.every', values: ['1w', '1M'] }] }, small),
    (error) =>
      error instanceof ApiError && error.code === 'TIER_UPGRADE_REQUIRED' && /allows 11 backtests/.test(error.message),
  );
  const { valid, total_runs } = await validated({ n_random: 5 }, small);
  assert.deepEqual([valid, total_runs], [true, 5]);
});

test('the bars of all assets together are bounded, with the number that they have', async () => {
  const given = { config, home: bench.home, sampleDir, engineVersion, heldOut: [] };
  const planner = openPortfolioPlanner();
  after(() => planner.close());
  const plan = (barsMax: number) => planner.plan(async () => ({ ...given, barsMax }));
  const bars = await sweptBars(config, bench.bars);
  assert.ok(bars > 1_000);
  assert.ok('planned' in (await plan(bars)));
  const answer = await plan(bars - 1);
  assert.ok('refusal' in answer);
  assert.match(answer.refusal, new RegExp(`must have at most ${bars - 1} bars .* have ${bars}: narrow it`));
});
