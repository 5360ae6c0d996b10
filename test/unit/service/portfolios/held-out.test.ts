import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import type { HeldOut } from '../../../../engine/sweep/index.js';
import type { Portfolios } from '../../../../service/portfolios/index.js';
import { portfoliosOver } from '../../../support/assistant.js';
import { backtestDeps } from '../../../support/backtest-deps.js';
import { callerOf } from '../../../support/backtests.js';

const poor = callerOf('one whose month is used up');
const admitted: number[] = [];
let deps: Awaited<ReturnType<typeof backtestDeps>>;
let portfolios: Portfolios;
before(async () => {
  deps = await backtestDeps({
    async admit({ orgId }, size) {
      if (orgId === poor.orgId) throw new Error('the month is used up');
      admitted.push(size);
    },
  });
  portfolios = await portfoliosOver(deps);
});
after(() => portfolios.close());

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

/** The held-out days of an organization: the same of both assets, unless others are given. */
async function holdOut(
  { orgId }: { readonly orgId: string },
  days: readonly HeldOut[] = [heldOf('BTC'), heldOf('ETH')],
) {
  const heldOut = deps.heldOut(orgId);
  for (const each of days) await heldOut.declare(each);
  return heldOut;
}

test('a portfolio opens the held-out days of all its assets, once; then they are free', async () => {
  const [ann, bob] = [callerOf('ann'), callerOf('bob')];
  const heldOut = await holdOut(ann);
  await assert.rejects(portfolios.run(ann, request), {
    message: /are held out, and a run with open_holdout uses them/,
  });
  await assert.rejects(portfolios.run(ann, { ...opening, start_date: '2023-10-03' }), {
    message: 'start_date must not be given: the run trades the days 2023-10-03 to 2023-12-31 of BTC, ETH',
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

  // An opening that was killed before its second asset is completed by the same run alone.
  const carl = callerOf('carl');
  const killed = await holdOut(carl);
  const [btc] = (await killed.list()) as [HeldOut];
  const name = (await heldOut.list())[0]?.opening?.run ?? '';
  await killed.open(btc, { opened_at: '2026-01-02T00:00:00Z', run: name, metrics: null });
  const other = { ...opening, portfolio: { ...request.portfolio, initial_balance: 5_000 } };
  await assert.rejects(portfolios.run(carl, other), {
    message: /were opened on 2026-01-02T00:00:00Z, and can be opened once$/,
  });
  assert.deepEqual((await portfolios.run(carl, opening)).metrics, run.metrics);
  assert.ok((await killed.list()).every((days) => days.opening?.run === name && days.opening.metrics !== null));
});

test('what cannot run or may not run opens nothing, and days that differ are not opened together', async () => {
  const dora = callerOf('dora');
  const [differing, ofPoor] = [await holdOut(dora, [heldOf('BTC'), heldOf('ETH', '2023-11-02')]), await holdOut(poor)];
  await assert.rejects(portfolios.run(dora, opening), { message: /must hold out the same days/ });
  await assert.rejects(portfolios.run(poor, opening), /the month is used up/);
  const known = [...(await differing.list()), ...(await ofPoor.list())];
  assert.deepEqual(
    known.map(({ opening: none }) => none),
    [null, null, null, null],
  );
});
