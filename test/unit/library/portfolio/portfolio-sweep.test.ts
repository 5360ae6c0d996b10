import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { type PortfolioSweepPlan, runPortfolio, runPortfolioSweep, type Strategy } from '../../../../library/index.js';
import { jsonOf, runCliBatch } from '../../../support/cli.js';
import { fileOf } from '../../../support/data-fixtures.js';
import { newHome } from '../../../support/state.js';

const window = { start: '2023-01-01', end: '2024-06-30' };
const plan: PortfolioSweepPlan = {
  name: 'rotations',
  portfolio: { interval: '1d', allocation: { assets: ['BTC', 'ETH', 'SOL'], every: '1w', rank_by: 'roc(close, 30)' } },
  sweep_axes: [
    { param: 'allocation.top', min: 1, max: 3, step: 1 },
    { param: 'allocation.every', values: ['1w', '1M'] },
  ],
  ...window,
};

test('a sweep of portfolios has the rows, the ranking and the verdict of the command line', async () => {
  const [home, other] = [await newHome(), await newHome()];
  const seen: number[] = [];
  const sweep = await runPortfolioSweep({
    ...{ sweep: plan, home, folder: join(home, 'rows'), threads: 1, minTrades: 5, top: 3 },
    onProgress: ({ done }) => seen.push(done),
  });
  const file = await fileOf(other, 'plan.json', JSON.stringify(plan));
  const out = ['--out', join(other, 'rows'), '--top', '3', '--min-trades', '5'];
  const [told] = await runCliBatch([['sweep', file, ...out, '--json']], { home: other });
  const { top, honesty, power } = jsonOf(told!) as {
    top: { run_index: number; sharpe_ratio: number }[];
    honesty: { verdict: string }[];
    power: object[];
  };
  assert.deepEqual([sweep.done, sweep.total, seen.at(-1), sweep.by], [6, 6, 6, 'sharpe_ratio']);
  assert.deepEqual(
    sweep.best.map(({ run_index, sharpe_ratio }) => [run_index, sharpe_ratio]),
    top.map(({ run_index, sharpe_ratio }) => [run_index, sharpe_ratio]),
  );
  assert.equal(sweep.verdict?.verdict, honesty[0]?.verdict);
  assert.deepEqual(sweep.power, power[0]);
  const [best] = sweep.best;
  const { metrics } = await runPortfolio({ portfolio: sweep.portfolioOf(best!), ...window, home });
  assert.equal(metrics.total_return, best!.total_return);
  assert.throws(() => sweep.portfolioOf({ run_index: 6 }), /run_index must be a whole number 0\.\.5, was 6/);
  const [{ runs } = {}] = await sweep.query('SELECT count(*) AS runs FROM results');
  assert.equal(Number(runs), 6);
  const page = join(home, 'page.html');
  await sweep.savePage(page);
  assert.equal(readFileSync(page, 'utf8'), await sweep.page());
  assert.match(await sweep.page(), /Account of the leader/);
});

test('a sweep that was stopped goes on, and members may leave out what rules have by default', async () => {
  const home = await newHome();
  const folder = join(home, 'rows');
  const entry = [
    { name: 'sma_cross_up', signal_type: 'TRIGGER' as const, params: { window_fast: 5, window_slow: 20 } },
  ];
  const strategy: Strategy = { entry, exit: [{ name: 'sma_cross_down', signal_type: 'TRIGGER' }] };
  const sweep: PortfolioSweepPlan = {
    ...{ interval: '1d', ...window },
    portfolio: { members: ['BTC', 'ETH'].map((asset) => ({ strategy, asset })) },
    sweep_axes: [{ param: 'members[*].strategy.entry[0].params.window_fast', values: [3, 5, 8] }],
  };
  const stopped = await runPortfolioSweep({ sweep, home, folder, signal: AbortSignal.abort() });
  assert.deepEqual([stopped.done, stopped.best, stopped.verdict], [0, [], null]);
  const rest = await runPortfolioSweep({ resume: true, home, folder, by: 'total_return' });
  assert.deepEqual([rest.done, rest.total, rest.by, rest.best.length], [3, 3, 'total_return', 3]);
});
