import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { SqlPromoCodeStore } from '../../../../service/promo-codes/store.js';
import type { Database, State } from '../../../../service/state/index.js';
import { onEachStore } from '../../../support/backends.js';
import { runs } from '../../../support/scale.js';

const T0 = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;

async function organizations(db: Database, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  const rows = ids.map((id) => ({ id, name: 'Org', tier: 'free', created_at_ms: T0 }));
  await db.insertInto('organizations').values(rows).execute();
  return ids;
}

const tierOf = async (db: Database, id: string) =>
  (await db.selectFrom('organizations').select('tier').where('id', '=', id).executeTakeFirstOrThrow()).tier;

async function newCode(store: SqlPromoCodeStore, changes: object = {}): Promise<string> {
  const code = randomUUID();
  const row = { code, trial_days: 2, tier_id: 'pro', scope: 'org' as const, created_at_ms: T0 };
  assert.notEqual(await store.add({ ...row, max_redemptions: null, expires_at_ms: null, ...changes }), null);
  return code;
}

const redeeming = (code: string, orgId: string, nowMs = T0) =>
  ({ code, orgId, userId: randomUUID(), tierId: 'pro', scope: 'org', nowMs }) as const;

const codesIn = ({ db }: State) => ({ store: new SqlPromoCodeStore(db), db });

onEachStore('promo codes', codesIn, (check, checkBoth) => {
  checkBoth('redeemed by many at once, a code never exceeds its maximum', async ({ store, db }) => {
    const count = runs(60, 1_000);
    const ids = await organizations(db, count);
    const max = Math.floor(count / 3);
    const code = await newCode(store, { max_redemptions: max });
    const outcomes = await Promise.all(ids.map((id) => store.redeem(redeeming(code, id))));
    const redeemed = outcomes.filter(({ outcome }) => outcome === 'redeemed');
    assert.deepEqual([redeemed.length, (await store.find(code))?.redemptions], [max, max]);
    assert.equal((await store.listRedemptions(code, count)).length, max);
    const raised = await Promise.all(ids.map((id) => tierOf(db, id)));
    assert.equal(raised.filter((tier) => tier === 'pro').length, max);
  });

  check('guesses count for each guesser until the window ends', async ({ store }) => {
    const [user, address] = [`user:${randomUUID()}`, `address:${randomUUID()}`];
    const count = async (guessers: readonly string[], nowMs: number) =>
      Object.fromEntries(
        (await store.countGuess(guessers, nowMs, 1_000)).map(({ guesser, guesses }) => [guesser, guesses]),
      );
    assert.deepEqual(await count([user, address], T0), { [user]: 1, [address]: 1 });
    const counts = await Promise.all(Array.from({ length: 20 }, () => count([address, user], T0 + 1)));
    assert.deepEqual(
      counts.map(({ [user]: guesses }) => guesses).sort((a = 0, b = 0) => a - b),
      Array.from({ length: 20 }, (_, i) => i + 2),
    );
    await store.uncountGuess([user]);
    assert.deepEqual(await count([user, address], T0 + 999), { [user]: 21, [address]: 22 });
    assert.deepEqual(await count([user], T0 + 1_000), { [user]: 1 });
    await store.dropGuesses(T0 + 1_500);
    assert.deepEqual(await count([user, address], T0 + 1_500), { [user]: 2, [address]: 1 });
  });

  checkBoth('an organization that redeems at once from many places gets one trial', async ({ store, db }) => {
    const [id = ''] = await organizations(db, 1);
    const [code, other] = [await newCode(store), await newCode(store)];
    const outcomes = await Promise.all(
      [code, code, other, code, other].map((each) => store.redeem(redeeming(each, id))),
    );
    assert.equal(outcomes.filter(({ outcome }) => outcome === 'redeemed').length, 1);
    const counted = await Promise.all([code, other].map(async (each) => (await store.find(each))?.redemptions));
    assert.deepEqual(counted.sort(), [0, 1]);
    assert.equal(await store.hasTrial(id, other), true);
  });

  check('a code that is expired, revoked or for something else is refused', async ({ store, db }) => {
    const [id = ''] = await organizations(db, 1);
    const code = await newCode(store, { expires_at_ms: T0 + 1 });
    const outcomeOf = async (changes: object) => (await store.redeem({ ...redeeming(code, id), ...changes })).outcome;
    assert.equal(await outcomeOf({ nowMs: T0 + 1 }), 'refused');
    assert.equal(await outcomeOf({ tierId: 'free' }), 'refused');
    assert.equal(await outcomeOf({ scope: 'user' }), 'refused');
    await store.setActive(code, false);
    assert.equal(await outcomeOf({}), 'refused');
    await store.setActive(code, true);
    assert.deepEqual([await outcomeOf({}), await tierOf(db, id)], ['redeemed', 'pro']);
  });

  check('after a trial an organization has its tier of before, unless the tier was changed', async ({ store, db }) => {
    const [id = '', upgraded = ''] = await organizations(db, 2);
    const code = await newCode(store);
    for (const each of [id, upgraded]) await store.redeem(redeeming(code, each));
    await db.updateTable('organizations').set({ tier: 'startup' }).where('id', '=', upgraded).execute();
    await store.endTrials(T0 + 2 * DAY_MS - 1);
    assert.equal(await tierOf(db, id), 'pro');
    await store.endTrials(T0 + 2 * DAY_MS);
    assert.deepEqual([await tierOf(db, id), await tierOf(db, upgraded)], ['free', 'startup']);
    assert.equal((await store.redeem(redeeming(code, id))).outcome, 'had');
    assert.equal((await store.redeem(redeeming(await newCode(store), id))).outcome, 'redeemed');
  });
});
