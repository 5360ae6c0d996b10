import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { Caller, Role } from '../../../../service/caller.js';
import { hashOfSecret, isApiKey, newApiKey } from '../../../../service/identity/api-keys.js';
import { ManagementKey } from '../../../../service/identity/index.js';
import { DAY, invalidToken, MANAGEMENT_KEY, SECOND, setUpIdentity, T0 } from '../../../support/identity.js';

/** An organization with an owner and one member of each other role, all of them logged in there. */
async function organization() {
  const identity = await setUpIdentity();
  const owner = await identity.caller('owner@example.com');
  const join = async (role: Role): Promise<Caller> => {
    identity.time.nowMs += SECOND;
    const { access_token: token, user } = await identity.login(`${role}-guest@example.com`);
    await identity.members.add(owner, owner.orgId, { user_id: user.id, role });
    const caller = await identity.authenticator.authenticate(`Bearer ${token}`);
    await identity.sessions.switchOrganization(caller, { org_id: owner.orgId });
    return identity.authenticator.authenticate(`Bearer ${token}`);
  };
  const [admin, member, viewer] = [await join('admin'), await join('member'), await join('viewer')];
  return { ...identity, owner, admin, member, viewer, orgId: owner.orgId };
}

const forbidden = { code: 'INSUFFICIENT_PERMISSIONS' };

test('for non-members an organization does not exist', async () => {
  const { members, caller, orgId, owner } = await organization();
  const stranger = await caller('stranger@example.com');
  const unknown = { code: 'RESOURCE_NOT_FOUND', message: `Organization ${orgId} not found` };
  await assert.rejects(members.list(stranger, orgId), unknown);
  await assert.rejects(members.add(stranger, orgId, { user_id: stranger.userId, role: 'owner' }), unknown);
  await assert.rejects(members.changeRole(stranger, orgId, owner.userId, { role: 'viewer' }), unknown);
  await assert.rejects(members.remove(stranger, orgId, owner.userId), unknown);
});

test('members and viewers change nothing', async () => {
  const { members, member, viewer, admin, orgId } = await organization();
  for (const caller of [member, viewer]) {
    await assert.rejects(members.changeRole(caller, orgId, caller.userId, { role: 'admin' }), forbidden);
    await assert.rejects(members.remove(caller, orgId, admin.userId), forbidden);
    await assert.rejects(members.add(caller, orgId, { user_id: randomUUID(), role: 'viewer' }), forbidden);
  }
});

test('admins change roles but neither create nor change owners', async () => {
  const { members, owner, admin, member, orgId } = await organization();
  assert.equal((await members.changeRole(admin, orgId, member.userId, { role: 'viewer' })).role, 'viewer');
  await assert.rejects(members.changeRole(admin, orgId, admin.userId, { role: 'owner' }), forbidden);
  await assert.rejects(members.changeRole(admin, orgId, owner.userId, { role: 'viewer' }), forbidden);
  await assert.rejects(members.remove(admin, orgId, owner.userId), forbidden);
  await assert.rejects(members.add(admin, orgId, { user_id: member.userId, role: 'owner' }), forbidden);
});

test('changing the allowlist needs the management key', async () => {
  const { allowlist } = await setUpIdentity();
  const denied = { code: 'PERMISSION_DENIED', message: /X-Management-Key/ };
  for (const key of [undefined, '', 'wrong', `${MANAGEMENT_KEY}x`, MANAGEMENT_KEY.slice(1)]) {
    await assert.rejects(allowlist.add(key, { email: 'ann@example.com' }), denied);
    await assert.rejects(allowlist.remove(key, 'ann@example.com'), denied);
  }
  assert.throws(() => new ManagementKey(null).require(undefined), denied);
  assert.throws(() => new ManagementKey(null).require(''), denied);
  assert.throws(() => new ManagementKey('short'), /at least 16/);
});

const bearer = (token: string) => `Bearer ${token}`;

