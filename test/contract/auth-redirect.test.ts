import assert from 'node:assert/strict';
import test from 'node:test';
import { routes } from '../../http/routes.js';
import { readAnswer } from '../support/api.js';
import { type RedirectService, startRedirectService } from '../support/redirect-service.js';

let site: RedirectService;
test.before(async () => {
  site = await startRedirectService();
});
test.after(() => site?.stop());

const callbackRoute = routes.find(({ rpc }) => rpc === 'Auth.FinishRedirect') ?? assert.fail('has a route');
const request = (url: string | URL, cookie = '') => fetch(url, { redirect: 'manual', headers: { cookie } });

/** Acts as a browser: opens the sign-in page and comes back with its answer and its own cookie. */
async function signIn(email: string): Promise<{ back: URL; cookie: string }> {
  const started = await request(site.start);
  const [cookie = ''] = (started.headers.get('set-cookie') ?? '').split(';');
  const away = new URL(started.headers.get('location') ?? '');
  away.searchParams.set('login_hint', email);
  return { back: new URL((await request(away)).headers.get('location') ?? ''), cookie };
}

test('login by redirect leads to the sign-in page, with PKCE and a cookie for the callback alone', async () => {
  const response = await request(site.start);
  assert.equal(response.status, 302);
  const { origin, searchParams } = new URL(response.headers.get('location') ?? '');
  assert.deepEqual([origin, searchParams.get('redirect_uri')], [site.issuer.url, site.callback]);
  assert.equal(searchParams.get('code_challenge_method'), 'S256');
  const cookie = response.headers.get('set-cookie') ?? '';
  assert.match(cookie, /^barline_login=[\w-]{43}; Max-Age=600; Path=\/api\/v1\/auth\/callback; /);
  assert.match(cookie, /; HttpOnly; SameSite=Lax$/);
});

test('a link to the callback of a stranger logs no other browser in', async () => {
  const theirs = await signIn('stranger@example.com');
  const mine = await signIn('ann@example.com');
  const key = theirs.cookie.split('=')[1] ?? '';
  const withKey = new URL(theirs.back);
  withKey.searchParams.set('browser_key', key);
  for (const [url, cookie] of [
    [theirs.back, ''],
    [theirs.back, mine.cookie],
    [theirs.back, `other=${key}`],
    [withKey, ''],
  ] as const) {
    const { http, code, message } = await readAnswer(callbackRoute, await request(url, cookie));
    assert.deepEqual([http?.status, code], [400, 'VALIDATION_ERROR']);
    assert.match(message ?? '', /^state must come back to the browser that began the login; start again at http/);
  }
  assert.equal((await readAnswer(callbackRoute, await request(theirs.back, theirs.cookie))).code, 'OK');
});

test('no answer with a token or a key is stored on its way', async () => {
  const { origin } = site.service;
  const post = (path: string, body: object, token = '') =>
    fetch(`${origin}/api/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token === '' ? {} : { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });
  const login = await post('/auth/login', { idp_token: await site.issuer.idToken({ email: 'cat@example.com' }) });
  const session = (await login.json()) as { access_token: string; refresh_token: string };
  const answers = [
    login,
    await post('/auth/refresh', { refresh_token: session.refresh_token }),
    await post('/auth/api-keys', { name: 'mine' }, session.access_token),
    await request(site.start),
  ];
  for (const { status, url, headers } of answers) {
    assert.ok(status < 400, url);
    assert.equal(headers.get('cache-control'), 'no-store', url);
  }
});
