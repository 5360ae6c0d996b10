import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { hashOfSecret, isApiKey, newApiKey } from '../../../../service/identity/api-key-format.js';
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

test('keys differ, and use all digits about equally often', () => {
  const keys = Array.from({ length: 2_000 }, () => newApiKey('local').key);
  assert.equal(new Set(keys).size, keys.length);
  const counts = new Map<string, number>();
  for (const key of keys) for (const digit of key.slice(6, 38)) counts.set(digit, (counts.get(digit) ?? 0) + 1);
  assert.equal(counts.size, 62);
  const expected = (2_000 * 32) / 62;
  for (const [digit, count] of counts) assert.ok(Math.abs(count - expected) < 0.25 * expected, `${digit}: ${count}`);
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

test('a key without scopes or end has neither', async () => {
  const { caller, keys } = await setUpIdentity();
  const ann = await caller('ann@example.com');
  for (const request of [{ name: 'a' }, { name: 'a', scopes: [], expires_days: null }, { name: 'a', scopes: null }]) {
    const minted = await keys.create(ann, request);
    assert.deepEqual([minted.scopes, minted.expires_at], [[], null]);
  }
});

const badRequests: readonly (readonly [code: string, request: object])[] = [
  ['MISSING_FIELD', {}],
  ['MISSING_FIELD', { name: null }],
  ['VALIDATION_ERROR', { name: '' }],
  ['VALIDATION_ERROR', { name: 7 }],
  ['VALIDATION_ERROR', { name: 'x'.repeat(201) }],
  ['VALIDATION_ERROR', { name: 'a\u0000' }],
  ['VALIDATION_ERROR', { name: 'a', scopes: 'strategy:read' }],
  ['VALIDATION_ERROR', { name: 'a', scopes: [7] }],
  ['VALIDATION_ERROR', { name: 'a', scopes: [['strategy:read']] }],
  ['VALIDATION_ERROR', { name: 'a', scopes: {} }],
  ['VALIDATION_ERROR', { name: 'a', scopes: [''] }],
  ['VALIDATION_ERROR', { name: 'a', scopes: Array(101).fill('x') }],
  ['VALIDATION_ERROR', { name: 'a', expires_days: 0 }],
  ['VALIDATION_ERROR', { name: 'a', expires_days: -1 }],
  ['VALIDATION_ERROR', { name: 'a', expires_days: 1.5 }],
  ['VALIDATION_ERROR', { name: 'a', expires_days: '7' }],
  ['VALIDATION_ERROR', { name: 'a', expires_days: 3_651 }],
  ['VALIDATION_ERROR', { name: 'a', expires_days: 1e300 }],
  ['VALIDATION_ERROR', { name: 'a', expires_days: Number.NaN }],
];

for (const [code, request] of badRequests) {
  test(`minting refuses ${JSON.stringify(request).slice(0, 60)} with ${code}`, async () => {
    const { caller, keys } = await setUpIdentity();
    await assert.rejects(keys.create(await caller('ann@example.com'), request), { code });
  });
}

test('a key cannot mint a key', async () => {
  const { caller, keys, authenticator } = await setUpIdentity();
  const { key } = await keys.create(await caller('ann@example.com'), { name: 'ci' });
  const robot = await authenticator.authenticate(bearer(key));
  assert.equal(robot.credential, 'key');
  await assert.rejects(keys.create(robot, { name: 'more' }), { code: 'PERMISSION_DENIED' });
  assert.equal((await keys.list(robot)).keys.length, 1);
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

test('a revoked key is refused at once, even if it was just used, and stays listed', async () => {
  const { time, caller, keys, authenticator, changes } = await setUpIdentity();
  const ann = await caller('ann@example.com');
  const { key, key_id: id } = await keys.create(ann, { name: 'ci' });
  await authenticator.authenticate(bearer(key));
  const { message } = await keys.revoke(ann, id);
  assert.ok(!message.includes(key));
  await assert.rejects(authenticator.authenticate(bearer(key)), invalidToken);
  assert.deepEqual(changes, [{ kind: 'credential', id }]);
  time.nowMs += DAY;
  await keys.revoke(ann, id.toUpperCase());
  const [listed] = (await keys.list(ann)).keys;
  assert.deepEqual([listed.revoked_at, listed.is_active], ['2024-06-01T12:00:00Z', false]);
});

test('only the owner of a key sees and revokes it; others learn nothing', async () => {
  const { caller, keys, authenticator } = await setUpIdentity();
  const [ann, bob] = [await caller('ann@example.com'), await caller('bob@example.com')];
  const { key, key_id: id } = await keys.create(ann, { name: 'ci' });
  assert.deepEqual(await keys.list(bob), { keys: [] });
  const refusals = await Promise.all(
    [id, randomUUID(), 'no-uuid', ''].map((each) => keys.revoke(bob, each).catch((error) => error)),
  );
  assert.deepEqual(
    refusals.map(({ code }) => code),
    Array(4).fill('RESOURCE_NOT_FOUND'),
  );
  assert.equal(refusals[0].message, `API key ${id} not found`);
  assert.equal((await authenticator.authenticate(bearer(key))).userId, ann.userId);
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
