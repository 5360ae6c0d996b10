import assert from 'node:assert/strict';
import { type ExperimentStatus, experimentStatuses } from '../../../../service/experiments/tables.js';
import type { ClaimedBlock } from '../../../../service/experiments/work.js';
import type { State } from '../../../../service/state/index.js';
import { onEachStore } from '../../../support/backends.js';
import {
  addDraft,
  addLaunched,
  addValidated,
  assertTiled,
  type ExperimentStores,
  emptyExperiments,
  missingOf,
  orgOf,
  part,
  planHash,
  rangesOf,
} from '../../../support/experiment-store.js';
import { seededRandom } from '../../../support/random.js';
import { runs } from '../../../support/scale.js';

const org = orgOf(0);

/** The states in which a change is possible, and the state after it. All others refuse it. */
const transitions = {
  replace: { draft: 'draft', validated: 'draft' },
  launch: { validated: 'queued', paused: 'queued' },
  pause: { queued: 'paused', running: 'paused' },
  cancel: { queued: 'cancelled', running: 'cancelled', paused: 'cancelled' },
} as const satisfies Record<string, Partial<Record<ExperimentStatus, ExperimentStatus>>>;
type Change = keyof typeof transitions;

const ask = (change: Change, { store }: ExperimentStores, owner: string, id: string) => {
  if (change === 'launch') return store.launch(owner, id, null, 9);
  if (change === 'replace') return store.replace(owner, id, { name: 'new', search_mode: 'random', config: {} }, 9);
  return store[change](owner, id, 9);
};

const setStatus = ({ db }: ExperimentStores, id: string, status: ExperimentStatus) =>
  db.updateTable('experiments').where('id', '=', id).set({ status }).execute();

const statusOf = async ({ store }: ExperimentStores, id: string): Promise<ExperimentStatus | undefined> =>
  (await store.find(org, id))?.status;

/** Claims with blocks of 10 runs and leases that end at 100. */
const claim = ({ work }: ExperimentStores, runner = 'a', nowMs = 0, runsMax = 10) =>
  work.claim(runner, runsMax, nowMs, nowMs + 100);

async function claimed(...given: Parameters<typeof claim>): Promise<ClaimedBlock> {
  return (await claim(...given)) ?? assert.fail('there is a block');
}

/** Completes a block as a runner does. */
async function finishBlock({ work }: ExperimentStores, block: ClaimedBlock, more: object = {}, runner = 'a') {
  for (const [from, to] of missingOf(block)) {
    assert.notEqual(await work.commit(runner, block, part(from, to, more)), null);
  }
  await work.release(runner, block, true);
}

const idsOf = (blocks: readonly (ClaimedBlock | null)[]) => blocks.map((block) => block?.experimentId);

const storesIn = ({ db }: State) => emptyExperiments(db);

