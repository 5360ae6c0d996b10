import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openTries } from '../../../../data/tries/index.js';
import { findableEdge } from '../../../../engine/statistics/index.js';
import { prepareSweep, searchPower } from '../../../../research/sweep/index.js';
import { crossSweep } from '../../../support/sweeps.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { sweepsIn } from './swept-rows.js';

const { home, services } = sweepsIn('power');
const folder = join(home, 'none');
const bitcoin = { datasets: [{ asset: 'BTC', timeframe: '1d' }] };

const power = async (more: object, ledger = openTries(temporaryFolder('ledger'))) =>
  searchPower(await prepareSweep(crossSweep({ ...bitcoin, ...more }), services), folder, ledger);

test('a sweep knows before it runs what it could find, in total and in its newest training window', async () => {
  const [one] = await power({});
  assert.deepEqual([one?.asset, one?.timeframe, one?.tries, one?.earlierTries], ['BTC', '1d', 12, 0]);
  assert.ok(Math.abs((one?.years ?? 0) - 5) < 0.01);
  assert.deepEqual({ half: one?.half, most: one?.most }, findableEdge(12, one?.years ?? 0, 0.05));
  const [walked] = await power({ walk_forward: { mode: 'rolling', train_days: 730, test_days: 180 } });
  assert.deepEqual([walked?.tries, walked?.years], [12, 2]);
});

test('what was tried before raises the edge that can be found', async () => {
  const ledger = openTries(temporaryFolder('ledger'));
  const hash = (k: number) => k.toString(16).padStart(16, '0');
  await ledger.add(
    'BTC',
    Array.from({ length: 500 }, (_, k) => hash(k)),
  );
  const [[fresh], [after]] = [await power({}), await power({}, ledger)];
  assert.equal(after?.earlierTries, 500);
  assert.equal(after?.half, findableEdge(512, after?.years ?? 0, 0.05).half);
  assert.ok((after?.half ?? 0) > (fresh?.half ?? 0));
  // A judged sweep says that its tries were worth less.
  await ledger.addSweep('BTC', { sweep: hash(1), plan: hash(2), tries: 500, unrelated: 80 });
  assert.equal((await power({}, ledger))[0]?.half, findableEdge(92, after?.years ?? 0, 0.05).half);
});
