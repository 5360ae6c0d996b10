import assert from 'node:assert/strict';
import test from 'node:test';
import { decodeJwt, SignJWT } from 'jose';
import { AccessTokens, openOperatorSession } from '../../../../service/identity/index.js';
import { DAY, HOUR, invalidToken, noToken, SECOND, setUpIdentity, T0 } from '../../../support/identity.js';

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

test('a one-time token opens its session once, within an hour, and is no refresh token', async () => {
  const { time, sessions, store, authenticator } = await setUpIdentity();
  const open = () => openOperatorSession(store, { email: 'operator@localhost', tier: 'free', atMs: time.nowMs });
  const { token, principal } = await open();
  await assert.rejects(sessions.refresh({ refresh_token: token }), invalidToken);
  const both = await Promise.allSettled([1, 2].map(() => sessions.exchange({ one_time_token: token })));
  const [taken, ...others] = both.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  assert.ok(taken !== undefined && others.length === 0);
  assert.equal(taken.user.email, 'operator@localhost');
  assert.equal((await authenticator.authenticate(bearer(taken.access_token))).orgId, principal.organization.id);
  await sessions.refresh({ refresh_token: taken.refresh_token });
  await assert.rejects(sessions.exchange({ one_time_token: taken.refresh_token }), invalidToken);
  const late = await open();
  time.nowMs += HOUR;
  await assert.rejects(sessions.exchange({ one_time_token: late.token }), invalidToken);
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
