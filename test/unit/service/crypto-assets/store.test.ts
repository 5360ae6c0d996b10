import assert from 'node:assert/strict';
import { SqlCryptoAssetStore } from '../../../../service/crypto-assets/store.js';
import { type ClaimedUpdate, SqlAssetUpdates } from '../../../../service/crypto-assets/updates.js';
import type { State } from '../../../../service/state/index.js';
import { profileOf } from '../../../support/asset-source.js';
import { onEachStore } from '../../../support/backends.js';
import { deleteRows } from '../../../support/shared-state.js';
import { uuid } from '../../../support/uuid.js';

const evaluation = (symbol: string, n: number, price = 1) => ({
  id: uuid(n),
  profile: profileOf(symbol, { priceUsd: price }),
  source: 'recorded',
  revision: 'r1',
  isApprovedAtFirst: true,
});

async function emptied({ db }: State) {
  await deleteRows(db);
  return { store: new SqlCryptoAssetStore(db), updates: new SqlAssetUpdates(db) };
}

onEachStore('crypto assets', emptied, (check, checkBoth) => {
  check('a status can take the approval away, and forbids it', async ({ store }) => {
    await store.keep(evaluation('BTC', 1), 10);
    const vulnerable = { security_status: 'vulnerable', suspends: false } as const;
    const compromised = { security_status: 'compromised', suspends: true } as const;
    const banned = { regulatory_status: 'banned', suspends: true } as const;
    assert.equal((await store.setStatus('BTC', vulnerable, 20))?.row.is_approved, true);
    const set = await store.setStatus('BTC', compromised, 30);
    assert.deepEqual([set?.wasApproved, set?.row.is_approved, set?.row.security_status], [true, false, 'compromised']);
    assert.equal((await store.setStatus('BTC', compromised, 40))?.wasApproved, false);
    assert.equal(await store.setApproval('BTC', true, 50), null);
    await store.setStatus('BTC', vulnerable, 60);
    await store.setStatus('BTC', banned, 60);
    assert.equal(await store.setApproval('BTC', true, 70), null);
    await store.setStatus('BTC', { regulatory_status: 'approved', suspends: false }, 80);
    assert.equal((await store.setApproval('BTC', true, 90))?.is_approved, true);
    assert.deepEqual(
      [await store.setStatus('NOPE', banned, 1), await store.setApproval('NOPE', false, 1)],
      [null, null],
    );
  });

  checkBoth('of calls that set a bad status together, one suspends', async ({ store }) => {
    await store.keep(evaluation('BTC', 1), 10);
    const compromised = { security_status: 'compromised', suspends: true } as const;
    const all = await Promise.all(Array.from({ length: 8 }, () => store.setStatus('BTC', compromised, 20)));
    assert.equal(all.filter((set) => set?.wasApproved === true).length, 1);
  });

  checkBoth('one update is unfinished at a time, and goes on where it was left', async ({ updates }) => {
    const added = await Promise.all([1, 2, 3].map((n) => updates.add(uuid(n), ['A', 'B', 'C'], n)));
    assert.deepEqual(added.filter((isAdded) => isAdded).length, 1);
    const [dead, heir] = [uuid(11), uuid(12)];
    const claimed = await updates.claim(dead, 100, 200);
    assert.deepEqual([claimed?.place, claimed?.symbols], [0, ['A', 'B', 'C']]);
    const second = await updates.advance(claimed as ClaimedUpdate, { symbol: 'A', error: 'late' }, 110, 210);
    assert.equal(second?.place, 1);
    assert.equal(await updates.claim(heir, 209, 300), null, 'the lease lasts');
    const taken = await updates.claim(heir, 210, 310);
    assert.equal(taken?.place, 1, 'A is done');
    assert.equal(await updates.advance(second as ClaimedUpdate, null, 220, 320), null, 'it was taken over');
    assert.equal(await updates.hold(second as ClaimedUpdate, 999), false);
    const last = await updates.advance(taken as ClaimedUpdate, null, 230, 330);
    assert.equal(await updates.advance(last as ClaimedUpdate, null, 240, 340), null, 'it is finished');
    assert.equal(await updates.claim(heir, 1_000, 2_000), null);
    const [row] = await updates.newest(1);
    assert.deepEqual([row?.place, row?.finished_at_ms, row?.failures], [3, 240, [{ symbol: 'A', error: 'late' }]]);
  });
});
