import assert from 'node:assert/strict';
import { openHoldouts, openSameBars } from '../../../../data/tries/index.js';
import type { HeldOut, Opening } from '../../../../engine/sweep/index.js';
import { loadBars } from '../../../../library/index.js';
import { heldOutWithHome, SqlHeldOutDays } from '../../../../service/experiments/held-out.js';
import { SqlTries } from '../../../../service/experiments/tries.js';
import { onEachBackend } from '../../../support/backends.js';
import { tempFolder } from '../../../support/data-fixtures.js';
import { emptyExperiments, orgOf } from '../../../support/experiment-store.js';

const [a, b] = ['a', 'b'].map((digit) => digit.repeat(16)) as [string, string];
const daysOf = (asset: string, from: string, to: string): HeldOut => ({
  ...{ asset, from, to, days: 30, declared_at: '2026-01-01T00:00:00Z', opening: null },
});
const openingOf = (run: string): Opening => ({ opened_at: '2026-01-02T00:00:00Z', run, metrics: null });
const windows = (days: readonly HeldOut[]) =>
  days.map(({ asset, from, opening }) => [asset, from, opening?.run ?? null]);

onEachBackend((name, open, alike) => {
  alike(
    `${name}: an organization and the home of its service obey what either holds out, and open it once`,
    async (t) => {
      const { db } = await open();
      await emptyExperiments(db);
      const folder = tempFolder(t);
      const home = openHoldouts(folder);
      const [ann, bob] = [0, 1].map((n) => heldOutWithHome(new SqlHeldOutDays(db, orgOf(n)), folder, orgOf(n)));
      const [march, april] = [daysOf('BTC', '2023-03-01', '2023-03-30'), daysOf('BTC', '2023-04-01', '2023-04-30')];
      await home.declare(march);
      await ann!.declare(april);
      assert.deepEqual(windows(await ann!.of('BTC')).sort(), windows(await home.of('BTC')).sort());
      assert.equal((await home.of('BTC')).length, 2);
      assert.deepEqual(windows(await bob!.of('BTC')), [['BTC', '2023-03-01', null]], 'no other organization');

      assert.equal((await ann!.open(march, openingOf('of ann'))).run, 'of ann');
      assert.equal((await home.open(march, openingOf('of the home'))).run, 'of ann');
      assert.equal((await bob!.open(march, openingOf('of bob'))).run, 'of ann');
      assert.equal((await home.open(april, openingOf('of the home'))).run, 'of the home');
      assert.equal((await ann!.open(april, openingOf('of ann'))).run, 'of the home');
      await ann!.finish(march, { ...openingOf('of ann'), metrics: { total_return: 0.5 } });
      assert.equal((await home.of('BTC'))[0]!.opening!.metrics!.total_return, 0.5);
      const known = (await ann!.list()).map(({ from, opening }) => [from, opening!.run, opening!.metrics !== null]);
      assert.deepEqual(known.sort(), [
        ['2023-03-01', 'of ann', true],
        ['2023-04-01', 'of the home', false],
      ]);
    },
  );

  alike(`${name}: a copy of the bars of an asset has its held-out days and its tries`, async (t) => {
    const { db } = await open();
    await emptyExperiments(db);
    const folder = tempFolder(t);
    const ann = heldOutWithHome(new SqlHeldOutDays(db, orgOf(0)), folder, orgOf(0));
    const bars = await loadBars({ asset: 'BTC', interval: '1d' });
    await ann.meet!('BTC', bars);
    assert.equal(await ann.meet!('COPY', bars), 'COPY');
    await ann.declare(daysOf('BTC', '2023-03-01', '2023-03-30'));
    assert.deepEqual(windows(await ann.of('COPY')), [['BTC', '2023-03-01', null]]);
    const tries = new SqlTries(db, openSameBars(folder).namesOf);
    await tries.add(orgOf(0), 'BTC', [a]);
    await tries.add(orgOf(0), 'COPY', [b]);
    await tries.addSweep(orgOf(0), 'BTC', { sweep: 's', plan: 'p', tries: 1, unrelated: 1 });
    assert.deepEqual(await tries.of(orgOf(0)), { BTC: [a, b], COPY: [a, b] });
    assert.deepEqual(Object.keys(await tries.judgedSweeps(orgOf(0))).sort(), ['BTC', 'COPY']);
  });
});
