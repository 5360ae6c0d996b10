import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import { countTries, joinTries, TRIES_KEPT } from '../../../../engine/sweep/index.js';
import { SqlTries } from '../../../../service/experiments/tries.js';
import { onEachBackend } from '../../../support/backends.js';
import { emptyExperiments, orgOf } from '../../../support/experiment-store.js';

const hashes = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, k) =>
    createHash('sha256')
      .update(String(from + k))
      .digest('hex')
      .slice(0, 16),
  );

onEachBackend((name, open, alike) => {
  alike(`${name}: tries of an organization count once, by asset, and never in another`, async () => {
    const { db } = await open();
    await emptyExperiments(db);
    const tries = new SqlTries(db);
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

  alike(`${name}: what judged sweeps were worth is kept for an organization, the larger worth of each`, async () => {
    const { db } = await open();
    await emptyExperiments(db);
    const tries = new SqlTries(db);
    const one = { sweep: 'a', plan: 'p', tries: 40, unrelated: 7.25 };
    await tries.addSweep(orgOf(0), 'BTC', one);
    await tries.addSweep(orgOf(0), 'BTC', { ...one, tries: 20, unrelated: 3 });
    await tries.addSweep(orgOf(0), 'ETH', { ...one, unrelated: 2 });
    await tries.addSweep(orgOf(0), 'ETH', { ...one, unrelated: 4 });
    assert.deepEqual(await tries.judgedSweeps(orgOf(0)), { BTC: [one], ETH: [{ ...one, unrelated: 4 }] });
    assert.deepEqual(await tries.judgedSweeps(orgOf(1)), {});
  });

  alike(`${name}: the rows of an asset are bounded, and the count goes on`, async () => {
    const { db } = await open();
    await emptyExperiments(db);
    const tries = new SqlTries(db);
    await tries.add(orgOf(0), 'BTC', hashes(0, 6_000));
    await tries.add(orgOf(0), 'BTC', hashes(4_000, 12_000));
    const { BTC: held = [] } = await tries.of(orgOf(0));
    assert.equal(held.length, TRIES_KEPT);
    assert.deepEqual(joinTries(held), joinTries(hashes(0, 12_000)));
  });

  test(`${name}: a try that was added before costs no statement, one of another process no second one`, async () => {
    const { db } = await open();
    await emptyExperiments(db);
    const asked: string[] = [];
    const counting = db.withPlugin({
      transformQuery({ node }) {
        asked.push(node.kind);
        return node;
      },
      transformResult: async ({ result }) => result,
    });
    const [here, elsewhere] = [new SqlTries(counting), new SqlTries(counting)];
    const [one, two] = [hashes(0, 1), hashes(1, 2)];
    const statementsOf = async (work: Promise<void>): Promise<string[]> => {
      await work;
      return asked.splice(0);
    };
    const both = ['InsertQueryNode', 'RawNode'];
    assert.deepEqual(await statementsOf(here.add(orgOf(0), 'BTC', one)), both);
    assert.deepEqual(await statementsOf(here.add(orgOf(0), 'BTC', one)), []);
    assert.deepEqual(await statementsOf(elsewhere.add(orgOf(0), 'BTC', one)), ['InsertQueryNode']);
    assert.deepEqual(await statementsOf(here.add(orgOf(0), 'BTC', [...one, ...two])), both);
    assert.deepEqual(await statementsOf(here.add(orgOf(0), 'ETH', one)), both);
    assert.deepEqual(await statementsOf(here.add(orgOf(1), 'BTC', one)), both);
    assert.deepEqual((await here.of(orgOf(0))).BTC?.toSorted(), joinTries(one, two));
  });
});
