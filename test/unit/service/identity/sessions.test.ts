import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { decodeJwt, SignJWT } from 'jose';
import { AccessTokens, getProfile, isAdmin, updateProfile } from '../../../../service/identity/index.js';
import {
  DAY,
  developmentToken,
  HOUR,
  invalidToken,
  noToken,
  SECOND,
  setUpIdentity,
  T0,
} from '../../../support/identity.js';

const bearer = (token: string) => `Bearer ${token}`;

test('the first login makes the user owner of an organization; the next one finds both again', async () => {
  const identity = await setUpIdentity();
  const first = await identity.login('ann@example.com');
  assert.deepEqual(Object.keys(first).sort(), ['access_token', 'expires_in', 'refresh_token', 'token_type', 'user']);
  assert.equal(first.token_type, 'Bearer');
  assert.equal(first.expires_in, 3600);
  assert.deepEqual([first.user.name, first.user.email], ['ann', 'ann@example.com']);
  const second = await identity.login('ann@example.com');
  assert.deepEqual(second.user, first.user);
  assert.notEqual(second.refresh_token, first.refresh_token);
  assert.equal((await identity.caller('ann@example.com')).role, 'owner');
  assert.notEqual((await identity.login('bob@example.com')).user.org_id, first.user.org_id);
});

test('a login reads its token under either name and names the fault of a request', async () => {
  const { sessions, idToken } = await setUpIdentity();
  const token = await idToken('ann@example.com');
  assert.equal((await sessions.login({ firebase_token: token })).user.email, 'ann@example.com');
  assert.equal((await sessions.login({ idp_token: null, firebase_token: token })).user.email, 'ann@example.com');
  const missing = { code: 'MISSING_FIELD', message: 'Missing required field: idp_token' };
  await assert.rejects(sessions.login({}), missing);
  await assert.rejects(sessions.login({ idp_token: null }), missing);
  await assert.rejects(sessions.login({ idp_token: { a: 1 } }), { code: 'VALIDATION_ERROR' });
  for (const bad of ['', 'garbage', `${token}x`])
    await assert.rejects(sessions.login({ idp_token: bad }), invalidToken);
  await assert.rejects(sessions.login({ idp_token: await developmentToken('a@example.com', {}) }), invalidToken);
});

test('a refusal tells how to send a credential, but not why this one is refused', async () => {
  const { sessions } = await setUpIdentity();
  await assert.rejects(sessions.login({ idp_token: 'garbage' }), (error: { details: Record<string, string> }) => {
    assert.deepEqual(Object.keys(error.details).sort(), ['docs', 'hint']);
    assert.match(error.details.hint, /Authorization: Bearer/);
    return true;
  });
});

test('an access token holds for an hour', async () => {
  const { time, login, authenticator } = await setUpIdentity();
  const { access_token: token } = await login('ann@example.com');
  time.nowMs += HOUR - 1;
  assert.equal((await authenticator.authenticate(bearer(token))).credential, 'session');
  time.nowMs += 1;
  await assert.rejects(authenticator.authenticate(bearer(token)), invalidToken);
});

test('a refresh token can be used repeatedly for 30 days, and no longer', async () => {
  const { time, login, sessions, authenticator } = await setUpIdentity();
  const { refresh_token } = await login('ann@example.com');
  for (const days of [0, 1, 28]) {
    time.nowMs += days * DAY;
    const { access_token: token, expires_in } = await sessions.refresh({ refresh_token });
    assert.equal(expires_in, 3600);
    assert.equal((await authenticator.authenticate(bearer(token))).credential, 'session');
  }
  time.nowMs = T0 + 30 * DAY - 10 * SECOND;
  const last = await sessions.refresh({ refresh_token });
  assert.equal(last.expires_in, 10);
  assert.equal(decodeJwt(last.access_token).exp, (T0 + 30 * DAY) / SECOND);
  time.nowMs = T0 + 30 * DAY;
  await assert.rejects(sessions.refresh({ refresh_token }), invalidToken);
  await assert.rejects(authenticator.authenticate(bearer(last.access_token)), invalidToken);
});

test('a refresh without a valid token is refused', async () => {
  const { sessions, login } = await setUpIdentity();
  const { access_token } = await login('ann@example.com');
  await assert.rejects(sessions.refresh({}), { code: 'MISSING_FIELD' });
  await assert.rejects(sessions.refresh({ refresh_token: 7 }), { code: 'VALIDATION_ERROR' });
  for (const bad of ['', 'x', access_token, 'x'.repeat(10_000)]) {
    await assert.rejects(sessions.refresh({ refresh_token: bad }), invalidToken);
  }
});

test('logging out ends the access tokens and the refresh token of that session, and of no other', async () => {
  const { login, sessions, authenticator, changes } = await setUpIdentity();
  const here = await login('ann@example.com');
  const there = await login('ann@example.com');
  const caller = await authenticator.authenticate(bearer(here.access_token));
  await sessions.logout(caller);
  await assert.rejects(authenticator.authenticate(bearer(here.access_token)), invalidToken);
  await assert.rejects(sessions.refresh({ refresh_token: here.refresh_token }), invalidToken);
  assert.equal((await authenticator.authenticate(bearer(there.access_token))).userId, caller.userId);
  await sessions.refresh({ refresh_token: there.refresh_token });
  assert.deepEqual(changes, [{ kind: 'credential', id: caller.credentialId }]);
});

