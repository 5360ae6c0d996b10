import { isUuid } from '../../data/state/index.js';
import { quote } from '../../engine/errors.js';
import { isoTime } from '../../engine/series/index.js';
import { ApiError, notFound, requireFields } from '../api-error.js';
import type { Caller } from '../caller.js';
import type { WallClock } from '../wall-clock.js';
import { hashOfSecret, newApiKey } from './api-key-format.js';
import { authorise } from './authorise.js';
import type { CredentialCache } from './credential-cache.js';
import { readText } from './fields.js';
import type { ApiKey } from './records.js';
import { badValue, namedShort } from './refusals.js';
import { mintedScopes, scopesBeyond } from './scopes.js';
import type { SqlIdentityStore } from './store.js';

const DAY_MS = 86_400_000;
const NAME_CHARS_MAX = 200;
const SCOPES_MAX = 100;
const SCOPE_CHARS_MAX = 100;

/** Ten years; a key that should live longer gets no expiry. */
const EXPIRES_DAYS_MAX = 3_650;

interface ApiKeyParts {
  readonly store: SqlIdentityStore;
  readonly cache: CredentialCache;
  /** What keys start with, before the underscore. */
  readonly keyPrefix: string;
  readonly clock: WallClock;
}

interface ApiKeyRequest {
  /** 1..200 characters. */
  readonly name?: unknown;
  /** Texts, at most 100; absent or an empty list means everything that the role allows. */
  readonly scopes?: unknown;
  /** Whole days 1..3650; absent or null means no expiry. */
  readonly expires_days?: unknown;
}

export interface MintedKey {
  /** The key itself, shown only here. */
  readonly key: string;
  readonly key_id: string;
  readonly key_prefix: string;
  readonly name: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly scopes: readonly string[];
  /** Scopes that were asked for but exceed the caller's role. */
  readonly withheld_scopes: readonly string[];
  /** Names the scopes that grant nothing. */
  readonly warnings: readonly string[];
}

interface ListedKey extends Omit<MintedKey, 'key' | 'withheld_scopes' | 'warnings'> {
  /** Same as `key_id`. */
  readonly id: string;
  readonly last_used_at: string | null;
  readonly revoked_at: string | null;
  /** Neither revoked nor expired. */
  readonly is_active: boolean;
}

/** The API keys of a user in the organization that they are acting for. */
export class ApiKeys {
  readonly #parts: ApiKeyParts;

  constructor(parts: ApiKeyParts) {
    this.#parts = parts;
  }

  /**
   * @throws ApiError MISSING_FIELD, VALIDATION_ERROR, INSUFFICIENT_PERMISSIONS if the role may have
   *   none of the scopes, or PERMISSION_DENIED unless the caller has a session
   */
  async create(caller: Caller, request: ApiKeyRequest): Promise<MintedKey> {
    authorise(caller, 'Auth.CreateApiKey');
    requireFields(request, ['name']);
    const name = readText(request.name, 'name', NAME_CHARS_MAX);
    const { scopes, withheld, warnings } = mintedScopes(readScopes(request.scopes ?? []), caller.role);
    const expiresDays = readExpiresDays(request.expires_days ?? null);
    const { key, keyPrefix } = newApiKey(this.#parts.keyPrefix);
    const createdAtMs = this.#parts.clock();
    const stored = await this.#parts.store.addApiKey(
      {
        userId: caller.userId,
        orgId: caller.orgId,
        name,
        keyPrefix,
        scopes,
        mintedAs: caller.role,
        createdAtMs,
        expiresAtMs: expiresDays === null ? null : createdAtMs + expiresDays * DAY_MS,
      },
      hashOfSecret(key),
    );
    return { key, ...keyFacts(stored), withheld_scopes: withheld, warnings };
  }

  async list(caller: Caller): Promise<{ readonly keys: readonly ListedKey[] }> {
    const keys = await this.#parts.store.listApiKeys(caller.userId, caller.orgId);
    const nowMs = this.#parts.clock();
    return { keys: keys.map((key) => toListedKey(key, nowMs)) };
  }

  /**
   * Revokes a key permanently, with immediate effect. Repeating the call changes nothing and
   * succeeds.
   * @throws ApiError RESOURCE_NOT_FOUND if the caller has no such key, INSUFFICIENT_PERMISSIONS if
   *   the caller is a key with fewer rights than that one
   */
  async revoke(caller: Caller, keyId: string): Promise<{ readonly message: string }> {
    authorise(caller, 'Auth.RevokeApiKey');
    const { store, cache, clock } = this.#parts;
    const { userId, orgId } = caller;
    const id = isUuid(keyId) ? keyId.toLowerCase() : null;
    const target = (await store.listApiKeys(userId, orgId)).find((key) => key.id === id);
    if (target === undefined) throw notFound('API key', keyId);
    requireNoLess(caller, target);
    const revoked = await store.revokeApiKey(userId, orgId, target.id, clock());
    if (revoked === null) throw notFound('API key', keyId);
    await cache.revoked({ kind: 'credential', id: revoked.id });
    return { message: `API key ${revoked.keyPrefix}... revoked` };
  }
}

/** A leaked key with few rights must not be able to revoke the others. */
function requireNoLess(caller: Caller, { keyPrefix, scopes, mintedAs }: ApiKey): void {
  if (caller.credential === 'session') return;
  const beyond = scopesBeyond(caller, scopes, mintedAs);
  if (beyond.length === 0) return;
  const message = `API key ${keyPrefix}... may do more than the ${caller.credential} of this call: ${namedShort(beyond)}`;
  throw new ApiError('INSUFFICIENT_PERMISSIONS', message, { scopes: beyond });
}

const timeOrNull = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));

const keyFacts = (key: ApiKey) => ({
  key_id: key.id,
  key_prefix: key.keyPrefix,
  name: key.name,
  created_at: isoTime(key.createdAtMs),
  expires_at: timeOrNull(key.expiresAtMs),
  scopes: key.scopes,
});

const toListedKey = (key: ApiKey, nowMs: number): ListedKey => ({
  id: key.id,
  ...keyFacts(key),
  last_used_at: timeOrNull(key.lastUsedAtMs),
  revoked_at: timeOrNull(key.revokedAtMs),
  is_active: key.revokedAtMs === null && (key.expiresAtMs === null || nowMs < key.expiresAtMs),
});

function readScopes(value: unknown): readonly string[] {
  if (!Array.isArray(value)) throw badValue('scopes', `must be a list of texts, was ${quote(value)}`);
  if (value.length > SCOPES_MAX) throw badValue('scopes', `must hold at most ${SCOPES_MAX}, held ${value.length}`);
  return value.map((scope, i) => readText(scope, `scopes[${i}]`, SCOPE_CHARS_MAX));
}

function readExpiresDays(value: unknown): number | null {
  if (value === null) return null;
  if (Number.isInteger(value) && Number(value) >= 1 && Number(value) <= EXPIRES_DAYS_MAX) return Number(value);
  throw badValue('expires_days', `must be a whole number 1..${EXPIRES_DAYS_MAX}, was ${quote(value)}`);
}
