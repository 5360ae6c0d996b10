import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openBars } from '../../../../data/bars/index.js';
import { queryResults } from '../../../../data/sweeps/index.js';
import { openTries } from '../../../../data/tries/index.js';
import { metricNames } from '../../../../engine/metrics/index.js';
import { runPortfolio } from '../../../../research/portfolio/index.js';
import {
  assessPortfolioSweep,
  recordJudgedPortfolios,
  recordPortfolioTries,
} from '../../../../research/portfolio/sweep/assess.js';
import { PortfolioKernel } from '../../../../research/portfolio/sweep/kernel.js';
import { type PortfolioSweepOutcome, runPortfolioSweep } from '../../../../research/portfolio/sweep/run.js';
import { judgedRuns } from '../../../../research/sweep/judged-runs.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { root } from '../../../support/tree.js';

const folder = temporaryFolder('portfolio-sweeps');
const home = join(folder, 'home');
const sampleDir = join(root, 'sample');
const services = { store: openBars({ home, sampleDir }), engineVersion: '0.0.0-test' };
const example = (name: string) => JSON.parse(readFileSync(join(root, 'examples', name), 'utf8'));
const trend = example('daily-trend.json');
const majors = example('portfolio-three-majors.json');

const members = {
  name: 'majors',
  portfolio: { ...majors, members: majors.members.map((member: object) => ({ ...member, strategy: trend })) },
  start: '2023-01-01',
  sweep_axes: [
    { param: 'members[*].strategy.entry[0].params.window_fast', values: [5, 10] },
    { param: 'members[2].weight', values: [0.5, 2] },
    { param: 'max_open_positions', values: [1, null] },
    { param: 'guards.max_drawdown', values: [0.05, 0.3] },
  ],
};
const rotations = {
  portfolio: example('rotation.json'),
  start: '2022-01-01',
  sweep_axes: [
    { param: 'allocation.top', min: 1, max: 3, step: 1 },
    { param: 'allocation.every', values: ['1w', '1M'] },
    { param: 'allocation.rank_by', values: ['roc(close, 30)', 'roc(close, 90)'] },
  ],
};

async function swept(name: string, sweep: unknown, threads = 1, stop = new Int32Array(new SharedArrayBuffer(4))) {
  return runPortfolioSweep(
    {
      ...{ sweep, folder: join(folder, name), experimentId: `exp_${name}`, threads, home, sampleDir, stop },
      onProgress: () => {},
    },
    services,
  );
}

/** The rows without what differs from run to run. */
async function rowsOf(name: string): Promise<readonly (readonly unknown[])[]> {
  const columns = "COLUMNS(name -> name NOT IN ('experiment_id', 'elapsed_seconds', 'completed_at'))";
  return (await queryResults([join(folder, name)], `SELECT ${columns} FROM results ORDER BY run_index`)).rows;
}

const ofMembers = await swept('members', members);
const ofRotations = await swept('rotations', rotations);

test('every row has the metrics of its portfolio run alone, bit for bit', async () => {
  const stored = metricNames.filter((name) => !['avg_win', 'avg_loss', 'total_slippage_cost'].includes(name));
  for (const { folder: path, prepared, total } of [ofMembers, ofRotations]) {
    const { plan } = prepared;
    const { rows } = await queryResults([path], `SELECT ${stored.join(', ')} FROM results ORDER BY run_index`);
    assert.equal(rows.length, total);
    for (let run = 0; run < total; run += 3) {
      const { result } = await runPortfolio(
        { portfolio: plan.portfolioAt(run), window: { start: plan.start } },
        services,
      );
      const alone = stored.map((name) => result.metrics[name] ?? null);
      assert.deepEqual(rows[run], alone, `${plan.name} ${run}`);
    }
  }
});

test('threads change nothing, and a sweep that was stopped goes on', async () => {
  await swept('two-threads', rotations, 2);
  assert.deepEqual(await rowsOf('two-threads'), await rowsOf('rotations'));
  const stopped = new Int32Array(new SharedArrayBuffer(4));
  Atomics.store(stopped, 0, 1);
  const none = await swept('stopped', rotations, 1, stopped);
  assert.deepEqual([none.done, none.total], [0, 12]);
  const rest = await swept('stopped', null);
  assert.deepEqual([rest.done, rest.planHash], [12, ofRotations.planHash]);
  assert.deepEqual(await rowsOf('stopped'), await rowsOf('rotations'));
  await assert.rejects(swept('stopped', rotations), /already has a sweep/);
  await assert.rejects(swept('nowhere', null), /there is no sweep of portfolios to resume/);
});