test('a key is its prefix, 32 random digits and 6 check digits, and begins with the part that is shown', () => {
  const { key, keyPrefix } = newApiKey('local');
  assert.match(key, /^local_[0-9A-Za-z]{38}$/);
  assert.match(keyPrefix, /^local_[0-9A-Za-z]{6}$/);
  assert.ok(key.startsWith(keyPrefix));
  assert.match(newApiKey('prod').key, /^prod_/);
  assert.throws(() => newApiKey('Not_ok'), /prefix/);
});

test('every wrong character and every swap of neighbours in a key is noticed without a look-up', () => {
  const { key } = newApiKey('local');
  assert.equal(isApiKey(key), true);
  for (let i = 6; i < key.length; i++) {
    const wrong = key[i] === 'x' ? 'y' : 'x';
    assert.equal(isApiKey(key.slice(0, i) + wrong + key.slice(i + 1)), false, `at ${i}`);
    const swapped = key.slice(0, i - 1) + key[i] + key[i - 1] + key.slice(i + 1);
    if (swapped !== key) assert.equal(isApiKey(swapped), false, `swapped at ${i}`);
  }
  for (const bad of [key.slice(0, -1), `${key}0`, `x${key}`, key.replace('local', 'dev'), '', ` ${key}`, `${key}\n`]) {
    assert.equal(isApiKey(bad), false, bad);
  }
});

test('a minted key is shown once, stored as a hash and listed masked', async () => {
  const { caller, keys, store } = await setUpIdentity();
  const ann = await caller('ann@example.com');
  const minted = await keys.create(ann, { name: ' ci ', scopes: ['strategy:read', 'strategy:read'], expires_days: 2 });
  const { key, withheld_scopes, warnings, ...facts } = minted;
  assert.deepEqual([withheld_scopes, warnings], [[], []]);
  assert.deepEqual(facts, {
    key_id: facts.key_id,
    key_prefix: key.slice(0, 12),
    name: 'ci',
    created_at: '2024-06-01T12:00:00Z',
    expires_at: '2024-06-03T12:00:00Z',
    scopes: ['strategy:read'],
  });
  const listed = await keys.list(ann);
  assert.deepEqual(listed.keys, [
    { id: facts.key_id, ...facts, last_used_at: null, revoked_at: null, is_active: true },
  ]);
  assert.ok(!JSON.stringify(listed).includes(key));
  assert.equal(await store.findApiKeyByHash(key), null);
  assert.equal((await store.findApiKeyByHash(hashOfSecret(key)))?.credential.id, facts.key_id);
});

test('a key counts until its end', async () => {
  const { time, caller, keys, authenticator } = await setUpIdentity();
  const ann = await caller('ann@example.com');
  const { key } = await keys.create(ann, { name: 'ci', expires_days: 1 });
  time.nowMs = T0 + DAY - 1;
  await authenticator.authenticate(bearer(key));
  assert.equal((await keys.list(ann)).keys[0].is_active, true);
  time.nowMs = T0 + DAY;
  await assert.rejects(authenticator.authenticate(bearer(key)), invalidToken);
  assert.equal((await keys.list(ann)).keys[0].is_active, false);
});

test('the last use of a key is written at most once a minute', async () => {
  const identity = await setUpIdentity();
  const { time, caller, keys, authenticator, store } = identity;
  const ann = await caller('ann@example.com');
  const { key } = await keys.create(ann, { name: 'ci' });
  const touches: number[] = [];
  const touch = store.touchApiKey.bind(store);
  store.touchApiKey = (id, atMs) => {
    touches.push((atMs - T0) / SECOND);
    return touch(id, atMs);
  };
  for (const seconds of [0, 1, 29, 31, 59, 60, 61, 119, 120, 500]) {
    time.nowMs = T0 + seconds * SECOND;
    await Promise.all([authenticator.authenticate(bearer(key)), authenticator.authenticate(bearer(key))]);
  }
  assert.deepEqual(touches, [0, 60, 120, 500]);
  assert.equal((await keys.list(ann)).keys[0].last_used_at, '2024-06-01T12:08:20Z');
});
