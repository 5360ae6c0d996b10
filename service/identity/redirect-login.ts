import { createHash } from 'node:crypto';
import type { Configuration } from 'openid-client';
import { clip } from '../../engine/text.js';
import { ApiError } from '../api-error.js';
import type { WallClock } from '../wall-clock.js';
import { isLoopback } from './oidc-issuer.js';
import type { LoginAttempt } from './records.js';
import { badCredential, badValue } from './refusals.js';
import type { LoginAnswer, Sessions } from './sessions.js';
import type { SqlIdentityStore } from './store.js';

/** Loaded by the first login: few servers offer it, and every start would wait for the modules. */
const loadLibrary = () => import('openid-client');

type Library = Awaited<ReturnType<typeof loadLibrary>>;

/** How long a user has to sign in at the issuer. */
const LOGIN_ATTEMPT_MS = 600_000;

const ISSUER_ANSWER_S_MAX = 5;

export interface RedirectSettings {
  /** One of the login issuers, with `clientId` among its audiences. */
  readonly issuer: string;
  readonly clientId: string;
  /** Absent for a public client; then only PKCE protects the code. */
  readonly clientSecret?: string;
  /** The address of `Auth.FinishRedirect`, as registered with the issuer. */
  readonly redirectUri: string;
}

interface RedirectParts {
  readonly store: SqlIdentityStore;
  readonly sessions: Sessions;
  /** Null if login by redirect is not offered. */
  readonly settings: RedirectSettings | null;
  readonly clock: WallClock;
}

interface StartedLogin {
  /** Where to send the browser. */
  readonly location: string;
  /** What the browser keeps until it comes back. */
  readonly browser_key: string;
  /** Where it comes back. */
  readonly callback: string;
}

type CallbackAnswer =
  | { readonly kind: 'login'; readonly answer: LoginAnswer }
  | { readonly kind: 'page'; readonly page: Page };

/**
 * Login through the issuer's own page: authorization code with PKCE, state and nonce, each used
 * once.
 */
export class RedirectLogin {
  readonly #parts: RedirectParts;
  #configuration: Promise<Configuration> | null = null;

  constructor(parts: RedirectParts) {
    this.#parts = parts;
  }

  /**
   * Starts a login and returns the address to send the browser to.
   * @throws ApiError INTERNAL_ERROR if no issuer is configured; another Error if the issuer cannot
   *   be reached
   */
  async start(): Promise<StartedLogin> {
    const { store, clock } = this.#parts;
    const { redirectUri } = this.#requireSettings();
    const oidc = await loadLibrary();
    const configuration = await this.#configure(oidc);
    const nowMs = clock();
    const browserKey = oidc.randomState();
    const attempt: LoginAttempt = {
      state: stateFor(browserKey),
      nonce: oidc.randomNonce(),
      codeVerifier: oidc.randomPKCECodeVerifier(),
      expiresAtMs: nowMs + LOGIN_ATTEMPT_MS,
    };
    await store.saveLoginAttempt(attempt, nowMs);
    const location = oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: redirectUri,
      scope: 'openid email profile',
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(attempt.codeVerifier),
      code_challenge_method: 'S256',
    });
    return { location: location.href, browser_key: browserKey, callback: redirectUri };
  }

  /**
   * Handles what the browser brings back: an error, a code, an ID token, or a fragment that no
   * server can see, which gets the page.
   * @throws ApiError VALIDATION_ERROR for an error of the issuer, an attempt that is not open or
   *   another browser, AUTH_REQUIRED for an invalid code or token, PERMISSION_DENIED
   */
  async finish(query: Readonly<Record<string, unknown>>): Promise<CallbackAnswer> {
    const [error, code, token, state, browserKey] = ['error', 'code', 'id_token', 'state', 'browser_key'].map((name) =>
      readParameter(query, name),
    );
    if (error !== undefined) {
      throw badValue('error', `was sent by the sign-in page: ${clip(error.replace(/[^\w .-]/g, ''), 80)}`);
    }
    const { sessions } = this.#parts;
    if (code !== undefined) {
      const attempt = await this.#takeAttempt(state, browserKey);
      const idToken = await this.#redeem(code, attempt, query);
      return { kind: 'login', answer: await sessions.login({ idp_token: idToken }, attempt.nonce) };
    }
    if (token === undefined) return { kind: 'page', page: callbackPage };
    const nonce = state === undefined ? undefined : (await this.#takeAttempt(state, browserKey)).nonce;
    return { kind: 'login', answer: await sessions.login({ idp_token: token }, nonce) };
  }

  async #takeAttempt(state: string | undefined, browserKey: string | undefined): Promise<LoginAttempt> {
    const isState = state !== undefined && /^[\w-]{43}$/.test(state);
    if (isState && (browserKey === undefined || stateFor(browserKey) !== state)) {
      const { settings } = this.#parts;
      const where = settings === null ? '' : ` at ${new URL(settings.redirectUri).origin}`;
      throw badValue('state', `must come back to the browser that began the login; start again${where}`);
    }
    const attempt = !isState ? null : await this.#parts.store.takeLoginAttempt(state);
    if (attempt === null || this.#parts.clock() >= attempt.expiresAtMs) {
      throw badValue('state', 'must belong to a login that was started here recently and is not finished; start again');
    }
    return attempt;
  }

  /** Redeems a code for an ID token. Login then verifies the token, like any other. */
  async #redeem(code: string, attempt: LoginAttempt, query: Readonly<Record<string, unknown>>): Promise<string> {
    const { redirectUri } = this.#requireSettings();
    const address = new URL(redirectUri);
    address.searchParams.set('code', code);
    address.searchParams.set('state', attempt.state);
    const issuer = readParameter(query, 'iss');
    if (issuer !== undefined) address.searchParams.set('iss', issuer);
    const checks = {
      pkceCodeVerifier: attempt.codeVerifier,
      expectedState: attempt.state,
      expectedNonce: attempt.nonce,
      idTokenExpected: true,
    };
    const oidc = await loadLibrary();
    const configuration = await this.#configure(oidc);
    try {
      const tokens = await oidc.authorizationCodeGrant(configuration, address, checks);
      if (tokens.id_token !== undefined) return tokens.id_token;
    } catch (error) {
      if (!isRefusal(error, oidc)) throw error;
    }
    throw badCredential();
  }

  #requireSettings(): RedirectSettings {
    const { settings } = this.#parts;
    if (settings !== null) return settings;
    throw new ApiError('INTERNAL_ERROR', 'Login by redirect is not configured on this server');
  }

  /** The issuer's discovery document, fetched once; a failure is not kept. */
  #configure(oidc: Library): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.#requireSettings();
    const url = new URL(issuer);
    const isPlain = url.protocol === 'http:' && isLoopback(url);
    this.#configuration ??= oidc
      .discovery(
        url,
        clientId,
        undefined,
        clientSecret === undefined ? oidc.None() : oidc.ClientSecretPost(clientSecret),
        {
          timeout: ISSUER_ANSWER_S_MAX,
          execute: isPlain ? [oidc.allowInsecureRequests] : [],
        },
      )
      .catch((error) => {
        this.#configuration = null;
        throw error;
      });
    return this.#configuration;
  }
}

