import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { sha256 } from '../../data/hashes/index.js';
import { isUuid } from '../../data/state/index.js';
import { quote } from '../../engine/errors.js';
import { isoTime } from '../../engine/series/index.js';
import { ApiError, notFound, requireFields } from '../api-error.js';
import type { Caller } from '../caller.js';
import type { WallClock } from '../wall-clock.js';
import type { CredentialCache } from './credential-cache.js';
import type { ApiKey } from './records.js';
import { badValue, namedShort, readText } from './refusals.js';
import { authorise, mintedScopes, scopesBeyond } from './scopes.js';
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

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_DIGITS = 32;
const CHECK_DIGITS = 6;
const SHOWN_DIGITS = 6;

const keyPattern = new RegExp(`^([a-z][a-z0-9]{0,15})_([0-9A-Za-z]{${RANDOM_DIGITS}})([0-9A-Za-z]{${CHECK_DIGITS}})$`);

/**
 * A new key: prefix, 32 random base-62 digits (190 bits), and 6 digits of the CRC-32 over both. The
 * check digits reveal a mistyped or truncated key without a look into the store.
 * @param prefix lower-case letters and digits, without the underscore; clients choose their server
 *   by it
 */
export function newApiKey(prefix: string): { readonly key: string; readonly keyPrefix: string } {
  if (!/^[a-z][a-z0-9]{0,15}$/.test(prefix))
    throw new Error(`prefix of API keys must match [a-z][a-z0-9]*, was ${prefix}`);
  const body = `${prefix}_${randomDigits()}`;
  return { key: body + checkDigits(body), keyPrefix: body.slice(0, prefix.length + 1 + SHOWN_DIGITS) };
}

/** Whether a text could be a key of any server: its form and check digits are valid. */
export function isApiKey(text: string): boolean {
  const match = keyPattern.exec(text);
  return match !== null && checkDigits(`${match[1]}_${match[2]}`) === match[3];
}

/**
 * The stored form of a key or refresh token. One round of SHA-256 without salt suffices here,
 * though not for passwords: slow salted hashes protect guessable secrets, while 190 random bits
 * cannot be guessed even against a fast hash. An unsalted hash can be found through an index.
 */
export const hashOfSecret = (secret: string): string => sha256(secret);

/**
 * Drops bytes from 248 on: 256 is not a multiple of 62, so the first digits would appear more
 * often.
 */
function randomDigits(): string {
  let digits = '';
  while (digits.length < RANDOM_DIGITS) {
    for (const byte of randomBytes(RANDOM_DIGITS)) {
      if (byte < 248 && digits.length < RANDOM_DIGITS) digits += DIGITS[byte % 62];
    }
  }
  return digits;
}

function checkDigits(text: string): string {
  let digits = '';
  for (let rest = crc32(text), i = 0; i < CHECK_DIGITS; i++, rest = Math.floor(rest / 62)) {
    digits = DIGITS[rest % 62] + digits;
  }
  return digits;
}
