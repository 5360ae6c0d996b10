import assert from 'node:assert/strict';
import test from 'node:test';
import { hashOfSecret, isApiKey, newApiKey } from '../../../../service/identity/api-keys.js';
import { DAY, invalidToken, SECOND, setUpIdentity, T0 } from '../../../support/identity.js';

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
