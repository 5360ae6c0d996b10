import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { openHoldouts, openSameBars } from '../../../../data/tries/index.js';
import { countTries, type HeldOut, joinTries, type Opening, TRIES_KEPT } from '../../../../engine/sweep/index.js';
import { loadBars } from '../../../../library/index.js';
import { heldOutWithHome, SqlHeldOutDays } from '../../../../service/experiments/held-out.js';
import { SqlTries } from '../../../../service/experiments/tries.js';
import type { State } from '../../../../service/state/index.js';
import { onEachStore } from '../../../support/backends.js';
import { emptyExperiments, orgOf } from '../../../support/experiment-store.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const [a, b] = ['a', 'b'].map((digit) => digit.repeat(16)) as [string, string];
const daysOf = (asset: string, from: string, to: string): HeldOut => ({
  ...{ asset, from, to, days: 30, declared_at: '2026-01-01T00:00:00Z', opening: null },
});
const openingOf = (run: string): Opening => ({ opened_at: '2026-01-02T00:00:00Z', run, metrics: null });
const windows = (days: readonly HeldOut[]) =>
  days.map(({ asset, from, opening }) => [asset, from, opening?.run ?? null]);

const hashes = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, k) =>
    createHash('sha256')
      .update(String(from + k))
      .digest('hex')
      .slice(0, 16),
  );

const storesIn = ({ db }: State) => emptyExperiments(db);

onEachStore('held-out days and tries', storesIn, (check) => {
  check('an organization and the home of its service obey what either holds out, and open it once', async ({ db }) => {
    const folder = temporaryFolder('held-out');
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
  });

  check('a copy of the bars of an asset has its held-out days and its tries', async ({ db }) => {
    const folder = temporaryFolder('held-out');
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

  check('tries of an organization count once, by asset, and never in another', async ({ tries }) => {
    await Promise.all([tries.add(orgOf(0), 'BTC', hashes(0, 50)), tries.add(orgOf(0), 'BTC', hashes(30, 80))]);
    await tries.add(orgOf(0), 'ETH', hashes(0, 7));
    await tries.add(orgOf(1), 'BTC', hashes(500, 503));
    await tries.add(orgOf(1), 'BTC', []);
    const counts = async (n: number) =>
      Object.fromEntries(
        Object.entries(await tries.of(orgOf(n))).map(([asset, held]) => [asset, countTries(joinTries(held))]),
      );
    assert.deepEqual(await counts(0), { BTC: 80, ETH: 7 });
    assert.deepEqual(await counts(1), { BTC: 3 });
    assert.deepEqual(await counts(2), {});
  });

  check('what judged sweeps were worth is kept for an organization, the larger worth of each', async ({ tries }) => {
    const one = { sweep: 'a', plan: 'p', tries: 40, unrelated: 7.25 };
    await tries.addSweep(orgOf(0), 'BTC', one);
    await tries.addSweep(orgOf(0), 'BTC', { ...one, tries: 20, unrelated: 3 });
    await tries.addSweep(orgOf(0), 'ETH', { ...one, unrelated: 2 });
    await tries.addSweep(orgOf(0), 'ETH', { ...one, unrelated: 4 });
    assert.deepEqual(await tries.judgedSweeps(orgOf(0)), { BTC: [one], ETH: [{ ...one, unrelated: 4 }] });
    assert.deepEqual(await tries.judgedSweeps(orgOf(1)), {});
  });

  check('the rows of an asset are bounded, and the count goes on', async ({ tries }) => {
    await tries.add(orgOf(0), 'BTC', hashes(0, 6_000));
    await tries.add(orgOf(0), 'BTC', hashes(4_000, 12_000));
    const { BTC: held = [] } = await tries.of(orgOf(0));
    assert.equal(held.length, TRIES_KEPT);
    assert.deepEqual(joinTries(held), joinTries(hashes(0, 12_000)));
  });
});