onEachStore('experiments', storesIn, (check, checkBoth) => {
  for (const change of Object.keys(transitions) as Change[]) {
    check(`${change} works in its states and is refused in the others`, async (stores) => {
      const to: Partial<Record<ExperimentStatus, ExperimentStatus>> = transitions[change];
      await addValidated(stores, 'exp_1');
      for (const status of experimentStatuses) {
        await setStatus(stores, 'exp_1', status);
        const after = to[status];
        const expected =
          after === undefined ? { status, isDone: false, reason: 'status' } : { status: after, isDone: true };
        assert.deepEqual(await ask(change, stores, org, 'exp_1'), expected, status);
        assert.equal(await statusOf(stores, 'exp_1'), after ?? status);
      }
      assert.equal(await ask(change, stores, org, 'exp_2'), null, 'there is none');
      await setStatus(stores, 'exp_1', Object.keys(to)[0] as ExperimentStatus);
      assert.equal(await ask(change, stores, orgOf(1), 'exp_1'), null, 'it belongs to another organization');
    });
  }

  check('a validation counts only for the configuration that it read, and before the launch', async (stores) => {
    const { store } = stores;
    await addValidated(stores, 'exp_1', { runs: 7 });
    const read = (await store.find(org, 'exp_1'))!;
    assert.deepEqual([read.status, read.total_runs, read.plan_hash], ['validated', 7, planHash]);
    const found = { totalRuns: 8, planHash: 'another', plan: { engineVersion: '2', datasets: [], series: [] } };

    await store.replace(org, 'exp_1', { name: 'new', search_mode: 'random', config: { a: 1 } }, 5);
    const replaced = (await store.find(org, 'exp_1'))!;
    assert.deepEqual(
      [replaced.status, replaced.total_runs, replaced.plan_hash, replaced.plan, replaced.name, replaced.config],
      ['draft', null, null, null, 'new', { a: 1 }],
    );
    await store.setValidated(read, found, 6);
    assert.deepEqual(await store.find(org, 'exp_1'), replaced, 'that was the previous configuration');

    await store.setValidated(replaced, found, 7);
    assert.equal(await statusOf(stores, 'exp_1'), 'validated');
    await store.setValidated(replaced, null, 8);
    const refused = (await store.find(org, 'exp_1'))!;
    assert.deepEqual([refused.status, refused.total_runs, refused.plan], ['draft', null, null]);

    await store.setValidated(replaced, found, 9);
    await store.launch(org, 'exp_1', null, 10);
    await store.setValidated(replaced, null, 11);
    assert.equal((await store.find(org, 'exp_1'))?.total_runs, 8, 'launched meanwhile');
  });

  checkBoth('of twenty concurrent launches as many pass as the cap has room for', async (stores) => {
    const ids = Array.from({ length: 20 }, (_, i) => `exp_${i}`);
    for (const id of ids) await addValidated(stores, id);
    for (const [cap, before] of [
      [3, 0],
      [4, 3],
      [4, 4],
    ] as const) {
      const waiting = [];
      for (const id of ids) if ((await statusOf(stores, id)) === 'validated') waiting.push(id);
      const all = await Promise.all(waiting.map((id) => stores.store.launch(org, id, cap, 1)));
      assert.equal(all.filter((one) => one?.isDone).length, cap - before);
      const refused = all.find((one) => one?.isDone === false);
      assert.deepEqual(refused, { status: 'validated', isDone: false, reason: 'cap' });
    }
  });

  check(
    'a block that kills every runner is halved down to the run at fault; all other runs complete',
    async (stores) => {
      await addLaunched(stores, 'exp_1', { runs: 300 });
      const deadly = 123;
      const died: number[] = [];
      let nowMs = 0;
      for (
        let block = await claim(stores, 'a', nowMs, 300);
        block !== null;
        block = await claim(stores, 'a', nowMs, 300)
      ) {
        await stores.work.begin('a', block);
        if (block.from <= deadly && deadly < block.to && block.deaths < 3) {
          died.push(block.to - block.from);
          nowMs += 1_000;
        } else await finishBlock(stores, block);
        assert.ok(died.length < 20, 'it ends');
      }
      assert.deepEqual(died, [300, 300, 19, 2, 1, 1, 1]);
      await assertTiled(stores, 'exp_1', 300);
      assert.deepEqual(await stores.work.finish(nowMs), [{ id: 'exp_1', status: 'completed' }]);
    },
  );

  check('a block that was released, or had not begun, counts no death', async (stores) => {
    await addLaunched(stores, 'exp_1');
    for (let i = 0; i < 5; i++) {
      const block = await claimed(stores, 'a', 1_000 * i);
      assert.deepEqual([block.from, block.to, block.deaths], [0, 10, 0]);
      if (i % 2 === 1) continue;
      await stores.work.begin('a', block);
      await stores.work.release('a', block, false);
    }
    await stores.work.begin('a', await claimed(stores, 'a', 6_000));
    await stores.work.releaseAll(); // it died, and the one process of the store starts again
    assert.equal((await claimed(stores, 'b', 6_001)).deaths, 1);
  });

  check('organizations take turns, regardless of how many experiments each has', async (stores) => {
    for (const id of ['exp_1', 'exp_2', 'exp_3']) await addLaunched(stores, id, { runs: 30 });
    await addLaunched(stores, 'exp_4', { org: 1, runs: 40 });
    const order = [];
    for (let i = 0; i < 8; i++) {
      const block = await claimed(stores);
      order.push(block.experimentId);
      await finishBlock(stores, block);
    }
    const [mine, theirs] = [order.filter((_, i) => i % 2 === 0), order.filter((_, i) => i % 2 === 1)];
    assert.deepEqual(mine, ['exp_1', 'exp_2', 'exp_3', 'exp_1'], 'and so do the experiments of one organization');
    assert.deepEqual(theirs, ['exp_4', 'exp_4', 'exp_4', 'exp_4']);
  });

  check('a block that a runner left goes before new blocks, with the rows that it has', async (stores) => {
    const { work } = stores;
    await addLaunched(stores, 'exp_1', { runs: 30 });
    const lost = await claimed(stores, 'gone');
    await work.commit('gone', lost, part(2, 4));
    await work.commit('gone', lost, part(7, 9));
    assert.deepEqual((await claimed(stores, 'a', 99)).from, 10, 'its lease has not ended');
    assert.equal(await work.claimable(10, 99, 64), 1);
    assert.equal(await work.claimable(10, 100, 64), 2);
    const again = await claimed(stores, 'b', 100, 3);
    assert.deepEqual([again.from, again.to], [0, 10], 'as long as it was');
    assert.deepEqual(again.committed, [
      { from: 2, to: 4 },
      { from: 7, to: 9 },
    ]);
    assert.equal((await claimed(stores, 'c', 100)).from, 20);

    await work.release('b', again, false);
    const given = await claimed(stores, 'd', 101);
    assert.deepEqual([given.from, given.to], [0, 10], 'a released block is available at once');
    await work.releaseAll();
    const left = [];
    for (let i = 0; i < 4; i++) left.push((await claim(stores, 'e', 102))?.from);
    assert.deepEqual(left, [0, 10, 20, undefined]);
  });

  check('a runner that lost its block neither commits to it nor releases it', async (stores) => {
    const { work } = stores;
    await addLaunched(stores, 'exp_1');
    const block = await claimed(stores, 'slow');
    assert.equal(await work.commit('slow', block, part(0, 2)), 'running');
    const taken = await claimed(stores, 'quick', 100);
    assert.deepEqual(taken.committed, [{ from: 0, to: 2 }]);
    assert.equal(await work.commit('slow', block, part(2, 4)), null);
    await work.release('slow', block, true);
    await work.release('slow', block, false);
    assert.equal(await claim(stores, 'c', 150), null);
    assert.equal(await work.commit('quick', taken, part(2, 10)), 'running');
    await work.release('quick', taken, true);
    assert.equal(await work.commit('quick', taken, part(2, 10)), null, 'nor does a runner that has completed it');
    await assertTiled(stores, 'exp_1', 10);
  });

  check(
    'a paused experiment accepts the rows of runs in progress; an ended or deleted one does not',
    async (stores) => {
      const { work, store } = stores;
      await addLaunched(stores, 'exp_1');
      const block = await claimed(stores);
      await store.pause(org, 'exp_1', 1);
      assert.equal(await work.commit('a', block, part(0, 3)), 'paused');
      await store.launch(org, 'exp_1', null, 1);
      assert.equal(await work.commit('a', block, part(3, 5)), 'queued');
      await store.cancel(org, 'exp_1', 1);
      assert.equal(await work.commit('a', block, part(5, 7)), null);
      for (const status of ['completed', 'failed'] as const) {
        await setStatus(stores, 'exp_1', status);
        assert.equal(await work.commit('a', block, part(5, 7)), null, status);
      }
      assert.deepEqual(await rangesOf(stores, 'exp_1'), [
        [0, 3],
        [3, 5],
      ]);
      await store.remove(org, 'exp_1');
      assert.equal(await work.commit('a', block, part(5, 7)), null);
    },
  );

  checkBoth('deleting removes leases and rows, even during a commit', async (stores) => {
    const { work, store, db } = stores;
    for (let round = 0; round < 20; round++) {
      const id = `exp_${round}`;
      await addLaunched(stores, id, { runs: 4 });
      const blocks = [];
      for (let i = 0; i < 4; i++) blocks.push(await claimed(stores, `runner ${i}`, 0, 1));
      const commits = blocks.map((block, i) => work.commit(`runner ${i}`, block, part(block.from, block.to)));
      const [isRemoved] = await Promise.all([store.remove(org, id), ...commits, claim(stores, 'late', 100)]);
      assert.equal(isRemoved, true);
    }
    for (const table of ['experiments', 'experiment_leases', 'experiment_parts'] as const) {
      assert.deepEqual(await db.selectFrom(table).selectAll().execute(), [], table);
    }
  });

  checkBoth('progress counts rows, by outcome and by series', async (stores) => {
    const { work, store } = stores;
    await addDraft(stores, 'exp_0');
    assert.deepEqual((await store.progress(org, 'exp_0'))?.series, []);
    await addLaunched(stores, 'exp_1', { series: [10, 5, 15] });
    const none = (await store.progress(org, 'exp_1'))!;
    assert.deepEqual([none.ok, none.no_trades, none.skipped, none.errors], [0, 0, 0, 0]);
    assert.deepEqual(
      none.series.map(({ completed, total }) => [completed, total]),
      [
        [0, 10],
        [0, 5],
        [0, 15],
      ],
    );
    const block = await claimed(stores, 'a', 0, 30);
    await work.commit('a', block, part(2, 8, { ok: 1, no_trades: 2, skipped: 3, errors: 0 }));
    await work.commit('a', block, part(9, 20, { ok: 4, no_trades: 0, skipped: 0, errors: 7 }));
    const some = (await store.progress(org, 'exp_1'))!;
    assert.deepEqual([some.ok, some.no_trades, some.skipped, some.errors], [5, 2, 3, 7]);
    assert.deepEqual(some.series, [
      { key: 'series 0', completed: 7, total: 10 },
      { key: 'series 1', completed: 5, total: 5 },
      { key: 'series 2', completed: 5, total: 15 },
    ]);
    const [listed] = await store.list(org, { offset: 0, limit: 9 });
    assert.deepEqual([listed?.id, listed?.completed, listed?.total_runs, listed?.status], ['exp_1', 17, 30, 'running']);
    assert.equal((await store.list(org, { offset: 0, limit: 9 }))[1]?.total_runs, null);
  });

  check('an experiment ends with its last row: completed, or failed if every run is an error', async (stores) => {
    const { work, store } = stores;
    await addLaunched(stores, 'exp_1', { runs: 20 });
    await addLaunched(stores, 'exp_2', { runs: 10, org: 1 });
    const [one, bad, two] = [await claimed(stores), await claimed(stores), await claimed(stores)];
    assert.deepEqual(idsOf([one, bad, two]), ['exp_1', 'exp_2', 'exp_1']);
    await finishBlock(stores, one, { ok: 9, errors: 1 });
    assert.deepEqual(await work.finish(50), [], 'one block is out');
    assert.equal(await work.commit('a', two, part(10, 20)), 'running');
    assert.deepEqual(await work.finish(50), [], 'and not released');
    await work.release('a', two, true);
    await finishBlock(stores, bad, { ok: 0, errors: 10 });
    const ended = await Promise.all([work.finish(60), work.finish(60), work.finish(60)]);
    assert.deepEqual(
      ended.flat().sort((a, b) => (a.id < b.id ? -1 : 1)),
      [
        { id: 'exp_1', status: 'completed' },
        { id: 'exp_2', status: 'failed' },
      ],
      'each once',
    );
    const [good, failed] = [(await store.find(org, 'exp_1'))!, (await store.find(orgOf(1), 'exp_2'))!];
    assert.deepEqual([good.error, good.ended_at_ms], [null, 60]);
    assert.match(failed.error ?? '', /every run/);
  });

  check('an experiment paused at its last run is completed by it; a cancelled one is not', async (stores) => {
    const { store, work } = stores;
    for (const [id, stop] of [
      ['exp_1', 'pause'],
      ['exp_2', 'cancel'],
    ] as const) {
      await addLaunched(stores, id);
      const block = await claimed(stores);
      await work.commit('a', block, part(0, 10));
      await store[stop](org, id, 1);
      await work.release('a', block, true);
      await work.finish(2);
    }
    assert.deepEqual([await statusOf(stores, 'exp_1'), await statusOf(stores, 'exp_2')], ['completed', 'cancelled']);
  });

  checkBoth('any number of concurrent runners leaves one row per run', async (stores) => {
    const random = seededRandom(1);
    const least = runs(15, 40);
    const totals = Array.from({ length: 4 }, () => least + Math.floor(random() * least));
    for (const [k, total] of totals.entries()) await addLaunched(stores, `exp_${k}`, { runs: total, org: k % 2 });
    let clock = 0;
    /** The clock advances with every call, so that leases end while their runners hold them. */
    const now = () => clock++;
    const LEASE = 12;
    const runner = async (name: string): Promise<void> => {
      for (let idle = 0; idle < 20; ) {
        const block = await stores.work.claim(name, 7, now(), clock + LEASE);
        if (block === null) {
          idle++;
          clock += LEASE;
          await stores.work.finish(clock);
          continue;
        }
        let isMine = true;
        for (const [from, to] of missingOf(block)) {
          const middle = from + Math.ceil((to - from) / 2);
          for (const [first, last] of [
            [from, middle],
            [middle, to],
          ] as const) {
            now();
            if (isMine && first < last) isMine = (await stores.work.commit(name, block, part(first, last))) !== null;
          }
        }
        await stores.work.release(name, block, isMine && random() < 0.8);
      }
    };
    await Promise.all(Array.from({ length: 6 }, (_, i) => runner(`runner ${i}`)));
    for (const [k, total] of totals.entries()) {
      await assertTiled(stores, `exp_${k}`, total);
      assert.equal((await stores.store.find(orgOf(k % 2), `exp_${k}`))?.status, 'completed');
    }
  });
});
