import assert from 'node:assert/strict';
import test from 'node:test';
import { DAY, invalidToken, SECOND, setUpIdentity } from '../../../support/identity.js';

const bearer = (token: string) => `Bearer ${token}`;

/** A store that counts look-ups of keys, and can delay one. */
async function watched() {
  const identity = await setUpIdentity();
  const { store } = identity;
  const find = store.findApiKeyByHash.bind(store);
  const watch = { lookUps: 0, hold: null as Promise<void> | null, found: () => {} };
  store.findApiKeyByHash = async (hash) => {
    watch.lookUps++;
    const found = await find(hash);
    watch.found();
    await watch.hold;
    return found;
  };
  return { ...identity, watch };
}

test('a credential is looked up once while it is fresh', async () => {
  const { time, caller, keys, authenticator, watch } = await watched();
  const { key } = await keys.create(await caller('ann@example.com'), { name: 'ci' });
  const first = await authenticator.authenticate(bearer(key));
  time.nowMs += 30 * SECOND;
  assert.deepEqual(await authenticator.authenticate(bearer(key)), first);
  assert.equal(watch.lookUps, 1);
  time.nowMs += 1;
  await authenticator.authenticate(bearer(key));
  assert.equal(watch.lookUps, 2);
});

test('a key that is revoked during its look-up is not cached as good', async () => {
  const { caller, keys, authenticator, watch } = await watched();
  const ann = await caller('ann@example.com');
  const { key, key_id: id } = await keys.create(ann, { name: 'ci' });
  let goOn = () => {};
  watch.hold = new Promise((resolve) => {
    goOn = resolve;
  });
  const found = new Promise<void>((resolve) => {
    watch.found = resolve;
  });
  const early = authenticator.authenticate(bearer(key));
  await found;
  await keys.revoke(ann, id);
  const late = authenticator.authenticate(bearer(key));
  goOn();
  // It began before the revocation, so either answer is right; later calls must be refused.
  await early;
  await assert.rejects(late, invalidToken);
  await assert.rejects(authenticator.authenticate(bearer(key)), invalidToken);
});

test('a revocation by another process counts as soon as its notice arrives', async () => {
  const here = await setUpIdentity();
  const ann = await here.caller('ann@example.com');
  const { key, key_id: id } = await here.keys.create(ann, { name: 'ci' });
  const there = await setUpIdentity({ store: here.store });
  await there.authenticator.authenticate(bearer(key));
  await here.keys.revoke(ann, id);
  assert.equal((await there.authenticator.authenticate(bearer(key))).credentialId, id);
  for (const change of here.changes) there.cache.drop(change);
  await assert.rejects(there.authenticator.authenticate(bearer(key)), invalidToken);
  assert.deepEqual(there.changes, []);
});

test('credentials of a removed member are refused at once', async () => {
  const { caller, members, sessions, keys, authenticator, login } = await setUpIdentity();
  const host = await caller('host@example.com');
  const { access_token: token, refresh_token } = await login('guest@example.com');
  const guest = await authenticator.authenticate(bearer(token));
  await members.add(host, host.orgId, { user_id: guest.userId, role: 'member' });
  await sessions.switchOrganization(guest, { org_id: host.orgId });
  const { key } = await keys.create(await authenticator.authenticate(bearer(token)), { name: 'ci' });
  await authenticator.authenticate(bearer(key));
  await members.remove(host, host.orgId, guest.userId);
  for (const each of [token, key]) await assert.rejects(authenticator.authenticate(bearer(each)), invalidToken);
  await assert.rejects(sessions.refresh({ refresh_token }), invalidToken);
  assert.equal((await caller('guest@example.com')).orgId, guest.orgId);
});

test('a cached session ends with the session', async () => {
  const { time, login, sessions, authenticator } = await setUpIdentity();
  const { refresh_token } = await login('ann@example.com');
  time.nowMs += 30 * DAY - 5 * SECOND;
  const { access_token: token } = await sessions.refresh({ refresh_token });
  await authenticator.authenticate(bearer(token));
  time.nowMs += 5 * SECOND;
  await assert.rejects(authenticator.authenticate(bearer(token)), invalidToken);
});
