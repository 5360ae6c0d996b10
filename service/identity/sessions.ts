import { createSecretKey, type KeyObject, randomBytes } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import { isUuid } from '../../data/state/index.js';
import { quote } from '../../engine/errors.js';
import { ApiError, notFound, requireFields } from '../api-error.js';
import type { Caller } from '../caller.js';
import type { WallClock } from '../wall-clock.js';
import { hashOfSecret } from './api-keys.js';
import type { CredentialCache } from './credential-cache.js';
import type { IdTokens } from './id-tokens.js';
import { TokenRefused } from './oidc-issuer.js';
import type { Principal, Session } from './records.js';
import { badCredential, badValue } from './refusals.js';
import { authorise } from './scopes.js';
import type { SqlIdentityStore } from './store.js';

/** Lifetime of a session and its refresh token. Refreshing does not extend it. */
const SESSION_MS = 30 * 86_400_000;

const REFRESH_CHARS_MAX = 200;

/** Time in which a one-time token can be exchanged for its session. */
const ONE_TIME_MS = 3_600_000;

/** A one-time token is no refresh token: each is stored under a hash of its own kind. */
const hashOfOneTime = (token: string): string => hashOfSecret(`one-time ${token}`);

interface SessionParts {
  readonly store: SqlIdentityStore;
  readonly idTokens: IdTokens;
  readonly accessTokens: AccessTokens;
  readonly cache: CredentialCache;
  /** Tier of new organizations. */
  readonly tier: string;
  readonly clock: WallClock;
}

interface AccessAnswer {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  /** Seconds. */
  readonly expires_in: number;
}

interface UserAnswer {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly org_id: string;
}

export interface LoginAnswer extends AccessAnswer {
  /** Can be used as often as needed until the session ends. */
  readonly refresh_token: string;
  readonly user: UserAnswer;
}

interface LoginRequest {
  readonly idp_token?: unknown;
  /** Another name of `idp_token`. */
  readonly firebase_token?: unknown;
}

/** The life of sessions: login, refresh, logout. */
export class Sessions {
  readonly #parts: SessionParts;

  constructor(parts: SessionParts) {
    this.#parts = parts;
  }

