import type { Caller } from '../caller.js';
import type { WallClock } from '../wall-clock.js';
import { hashOfSecret, isApiKey } from './api-keys.js';
import type { CredentialCache, VerifiedCredential } from './credential-cache.js';
import type { Workloads } from './id-tokens.js';
import type { Principal } from './records.js';
import { badCredential, noCredential } from './refusals.js';
import { effectiveScopes } from './scopes.js';
import type { AccessTokens } from './sessions.js';
import type { SqlIdentityStore } from './store.js';

/** Resolution at which the last use of a key is stored, since each update writes a row. */
const LAST_USED_MS = 60_000;

const TOKEN_CHARS_MAX = 16_384;

interface AuthenticatorParts {
  readonly store: SqlIdentityStore;
  readonly accessTokens: AccessTokens;
  readonly workloads: Workloads;
  readonly cache: CredentialCache;
  readonly clock: WallClock;
}

/** Identifies the caller of a request by its Authorization header. */
export class Authenticator {
  readonly #parts: AuthenticatorParts;
  readonly #lookUps = new Map<string, Promise<VerifiedCredential>>();

  constructor(parts: AuthenticatorParts) {
    this.#parts = parts;
  }

  /**
   * @param authorization the whole header, `Bearer <access token, API key or workload token>`
   * @throws ApiError AUTH_REQUIRED
   */
  async authenticate(authorization: string | undefined): Promise<Caller> {
    const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
    if (token === undefined) throw noCredential();
    if (token.length > TOKEN_CHARS_MAX) throw badCredential();
    const { cache, clock, store } = this.#parts;
    const hash = hashOfSecret(token);
    const verified = cache.get(hash) ?? (await this.#lookUp(token, hash));
    const nowMs = clock();
    if (nowMs >= verified.expiresAtMs) throw badCredential();
    const { caller } = verified;
    if (caller.credential === 'key' && nowMs - verified.lastUsedAtMs >= LAST_USED_MS) {
      // The time is set before the write, so that concurrent requests do not write too.
      verified.lastUsedAtMs = nowMs;
      await store.touchApiKey(caller.credentialId, nowMs);
    }
    return caller;
  }

  /**
   * Shares one look-up among concurrent requests, unless a credential was revoked since it began.
   */
  async #lookUp(token: string, hash: string): Promise<VerifiedCredential> {
    const { cache } = this.#parts;
    const { changes } = cache;
    const name = `${changes} ${hash}`;
    const begun = this.#lookUps.get(name);
    if (begun !== undefined) return begun;
    const lookUp = this.#verify(token, hash);
    this.#lookUps.set(name, lookUp);
    try {
      const verified = await lookUp;
      cache.put(hash, verified, changes);
      return verified;
    } finally {
      this.#lookUps.delete(name);
    }
  }

  async #verify(token: string, hash: string): Promise<VerifiedCredential> {
    if (isApiKey(token)) return this.#verifyKey(hash);
    if (token.split('.').length === 3) return this.#verifyToken(token);
    throw badCredential();
  }

  async #verifyKey(hash: string): Promise<VerifiedCredential> {
    const found = await this.#parts.store.findApiKeyByHash(hash);
    const key = found?.credential;
    if (key === undefined || key.revokedAtMs !== null) throw badCredential();
    const scopes = effectiveScopes(key.scopes, key.mintedAs);
    return {
      caller: makeCaller(found?.principal, { credential: 'key', credentialId: key.id, scopes }),
      expiresAtMs: key.expiresAtMs ?? Infinity,
      lastUsedAtMs: key.lastUsedAtMs ?? -Infinity,
    };
  }

  async #verifyToken(token: string): Promise<VerifiedCredential> {
    const claims = await this.#parts.accessTokens.read(token);
    if (claims === null) return this.#verifyWorkload(token);
    const found = await this.#parts.store.findSession(claims.sessionId);
    const session = found?.credential;
    if (session === undefined || session.revokedAtMs !== null) throw badCredential();
    return {
      caller: makeCaller(found?.principal, { credential: 'session', credentialId: session.id, scopes: [] }),
      expiresAtMs: Math.min(claims.expiresAtMs, session.expiresAtMs),
      lastUsedAtMs: 0,
    };
  }

  async #verifyWorkload(token: string): Promise<VerifiedCredential> {
    const workload = await this.#parts.workloads.verify(token);
    if (workload === null) throw badCredential();
    const { identity, expiresAtMs } = workload;
    const principal = await this.#parts.store.findPrincipal(identity.userId, identity.orgId);
    const credentialId = `${identity.issuer}#${identity.subject}`;
    return {
      caller: makeCaller(principal, { credential: 'workload', credentialId, scopes: identity.scopes }),
      expiresAtMs,
      lastUsedAtMs: 0,
    };
  }
}

/** A credential can outlive the membership that it was made for; it is then refused. */
function makeCaller(
  principal: Principal | null | undefined,
  credential: Pick<Caller, 'credential' | 'credentialId' | 'scopes'>,
): Caller {
  if (principal === null || principal === undefined) throw badCredential();
  const { user, organization, role } = principal;
  return { userId: user.id, orgId: organization.id, role, tier: organization.tier, ...credential };
}