test('access tokens of another server, another kind or another algorithm do not count', async () => {
  const { login, authenticator, clock, store } = await setUpIdentity();
  const { access_token: token } = await login('ann@example.com');
  const { sid, sub } = decodeJwt(token);
  const secret = new TextEncoder().encode('a server secret of at least 32 bytes');
  const sign = (typ: string, key: Uint8Array, alg = 'HS256', audience = 'barline') =>
    new SignJWT({ sid, sub: sub as string })
      .setProtectedHeader({ alg, typ })
      .setIssuer('barline')
      .setAudience(audience)
      .setExpirationTime(T0 / SECOND + 60)
      .sign(key);
  assert.equal((await authenticator.authenticate(bearer(await sign('at+jwt', secret)))).userId, sub);
  const bad = [
    await sign('JWT', secret),
    await sign('at+jwt', secret, 'HS512'),
    await sign('at+jwt', secret, 'HS256', 'other'),
    await sign('at+jwt', new TextEncoder().encode('some other secret of at least 32 bytes')),
  ];
  for (const each of bad) await assert.rejects(authenticator.authenticate(bearer(each)), invalidToken);
  const elsewhere = new AccessTokens('some other secret of at least 32 bytes', clock);
  const session = (await store.findSession(sid as string))!.credential;
  const foreign = (await elsewhere.mint(session)).token;
  await assert.rejects(authenticator.authenticate(bearer(foreign)), invalidToken);
  assert.throws(() => new AccessTokens('short', clock), /at least 32 bytes, had 5/);
});

test('a missing credential and a bad one give different errors', async () => {
  const { authenticator } = await setUpIdentity();
  for (const header of [undefined, '', 'Bearer', 'Bearer ', 'Basic abc', 'Bearer a b', 'token']) {
    await assert.rejects(authenticator.authenticate(header), noToken, String(header));
  }
  for (const token of ['x', 'a.b.c', 'local_x', 'x'.repeat(50_000), 'e30.e30.e30', 'null', '__proto__']) {
    await assert.rejects(authenticator.authenticate(bearer(token)), invalidToken, token.slice(0, 20));
  }
});

test('a session moves to another organization of its user and acts there', async () => {
  const { login, caller, sessions, authenticator, members } = await setUpIdentity();
  const host = await caller('host@example.com');
  const guestLogin = await login('guest@example.com');
  const guest = await authenticator.authenticate(bearer(guestLogin.access_token));
  const unknown = { code: 'RESOURCE_NOT_FOUND' };
  await assert.rejects(sessions.switchOrganization(guest, { org_id: host.orgId }), unknown);
  await assert.rejects(sessions.switchOrganization(guest, { org_id: randomUUID() }), unknown);
  await assert.rejects(sessions.switchOrganization(guest, { org_id: { toString: 1 } }), unknown);
  await assert.rejects(sessions.switchOrganization(guest, {}), { code: 'MISSING_FIELD' });
  await members.add(host, host.orgId, { user_id: guest.userId, role: 'viewer' });
  const moved = await sessions.switchOrganization(guest, { org_id: host.orgId });
  assert.equal(moved.user.org_id, host.orgId);
  for (const token of [moved.access_token, guestLogin.access_token]) {
    const acting = await authenticator.authenticate(bearer(token));
    assert.deepEqual([acting.orgId, acting.role], [host.orgId, 'viewer']);
  }
});

test('a profile is read and renamed; an invalid name is refused', async () => {
  const { caller, store } = await setUpIdentity();
  const ann = await caller('ann@example.com');
  const profile = await getProfile(store, ann);
  assert.deepEqual(profile, {
    id: ann.userId,
    name: 'ann',
    email: 'ann@example.com',
    org_id: ann.orgId,
    created_at: '2024-06-01T12:00:00Z',
    role: 'owner',
    tier: 'local',
  });
  assert.deepEqual(await updateProfile(store, ann, { name: ' Ann B. ' }), { ...profile, name: 'Ann B.' });
  assert.deepEqual(await updateProfile(store, ann, {}), { ...profile, name: 'Ann B.' });
  assert.equal((await updateProfile(store, ann, { name: null })).name, 'Ann B.');
  for (const name of ['', '  ', 7, {}, [], true, 'a\u0000b', 'a\ud800', 'x'.repeat(201)]) {
    await assert.rejects(updateProfile(store, ann, { name }), { code: 'VALIDATION_ERROR', message: /^name must/ });
  }
  assert.equal((await updateProfile(store, ann, { name: '😀'.repeat(100) })).name, '😀'.repeat(100));
});

test('owners and admins are administrators', async () => {
  const { caller } = await setUpIdentity();
  const ann = await caller('ann@example.com');
  const answers = (['owner', 'admin', 'member', 'viewer'] as const).map((role) => isAdmin({ ...ann, role }).is_admin);
  assert.deepEqual(answers, [true, true, false, false]);
});