test('a thread asks for no bars that the checked plan has read, and reads those of other windows itself', async () => {
  const { plan, kernel, windows } = ofMembers.prepared;
  const [whole = assert.fail('no window')] = windows;
  const asked: string[] = [];
  const load: typeof services.store.load = (query) => {
    asked.push(query.asset);
    return services.store.load(query);
  };
  const reads = structuredClone(await kernel.sharedReads());
  const other = new PortfolioKernel(plan, { ...services, store: { ...services.store, load } }, reads);
  const last = plan.portfolioAt(plan.combinations - 1);
  const { metrics } = await other.trace(last, whole);
  assert.deepEqual(asked, []);
  assert.deepEqual(metrics, (await kernel.trace(last, whole)).metrics);
  await other.trace(last, { ...whole, start: '2024-01-01' });
  assert.deepEqual(asked.sort(), [...plan.assets].sort());
});

async function judge({ prepared, folder: path, runs: kept }: PortfolioSweepOutcome) {
  const ledger = openTries(home);
  const { totalRuns, datasets } = prepared;
  const runs = await judgedRuns({ folder: path, totalRuns, datasets, kept }, 'sharpe_ratio');
  const before = await recordPortfolioTries(prepared, runs, ledger);
  const honesty = await assessPortfolioSweep(prepared, path, 'sharpe_ratio', { minTrades: 5, before });
  await recordJudgedPortfolios(prepared, honesty, ledger);
  assert.ok(honesty !== null);
  return honesty;
}

test('trials are portfolios: in the judgement, in the ledger, and in what follows', async () => {
  const first = await judge(ofRotations);
  assert.deepEqual([first.asset, first.trialCount], ['BNB+BTC+ETH+SOL+XRP', 12]);
  const own = first.costStress.find(({ factor }) => factor === 1);
  const { rows } = await queryResults(
    [ofRotations.folder],
    `SELECT sharpe_ratio, total_return FROM results WHERE run_index = ${first.leader.run}`,
  );
  assert.deepEqual([own?.sharpe, own?.totalReturn], rows[0], 'the leader again is its row');
  const [half, , twice] = first.costStress;
  assert.ok((half?.totalReturn ?? 0) > (twice?.totalReturn ?? 0), 'costs cost');
  assert.ok(first.plateau.neighbours >= 3);
  const ledger = openTries(home);
  for (const asset of ['BNB', 'BTC', 'XRP']) assert.equal((await ledger.read(asset)).length, 12);
  const more = { ...rotations, sweep_axes: [{ param: 'allocation.band', values: [0, 0.05, 0.1] }] };
  const second = await judge(await swept('more', more));
  assert.deepEqual([second.trialCount, second.everTried?.trialCount], [3, 15]);
});

test('a choice of other assets is no new name: all that was tried on any of them counts', async () => {
  const of = (assets: readonly string[]) => ({
    ...rotations,
    portfolio: { ...rotations.portfolio, allocation: { ...rotations.portfolio.allocation, assets, top: 1 } },
    sweep_axes: [{ param: 'allocation.band', values: [0, 0.07, 0.2] }],
  });
  const known = (await openTries(home).read('BNB')).length;
  await openTries(home).add('SOL', ['00000000000000ad']);
  const pair = await judge(await swept('pair', of(['SOL', 'BNB'])));
  assert.equal(pair.everTried?.trialCount, known + 1 + pair.trialCount);
  const other = await judge(await swept('other-pair', of(['BNB', 'XRP'])));
  assert.equal(other.everTried?.trialCount, known + pair.trialCount + other.trialCount);
  const apart = await judge(await swept('pair-apart', of(['BTC', 'ETH'])));
  assert.equal(apart.everTried?.otherAssets, 2, 'the same plan on two pairs that share no asset with this one');
});

test('what cannot be swept is refused, with its place', async () => {
  const axis = (param: string, values: unknown) => ({ ...rotations, sweep_axes: [{ param, values }] });
  const cases: readonly (readonly [unknown, RegExp])[] = [
    [axis('allocation.topp', [1]), /allocation\.topp 1: .*topp/],
    [axis('allocation.top', [0]), /sweep_axes, allocation\.top 0: allocation\.top must be .*was 0/],
    [axis('allocation.assets[9]', ['BTC']), /param allocation\.assets has 5 entries, was "allocation\.assets\[9\]"/],
    [axis('members[0].weight', [1]), /param the portfolio has no members/],
    [axis('interval', ['1d', '1w']), /param must not be interval: all runs of a sweep have one/],
    [{ ...rotations, holdout: 3651 }, /holdout must be a whole number 1\.\.3650, was 3651/],
    [{ ...rotations, walk_forward: { mode: 'rolling', train_days: 0, test_days: 1 } }, /train_days/],
    [
      { ...rotations, sweep_axes: [...rotations.sweep_axes, { param: 'allocation.top', values: [1] }] },
      /must vary another place than allocation\.top/,
    ],
  ];
  for (const [plan, message] of cases) await assert.rejects(swept('refused', plan), message);
});
