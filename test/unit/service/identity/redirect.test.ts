import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test, { after, before } from 'node:test';
import { type LocalIssuer, startLocalIssuer } from '../../../../server/local-issuer.js';
import { callbackPage, type RedirectLogin } from '../../../../service/identity/redirect-login.js';
import { invalidToken, setUpIdentity } from '../../../support/identity.js';

const redirectUri = 'http://localhost:5001/api/v1/auth/callback';
const clientId = 'barline-dev';

/** The library that redeems codes uses the system's clock, so these tests begin there. */
const startMs = Date.now();
const issuerTime = { nowMs: startMs };
let issuer: LocalIssuer;
before(async () => {
  const clock = () => issuerTime.nowMs;
  issuer = await startLocalIssuer({ port: 0, clientId, redirectUris: [redirectUri], clock });
});
after(() => issuer.close());

const setUp = () =>
  setUpIdentity({
    nowMs: startMs,
    issuers: [{ issuer: issuer.url, audiences: [clientId] }],
    redirect: { issuer: issuer.url, clientId, redirectUri },
  });

/**
 * Follows the redirect like a browser whose user signs in; returns the query or fragment for the
 * callback.
 */
async function signIn(location: string, changes: Readonly<Record<string, string>> = {}): Promise<URL> {
  const url = new URL(location);
  for (const [name, value] of Object.entries({ login_hint: 'ann@example.com', ...changes })) {
    url.searchParams.set(name, value);
  }
  const response = await fetch(url, { redirect: 'manual' });
  assert.equal(response.status, 302, await response.text());
  return new URL(response.headers.get('location') ?? '');
}

const queryOf = (url: URL) => Object.fromEntries(url.searchParams);
const stateIn = (location: string) => new URL(location).searchParams.get('state');

/** Starts a login and comes back from the sign-in page, with the key that the browser keeps. */
async function comeBack(redirect: RedirectLogin, changes: Readonly<Record<string, string>> = {}) {
  const { location, browser_key } = await redirect.start();
  return { ...queryOf(await signIn(location, changes)), browser_key };
}

const otherBrowser = {
  code: 'VALIDATION_ERROR',
  message: 'state must come back to the browser that began the login; start again at http://localhost:5001',
};
const notOpen = { code: 'VALIDATION_ERROR', message: /^state must belong to a login that was started here/ };

test('a redirect carries PKCE, state and nonce, new ones each time', async () => {
  const { redirect } = await setUp();
  const urls = [new URL((await redirect.start()).location), new URL((await redirect.start()).location)];
  const { searchParams: query, origin, pathname } = urls[0];
  assert.equal(origin + pathname, `${issuer.url}/authorize`);
  const fixed = ['client_id', 'redirect_uri', 'response_type', 'scope', 'code_challenge_method'].map((k) =>
    query.get(k),
  );
  assert.deepEqual(fixed, [clientId, redirectUri, 'code', 'openid email profile', 'S256']);
  for (const name of ['state', 'nonce', 'code_challenge']) {
    assert.match(query.get(name) ?? '', /^[\w-]{43}$/);
    assert.notEqual(query.get(name), urls[1].searchParams.get(name));
  }
});

test('the returned code logs in, once', async () => {
  const { redirect, authenticator } = await setUp();
  const started = await redirect.start();
  const url = await signIn(started.location);
  assert.deepEqual([url.origin + url.pathname, started.callback], [redirectUri, redirectUri]);
  const back = { ...queryOf(url), browser_key: started.browser_key };
  const finished = await redirect.finish(back);
  assert.equal(finished.kind, 'login');
  const answer = finished.kind === 'login' ? finished.answer : assert.fail();
  assert.deepEqual([answer.user.email, answer.user.name], ['ann@example.com', 'ann']);
  assert.equal((await authenticator.authenticate(`Bearer ${answer.access_token}`)).userId, answer.user.id);
  await assert.rejects(redirect.finish(back), notOpen);
});

test('a code counts only with the state that it came with, while the login is open', async () => {
  const { redirect, time } = await setUp();
  const back = (await comeBack(redirect)) as Record<string, string>;
  const { code, browser_key } = back;
  await assert.rejects(redirect.finish({ code, browser_key }), notOpen);
  for (const state of ['x', 'a\u0000']) await assert.rejects(redirect.finish({ code, state, browser_key }), notOpen);
  await assert.rejects(redirect.finish({ code, state: 'x'.repeat(43), browser_key }), otherBrowser);
  time.nowMs += 600_000;
  await assert.rejects(redirect.finish(back), notOpen);
});

test('a login ends in the browser that began it, and a try elsewhere does not use it up', async () => {
  const { redirect } = await setUp();
  const [mine, theirs] = [await comeBack(redirect), await comeBack(redirect)];
  const { browser_key, ...link } = theirs;
  await assert.rejects(redirect.finish(link), otherBrowser);
  await assert.rejects(redirect.finish({ ...link, browser_key: mine.browser_key }), otherBrowser);
  await assert.rejects(redirect.finish({ ...link, code: undefined, id_token: 'x' }), otherBrowser);
  assert.equal((await redirect.finish({ ...link, browser_key })).kind, 'login');
});