/**
 * The state of a login is a hash of a key that only the browser that began it keeps. Otherwise a
 * link with the code of a stranger would log its reader in as that stranger.
 */
const stateFor = (browserKey: string): string => createHash('sha256').update(browserKey).digest('base64url');

/**
 * Whether the issuer or the library refused the code or token. Any other error is a problem between
 * the servers.
 */
function isRefusal(error: unknown, oidc: Library): boolean {
  if (error instanceof oidc.AuthorizationResponseError) return true;
  if (error instanceof oidc.ResponseBodyError) return error.error === 'invalid_grant';
  const refusals = ['OAUTH_JWT_CLAIM_COMPARISON_FAILED', 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED', 'OAUTH_INVALID_RESPONSE'];
  return error instanceof oidc.ClientError && refusals.includes(error.code ?? '');
}

function readParameter(query: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = Object.hasOwn(query, name) ? query[name] : undefined;
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') throw badValue(name, 'must be given once');
  return value;
}

/**
 * Runs in the browser when an issuer answers in the fragment, which never reaches a server. It
 * reloads the same path with the token in the query and takes nothing else along: neither the host
 * nor the path comes from the fragment.
 */
const script = `
const given = new URLSearchParams(location.hash.slice(1));
const kept = new URLSearchParams();
for (const name of ['id_token', 'state', 'error']) if (given.has(name)) kept.set(name, given.get(name));
if (kept.has('id_token') || kept.has('error')) location.replace(location.pathname + '?' + kept);
else document.getElementById('message').textContent = 'No sign-in token was found. Please start again.';
`;

const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Signing in</title></head>
<body><p id="message">Signing in ...</p><noscript>Signing in needs JavaScript.</noscript><script>${script}</script></body>
</html>
`;

interface Page {
  readonly html: string;
  readonly headers: Readonly<Record<string, string>>;
}

const scriptHash = createHash('sha256').update(script).digest('base64');

/**
 * The page that moves a token from the fragment to the query. Its policy allows only this script,
 * by hash.
 */
export const callbackPage: Page = {
  html,
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `default-src 'none'; script-src 'sha256-${scriptHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    'Referrer-Policy': 'no-referrer',
    'Cache-Control': 'no-store',
  },
};
