import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import {
  afterCommit,
  committedOnce,
  holdsTransaction,
  inUnitOfWork,
  refuseInTransaction,
} from '../../../../data/state/index.js';
import type { State } from '../../../../service/state/index.js';
import { onEachBackend } from '../../../support/backends.js';

const failure = new Error('it failed');

onEachBackend((backend, open) => {
  const check = (title: string, run: (state: State, orgId: string) => Promise<void>) =>
    test(`${backend}: ${title}`, async () => run(await open(), randomUUID()));
  const add = ({ db }: Pick<State, 'db'>, orgId: string, resource: string) =>
    db.insertInto('usage_counts').values({ org_id: orgId, resource, month: '2024-01', used: 1 }).execute();
  const had = async ({ db }: Pick<State, 'db'>, orgId: string): Promise<string[]> => {
    const rows = db.selectFrom('usage_counts').where('org_id', '=', orgId).select('resource').orderBy('resource');
    return (await rows.execute()).map(({ resource }) => resource);
  };

  check('all that a unit changes takes effect at its end, and the unit sees it before', async (state, orgId) => {
    await inUnitOfWork(async () => {
      assert.equal(holdsTransaction(), false);
      await add(state, orgId, 'a');
      assert.equal(holdsTransaction(), true);
      assert.throws(() => refuseInTransaction('a wait'), /a wait must come before/);
      assert.deepEqual(await had(state, orgId), ['a']);
      await add(state, orgId, 'b');
    });
    assert.equal(holdsTransaction(), false);
    assert.deepEqual(await had(state, orgId), ['a', 'b']);
  });

  check('a unit that fails leaves nothing, also of transactions that had ended in it', async (state, orgId) => {
    const unit = inUnitOfWork(async () => {
      await state.db.transaction().execute((db) => add({ db }, orgId, 'a'));
      await add(state, orgId, 'b');
      throw failure;
    });
    await assert.rejects(unit, failure);
    assert.deepEqual(await had(state, orgId), []);
  });

  check('a transaction that fails in a unit leaves what the unit did beside it', async (state, orgId) => {
    await inUnitOfWork(async () => {
      const failing = state.db.transaction().execute(async (db) => {
        await add({ db }, orgId, 'lost');
        throw failure;
      });
      await assert.rejects(failing, failure);
      await add(state, orgId, 'kept');
    });
    assert.deepEqual(await had(state, orgId), ['kept']);
  });

  check('transactions and statements that run at once in a unit take turns', async (state, orgId) => {
    await inUnitOfWork(async () => {
      const each = Array.from({ length: 12 }, (_, i) => {
        const name = String.fromCharCode(97 + i);
        if (i % 3 === 0) return add(state, orgId, name);
        const transaction = state.db.transaction().execute(async (db) => {
          await add({ db }, orgId, name);
          await had({ db }, orgId);
          if (i % 3 === 1) throw failure;
        });
        return transaction.catch((error: unknown) => assert.equal(error, failure));
      });
      await Promise.all(each);
    });
    assert.deepEqual((await had(state, orgId)).join(''), 'acdfgijl');
  });

  check('a statement that fails undoes the unit, even if its error is ignored', async (state, orgId) => {
    const unit = inUnitOfWork(async () => {
      await add(state, orgId, 'a');
      await assert.rejects(add(state, orgId, 'a'));
      await add(state, orgId, 'b');
    });
    await assert.rejects(unit, /aborted/);
    assert.deepEqual(await had(state, orgId), []);
  });

  check('a hook runs after the commit, and never for a unit that failed', async (state, orgId) => {
    const seen: unknown[] = [];
    let told: Promise<string[]> | null = null;
    await inUnitOfWork(async () => {
      afterCommit(() => {
        assert.equal(holdsTransaction(), false);
        told = had(state, orgId);
      });
      await add(state, orgId, 'a');
      assert.equal(told, null);
    });
    assert.deepEqual(await told, ['a']);
    const failing = inUnitOfWork(async () => {
      afterCommit(() => seen.push('hook'));
      throw failure;
    });
    await assert.rejects(failing, failure);
    assert.equal(seen.length, 0);
    afterCommit(() => seen.push('at once'));
    assert.deepEqual(seen, ['at once']);
  });

  check('a notice is sent with the commit, and not without one', async (state, orgId) => {
    const heard: string[] = [];
    let ring = (): void => {};
    const rung = new Promise<void>((resolve) => {
      ring = resolve;
    });
    const onNotice = (text: string): void => {
      heard.push(text);
      if (text === 'end') ring();
    };
    await state.listen('unit_test', { onNotice, onDeaf() {}, onHearing() {} });
    const lost = inUnitOfWork(async () => {
      await state.notify('unit_test', 'lost');
      throw failure;
    });
    await assert.rejects(lost, failure);
    await inUnitOfWork(async () => {
      await add(state, orgId, 'a');
      await state.notify('unit_test', 'kept');
    });
    await state.notify('unit_test', 'end');
    await rung;
    assert.deepEqual(heard, ['kept', 'end']);
  });

  check('a step is committed before the end of its unit, and once for all attempts', async (state, orgId) => {
    const done: Record<string, unknown> = {};
    const kept: [string, unknown][] = [];
    const steps = { done, record: async (name: string, value: unknown) => void kept.push([name, value]) };
    const attempt = (isLast: boolean) =>
      inUnitOfWork(async () => {
        const value = await committedOnce('count', async () => {
          await add(state, orgId, `step ${kept.length}`);
          return kept.length;
        });
        await add(state, orgId, 'effect');
        // Within a transaction a step is part of it.
        await committedOnce('late', () => add(state, orgId, 'late'));
        if (!isLast) throw failure;
        return value;
      }, steps);
    await assert.rejects(attempt(false), failure);
    assert.deepEqual(await had(state, orgId), ['step 0']);
    assert.equal(await attempt(true), 0);
    assert.deepEqual(await had(state, orgId), ['effect', 'late', 'step 0']);
    assert.deepEqual(kept, [['count', 0]]);
  });
});