test('a code of another login does not count, because it belongs to another challenge', async () => {
  const { redirect } = await setUp();
  const [mine, theirs] = [(await comeBack(redirect)) as Record<string, string>, await redirect.start()];
  const { location, browser_key } = theirs;
  await assert.rejects(redirect.finish({ code: mine.code, state: stateIn(location), browser_key }), invalidToken);
});

test('an answer with another nonce does not count', async () => {
  const { redirect } = await setUp();
  const back = await comeBack(redirect, { nonce: 'replayed' });
  await assert.rejects(redirect.finish(back), invalidToken);
});

test('a token in the query logs in; with a state it must carry the nonce of that login', async () => {
  const { redirect } = await setUp();
  const plain = await redirect.finish({ id_token: await issuer.idToken({ email: 'bob@example.com' }) });
  assert.equal(plain.kind === 'login' && plain.answer.user.email, 'bob@example.com');
  const { location, browser_key } = await redirect.start();
  const nonce = new URL(location).searchParams.get('nonce') ?? '';
  const id_token = await issuer.idToken({ email: 'bob@example.com', nonce });
  const back = { id_token, state: stateIn(location), browser_key };
  assert.equal((await redirect.finish(back)).kind, 'login');
  await assert.rejects(redirect.finish(back), notOpen);
  const other = await redirect.start();
  const otherBack = { id_token, state: stateIn(other.location), browser_key: other.browser_key };
  await assert.rejects(redirect.finish(otherBack), invalidToken);
  await assert.rejects(redirect.finish({ id_token: 'garbage' }), invalidToken);
});

test('an error of the sign-in page is passed on in letters only', async () => {
  const { redirect } = await setUp();
  await assert.rejects(redirect.finish({ error: 'access_denied', code: 'x', id_token: 'y' }), {
    code: 'VALIDATION_ERROR',
    message: 'error was sent by the sign-in page: access_denied',
  });
  await assert.rejects(redirect.finish({ error: '<script>\r\n' }), { message: /: script$/ });
});

test('without an answer in the query, a page reads the fragment', async () => {
  const { redirect } = await setUp();
  for (const query of [{}, { state: 'x' }, { id_token: '' }, JSON.parse('{"__proto__": {"code": "x"}}')]) {
    assert.deepEqual(await redirect.finish(query), { kind: 'page', page: callbackPage });
  }
});

test('the page runs its own script and nothing else, and can only reload its own path', () => {
  const { html, headers } = callbackPage;
  const scripts = [...html.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script]) => script);
  assert.equal(scripts.length, 1);
  const hash = createHash('sha256').update(scripts[0]).digest('base64');
  const policy = headers['Content-Security-Policy'];
  assert.match(policy, /^default-src 'none'; /);
  assert.ok(policy.includes(`script-src 'sha256-${hash}';`));
  assert.ok(!policy.includes('unsafe'));

  const run = (hash: string) => {
    const message = { textContent: '' };
    const visited: string[] = [];
    const location = { hash, pathname: '/api/v1/auth/callback', replace: (to: string) => visited.push(to) };
    new Function('location', 'document', scripts[0])(location, { getElementById: () => message });
    return { visited, message: message.textContent };
  };
  const moved = run('#access_token=a&id_token=h.p.s&state=st%26x&redirect=https://evil.test');
  assert.deepEqual(moved, { visited: ['/api/v1/auth/callback?id_token=h.p.s&state=st%26x'], message: '' });
  assert.deepEqual(run('#error=access_denied').visited, ['/api/v1/auth/callback?error=access_denied']);
  for (const fragment of ['', '#', '#state=x', '#//evil.test']) {
    assert.deepEqual(run(fragment).visited, []);
    assert.match(run(fragment).message, /No sign-in token/);
  }
});

test('without a configured issuer there is no redirect; an unreachable one is a failure until it is back', async (t) => {
  await assert.rejects((await setUpIdentity()).redirect.start(), { code: 'INTERNAL_ERROR', message: /not configured/ });
  const gone = await startLocalIssuer({ port: 0, clientId, redirectUris: [redirectUri], clock: Date.now });
  await gone.close();
  const { redirect } = await setUpIdentity({ redirect: { issuer: gone.url, clientId, redirectUri } });
  await assert.rejects(redirect.start(), (error: { code?: string }) => error.code !== 'VALIDATION_ERROR');
  const port = Number(new URL(gone.url).port);
  const back = await startLocalIssuer({ port, clientId, redirectUris: [redirectUri], clock: Date.now });
  t.after(() => back.close());
  assert.ok((await redirect.start()).location.startsWith(gone.url));
});
