import assert from 'node:assert/strict';
import test from 'node:test';
import type { HeldOut } from '../../../../engine/sweep/index.js';
import { auditStoredBacktest, runSynchronousBacktest, submitBacktest } from '../../../../service/backtests/index.js';
import { backtestDeps } from '../../../support/backtest-deps.js';
import { callerOf, runBody } from '../../../support/backtests.js';

const [ann, bob] = [callerOf('ann'), callerOf('bob')];
const days: HeldOut = {
  asset: 'BTC',
  from: '2023-10-03',
  to: '2023-12-31',
  days: 90,
  declared_at: '2026-01-01T00:00:00Z',
  opening: null,
};
const { start_date: _, end_date: __, ...undated } = runBody;

/** The organization of ann holds days out; a run that it made before is stored. */
async function heldWorld() {
  const deps = await backtestDeps();
  const run = (body: object, caller = ann) =>
    runSynchronousBacktest(caller, { ...body }, deps, { filling: 'required' });
  const { backtest_id: id } = await run(runBody);
  const heldOut = deps.heldOut(ann.orgId);
  await heldOut.declare(days);
  return { deps, run, id, heldOut };
}

test('a queued run and an audit that touch held-out days are refused as an awaited run is', async () => {
  const { deps, run, id } = await heldWorld();
  const refused = { message: /^end_date must be 2023-10-02 or earlier, was 2023-12-31: the days .* are held out/ };
  await assert.rejects(run(runBody), refused);
  await assert.rejects(submitBacktest(ann, runBody, deps), refused);
  await assert.rejects(auditStoredBacktest(ann, id, { cuts: 1 }, deps), refused);
});

test('a run with open_holdout trades exactly the days, once; then they are free', async () => {
  const { deps, run, heldOut } = await heldWorld();
  await assert.rejects(run({ ...runBody, open_holdout: true }), {
    message: /^start_date must not be given: the run trades the days 2023-10-03 to 2023-12-31 of BTC$/,
  });
  await assert.rejects(run({ ...undated, open_holdout: 'yes' }), { message: /open_holdout must be true or false/ });
  await assert.rejects(submitBacktest(ann, { ...undated, open_holdout: true }, deps), {
    message: /^open_holdout must be false for a run that is submitted/,
  });
  await assert.rejects(run({ ...undated, open_holdout: true }, bob), { message: /^no days of BTC are held out/ });
  const opened = await run({ ...undated, open_holdout: true });
  assert.deepEqual([opened.start_date, opened.end_date], ['2023-10-03T00:00:00Z', '2024-01-01T00:00:00Z']);
  const [known] = await heldOut.of('BTC');
  assert.equal(known!.opening!.metrics!.total_return, opened.metrics.total_return);
  await assert.rejects(run({ ...undated, open_holdout: true }), {
    message: /were opened on .*, and can be opened once$/,
  });
  assert.equal((await run(runBody)).error, null);
});

test('an opening that was killed belongs to its run', async () => {
  const { run, heldOut } = await heldWorld();
  await heldOut.open(days, { opened_at: '2026-01-02T00:00:00Z', run: 'another', metrics: null });
  await assert.rejects(run({ ...undated, open_holdout: true }), {
    message: /were opened on 2026-01-02T00:00:00Z, and can be opened once$/,
  });
  const both = await Promise.all(
    ['first', 'second'].map((name) =>
      heldOut.open(days, { opened_at: '2026-01-03T00:00:00Z', run: name, metrics: null }),
    ),
  );
  assert.deepEqual(
    both.map((opening) => opening.run),
    ['another', 'another'],
  );
});
