import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import type { HeldOut } from '../../../../engine/sweep/index.js';
import { portfoliosOver } from '../../../support/assistant.js';
import { backtestDeps } from '../../../support/backtest-deps.js';
import { callerOf } from '../../../support/backtests.js';

const [ann, bob] = [callerOf('ann'), callerOf('bob')];

const heldOf = (asset: string, from = '2023-10-03'): HeldOut => ({
  ...{ asset, from, to: '2023-12-31', days: 90, declared_at: '2026-01-01T00:00:00Z' },
  opening: null,
});

const request = {
  portfolio: {
    name: 'two',
    interval: '1d',
    allocation: { assets: ['ETH', 'BTC'], every: '1w', rank_by: 'roc(close, 10)', top: 1 },
  },
};
const opening = { ...request, open_holdout: true };

/** The organization of ann holds the same days of both assets out. */
async function heldWorld(t: TestContext, days: readonly HeldOut[] = [heldOf('BTC'), heldOf('ETH')]) {
  const admitted: number[] = [];
  const deps = await backtestDeps({
    async admit({ orgId }, size) {
      if (orgId === bob.orgId) throw new Error('the month is used up');
      admitted.push(size);
    },
  });
  const portfolios = await portfoliosOver(deps);
  t.after(() => portfolios.close());
  const heldOut = deps.heldOut(ann.orgId);
  for (const each of days) await heldOut.declare(each);
  return { deps, portfolios, heldOut, admitted };
}

test('a portfolio opens the held-out days of all its assets, once; then they are free', async (t) => {
  const { portfolios, heldOut, admitted } = await heldWorld(t);
  await assert.rejects(portfolios.run(ann, request), {
    message: /are held out, and a run with open_holdout uses them/,
  });
  await assert.rejects(portfolios.run(ann, { ...opening, start_date: '2023-10-03' }), {
    message: 'start_date must not be given: the run trades the days 2023-10-03 to 2023-12-31 of BTC, ETH',
  });
  await assert.rejects(portfolios.run(ann, { ...opening, open_holdout: 'yes' }), {
    message: /open_holdout must be true or false/,
  });
  await assert.rejects(portfolios.submit(ann, opening), {
    message: /^open_holdout must be false for a run that is submitted/,
  });
  await assert.rejects(portfolios.run(bob, opening), { message: /^no days of BTC are held out/ });
  assert.ok(
    (await heldOut.list()).every(({ opening: none }) => none === null),
    'a refusal opens nothing',
  );
  admitted.length = 0;
  const run = await portfolios.run(ann, opening);
  assert.deepEqual([run.start_date, run.end_date], ['2023-10-03T00:00:00Z', '2024-01-01T00:00:00Z']);
  for (const { opening: made } of await heldOut.list()) {
    assert.equal(made?.metrics?.total_return, run.metrics?.total_return);
  }
  await assert.rejects(portfolios.run(ann, opening), { message: /were opened on .*, and can be opened once$/ });
  assert.deepEqual(admitted, [2], 'the run counts once, and its refusal not at all');
  assert.equal((await portfolios.run(ann, request)).status, 'completed');
});

test('what cannot run or may not run opens nothing, and days that differ are not opened together', async (t) => {
  const { deps, portfolios, heldOut } = await heldWorld(t, [heldOf('BTC'), heldOf('ETH', '2023-11-02')]);
  await assert.rejects(portfolios.run(ann, opening), { message: /must hold out the same days/ });
  const ofBob = deps.heldOut(bob.orgId);
  for (const asset of ['BTC', 'ETH']) await ofBob.declare(heldOf(asset));
  await assert.rejects(portfolios.run(bob, opening), /the month is used up/);
  const known = [...(await heldOut.list()), ...(await ofBob.list())];
  assert.deepEqual(
    known.map(({ opening: none }) => none),
    [null, null, null, null],
  );
});

test('an opening that was killed is completed by the same run alone', async (t) => {
  const first = await heldWorld(t);
  const { metrics } = await first.portfolios.run(ann, opening);
  const [opened] = await first.heldOut.list();
  const { portfolios, heldOut } = await heldWorld(t);
  const [btc] = (await heldOut.list()) as [HeldOut];
  const run = opened?.opening?.run ?? '';
  await heldOut.open(btc, { opened_at: '2026-01-02T00:00:00Z', run, metrics: null }); // killed before the other asset
  const other = { ...opening, portfolio: { ...request.portfolio, initial_balance: 5_000 } };
  await assert.rejects(portfolios.run(ann, other), {
    message: /were opened on 2026-01-02T00:00:00Z, and can be opened once$/,
  });
  assert.deepEqual((await portfolios.run(ann, opening)).metrics, metrics);
  assert.ok((await heldOut.list()).every((days) => days.opening?.run === run && days.opening.metrics !== null));
});