  /**
   * Opens a session for the user that an ID token names. The first login creates the user and their
   * organization.
   * @param nonce what the token must carry, if a redirect sent one
   * @throws ApiError MISSING_FIELD, VALIDATION_ERROR, AUTH_REQUIRED, or PERMISSION_DENIED for an
   *   address that is not on the allowlist
   */
  async login(request: LoginRequest, nonce?: string): Promise<LoginAnswer> {
    const token = request.idp_token ?? request.firebase_token;
    requireFields({ idp_token: token }, ['idp_token']);
    if (typeof token !== 'string') throw badValue('idp_token', 'must be a text');
    const { store, clock, tier } = this.#parts;
    const identity = await this.#identify(token, nonce);
    if (!(await store.isAllowed(identity.email))) {
      throw new ApiError('PERMISSION_DENIED', 'This e-mail address is not on the allowlist of this server');
    }
    const refreshToken = newToken();
    const atMs = clock();
    const { session, principal } = await store.signIn({
      identity,
      tier,
      refreshHash: hashOfSecret(refreshToken),
      atMs,
      expiresAtMs: atMs + SESSION_MS,
    });
    return { ...(await this.#access(session)), refresh_token: refreshToken, user: toUser(principal) };
  }

  /** @throws ApiError MISSING_FIELD, VALIDATION_ERROR, AUTH_REQUIRED */
  async refresh(request: { readonly refresh_token?: unknown }): Promise<AccessAnswer> {
    const { credential } = await this.#openSession(hashOfSecret(readToken(request, 'refresh_token')));
    return this.#access(credential);
  }

  /**
   * Opens the session of a one-time token, see `openOperatorSession`. The refresh token takes its place, so
   * of two exchanges one is refused.
   * @throws ApiError MISSING_FIELD, VALIDATION_ERROR, AUTH_REQUIRED
   */
  async exchange(request: { readonly one_time_token?: unknown }): Promise<LoginAnswer> {
    const hash = hashOfOneTime(readToken(request, 'one_time_token'));
    const { store, clock } = this.#parts;
    const refreshToken = newToken();
    const isFirst = await store.replaceRefreshHash(hash, hashOfSecret(refreshToken), clock() - ONE_TIME_MS);
    if (!isFirst) throw badCredential();
    const { credential, principal } = await this.#openSession(hashOfSecret(refreshToken));
    return { ...(await this.#access(credential)), refresh_token: refreshToken, user: toUser(principal) };
  }

  async #openSession(refreshHash: string) {
    const { store, clock } = this.#parts;
    const found = await store.findSessionByRefreshHash(refreshHash);
    if (found === null || found.principal === null) throw badCredential();
    const { credential, principal } = found;
    if (credential.revokedAtMs !== null || clock() >= credential.expiresAtMs) throw badCredential();
    return { credential, principal };
  }

  /** Ends the caller's session: its access tokens and refresh token stop working. */
  async logout(caller: Caller): Promise<{ readonly message: string }> {
    authorise(caller, 'Auth.Logout');
    const { store, cache, clock } = this.#parts;
    await store.revokeSession(caller.credentialId, clock());
    await cache.revoked({ kind: 'credential', id: caller.credentialId });
    return { message: 'Logged out' };
  }

  /**
   * Switches the caller's session, with all its tokens, to another of their organizations.
   * @throws ApiError MISSING_FIELD, RESOURCE_NOT_FOUND if the caller is not a member
   */
  async switchOrganization(
    caller: Caller,
    request: { readonly org_id?: unknown },
  ): Promise<AccessAnswer & { readonly user: UserAnswer }> {
    authorise(caller, 'Auth.SwitchOrganization');
    requireFields(request, ['org_id']);
    const orgId = request.org_id;
    if (!isUuid(orgId)) throw notFound('Organization', quote(orgId));
    const { store, cache } = this.#parts;
    const principal = await store.moveSession(caller.credentialId, orgId.toLowerCase());
    if (principal === null) throw notFound('Organization', orgId);
    await cache.revoked({ kind: 'credential', id: caller.credentialId });
    const found = await store.findSession(caller.credentialId);
    if (found === null) throw badCredential();
    return { ...(await this.#access(found.credential)), user: toUser(principal) };
  }

  async #identify(token: string, nonce: string | undefined) {
    try {
      return await this.#parts.idTokens.verify(token, nonce);
    } catch (error) {
      throw error instanceof TokenRefused ? badCredential() : error;
    }
  }

  async #access(session: Session): Promise<AccessAnswer> {
    const { token, expiresInS } = await this.#parts.accessTokens.mint(session);
    return { access_token: token, token_type: 'Bearer', expires_in: expiresInS };
  }
}

const newToken = (): string => randomBytes(32).toString('base64url');

function readToken<Field extends string>(request: { readonly [K in Field]?: unknown }, field: Field): string {
  requireFields(request, [field]);
  const token: unknown = request[field];
  if (typeof token !== 'string') throw badValue(field, 'must be a text');
  if (token.length > REFRESH_CHARS_MAX) throw badCredential();
  return token;
}

/**
 * Opens a session for the operator of the store, which a page takes over with the token.
 * @returns the one-time token
 */
export async function openOperatorSession(
  store: SqlIdentityStore,
  { email, tier, atMs }: { readonly email: string; readonly tier: string; readonly atMs: number },
) {
  const token = newToken();
  const identity = { issuer: OPERATOR_ISSUER, subject: email, email, name: email.split('@')[0] ?? email };
  const refreshHash = hashOfOneTime(token);
  const opened = await store.signIn({ identity, tier, refreshHash, atMs, expiresAtMs: atMs + SESSION_MS });
  return { token, ...opened };
}

const OPERATOR_ISSUER = 'operator';

const toUser = ({ user, organization }: Principal): UserAnswer => ({
  id: user.id,
  name: user.name,
  email: user.email,
  org_id: organization.id,
});

/** Lifetime of an access token, seconds. */
const ACCESS_TOKEN_S = 3_600;

const SECRET_BYTES_MIN = 32;

/** Distinguishes access tokens from other tokens signed with HS256. */
const TYPE = 'at+jwt';
const PARTY = 'barline';

interface AccessClaims {
  readonly sessionId: string;
  readonly expiresAtMs: number;
}

/**
 * Signs and reads access tokens. A token names a session; the store knows whether that is still
 * open.
 */
export class AccessTokens {
  readonly #key: KeyObject;
  readonly #clock: WallClock;

  /** @param secret at least 32 bytes, the same on all hosts of a deployment */
  constructor(secret: string, clock: WallClock) {
    const bytes = Buffer.from(secret);
    if (bytes.length < SECRET_BYTES_MIN) {
      throw new Error(`secret of access tokens must have at least ${SECRET_BYTES_MIN} bytes, had ${bytes.length}`);
    }
    this.#key = createSecretKey(bytes);
    this.#clock = clock;
  }

  /** A token for an hour, or until the session ends if that is sooner. */
  async mint({ id, userId, expiresAtMs }: Session): Promise<{ readonly token: string; readonly expiresInS: number }> {
    const nowS = Math.floor(this.#clock() / 1000);
    const expiresInS = Math.min(ACCESS_TOKEN_S, Math.max(0, Math.floor(expiresAtMs / 1000) - nowS));
    const token = await new SignJWT({ sid: id })
      .setProtectedHeader({ alg: 'HS256', typ: TYPE })
      .setSubject(userId)
      .setIssuer(PARTY)
      .setAudience(PARTY)
      .setIssuedAt(nowS)
      .setExpirationTime(nowS + expiresInS)
      .sign(this.#key);
    return { token, expiresInS };
  }

  /** Null for anything but a valid, unexpired token of this service. */
  async read(token: string): Promise<AccessClaims | null> {
    try {
      const { payload } = await jwtVerify(token, this.#key, {
        algorithms: ['HS256'],
        typ: TYPE,
        issuer: PARTY,
        audience: PARTY,
        requiredClaims: ['exp', 'sid'],
        currentDate: new Date(this.#clock()),
      });
      // biome-ignore lint/style/noNonNullAssertion: the verifier requires the claim
      return typeof payload.sid === 'string' ? { sessionId: payload.sid, expiresAtMs: payload.exp! * 1000 } : null;
    } catch {
      // `jose` throws for every defect of a token, and with a local key nothing else can fail.
      return null;
    }
  }
}
