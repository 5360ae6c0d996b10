import assert from 'node:assert/strict';
import test from 'node:test';
import { routes } from '../../http/routes/index.js';
import { readAnswer } from '../support/api.js';
import { type RedirectService, startRedirectService } from '../support/redirect-service.js';

let site: RedirectService;
test.before(async () => {
  site = await startRedirectService();
});
test.after(() => site?.stop());

const callbackRoute = routes.find(({ rpc }) => rpc === 'Auth.FinishRedirect') ?? assert.fail('has a route');
const request = (url: string | URL) => fetch(url, { redirect: 'manual' });

/** Acts as a browser: opens the sign-in page and comes back with its answer. */
async function signIn(email: string): Promise<URL> {
  const away = new URL((await request(site.start)).headers.get('location') ?? '');
  away.searchParams.set('login_hint', email);
  return new URL((await request(away)).headers.get('location') ?? '');
}

test('login by redirect leads to the sign-in page, with PKCE', async () => {
  for (const address of [site.start, `${site.start}/`]) {
    const response = await request(address);
    assert.equal(response.status, 302);
    const { origin, searchParams } = new URL(response.headers.get('location') ?? '');
    assert.equal(origin, site.issuer.url);
    assert.equal(searchParams.get('redirect_uri'), site.callback);
    assert.equal(searchParams.get('code_challenge_method'), 'S256');
  }
});

test('the returned code opens a session, once', async () => {
  const back = await signIn('ann@example.com');
  assert.equal(back.origin + back.pathname, site.callback);
  const { body, code } = await readAnswer(callbackRoute, await request(back));
  assert.equal(code, 'OK');
  assert.equal(body.user.email, 'ann@example.com');
  const { body: profile } = await site.service.client.call(
    'Auth.GetProfile',
    {},
    { authorization: `Bearer ${body.access_token}` },
  );
  assert.equal(profile.id, body.user.id);
  const again = await readAnswer(callbackRoute, await request(back));
  assert.deepEqual([again.http?.status, again.code], [400, 'VALIDATION_ERROR']);
});

test('over gRPC the same two steps log in', async () => {
  const { client } = site.service;
  const away = new URL(String((await client.call('Auth.StartRedirect', {})).body.location));
  away.searchParams.set('login_hint', 'ann@example.com');
  const back = new URL((await request(away)).headers.get('location') ?? '');
  const { body } = await client.call('Auth.FinishRedirect', Object.fromEntries(back.searchParams));
  assert.equal((body.login as { user: { email: string } }).user.email, 'ann@example.com');
  assert.equal(body.page, null);
});

test('an ID token in the query logs in; an altered one does not', async () => {
  const id_token = await site.issuer.idToken({ email: 'bob@example.com' });
  const { body } = await readAnswer(callbackRoute, await request(`${site.callback}?id_token=${id_token}`));
  assert.equal(body.user.email, 'bob@example.com');
  const bad = await readAnswer(callbackRoute, await request(`${site.callback}?id_token=${id_token}x`));
  assert.deepEqual([bad.http?.status, bad.code], [401, 'AUTH_REQUIRED']);
});

test('without a token the answer is a page whose own policy allows only its own script', async () => {
  const response = await request(site.callback);
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type') ?? '', /^text\/html/);
  assert.match(response.headers.get('content-security-policy') ?? '', /^default-src 'none'; script-src 'sha256-\S+';/);
  assert.equal(response.headers.get('cache-control'), 'no-store');
  assert.match(await response.text(), /<script>/);
});

test('an error that the sign-in page reports is a refusal', async () => {
  const { http, code, message } = await readAnswer(
    callbackRoute,
    await request(`${site.callback}?error=access_denied`),
  );
  assert.deepEqual([http?.status, code], [400, 'VALIDATION_ERROR']);
  assert.match(message ?? '', /access_denied/);
});
