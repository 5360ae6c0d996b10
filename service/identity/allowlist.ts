import { createHash, timingSafeEqual } from 'node:crypto';
import { ApiError, notFound } from '../api-error.js';
import type { WallClock } from '../wall-clock.js';
import { badValue, isEmail, readEmail } from './refusals.js';
import type { SqlIdentityStore } from './store.js';

/** Most addresses in one request. */
const EMAILS_MAX = 1_000;

const KEY_CHARS_MIN = 16;

/** The operator's key. If no key is set, every call that needs it is refused. */
export class ManagementKey {
  readonly #digest: Buffer | null;

  /** @param key at least 16 characters */
  constructor(key: string | null) {
    if (key !== null && key.length < KEY_CHARS_MIN) {
      throw new Error(`management key must have at least ${KEY_CHARS_MIN} characters`);
    }
    this.#digest = key === null ? null : digest(key);
  }

  /**
   * Takes the same time for every wrong key: comparing digests hides even the length.
   * @throws ApiError PERMISSION_DENIED
   */
  require(given: string | undefined): void {
    if (given !== undefined && this.#digest !== null && timingSafeEqual(digest(given), this.#digest)) return;
    throw new ApiError('PERMISSION_DENIED', 'Management key required: send it in the header X-Management-Key');
  }
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

interface AllowlistParts {
  readonly store: SqlIdentityStore;
  readonly managementKey: ManagementKey;
  readonly clock: WallClock;
}

/**
 * E-mail addresses that may log in; if the list is empty, all may. Only login checks it: to end
 * existing sessions and keys, revoke them.
 */
export class Allowlist {
  readonly #parts: AllowlistParts;

  constructor(parts: AllowlistParts) {
    this.#parts = parts;
  }

  async list(): Promise<{ readonly emails: readonly string[]; readonly count: number }> {
    const emails = await this.#parts.store.listAllowlist();
    return { emails, count: emails.length };
  }

  /**
   * @param request one address or a list of 1..1000, as `emails` or `email`
   * @throws ApiError PERMISSION_DENIED without the management key, MISSING_FIELD, VALIDATION_ERROR
   */
  async add(
    managementKey: string | undefined,
    request: { readonly emails?: unknown; readonly email?: unknown },
  ): Promise<{
    readonly message: string;
    readonly added: readonly string[];
    readonly already_present: readonly string[];
    readonly warnings: readonly string[];
  }> {
    this.#parts.managementKey.require(managementKey);
    const emails = readEmails(request.emails ?? request.email);
    const { store, clock } = this.#parts;
    const { added, alreadyPresent } = await store.addToAllowlist(emails, clock());
    // What was there before is not known apart from it: a list of the new addresses only has begun.
    const { length: count } = added.length === 0 ? [] : await store.listAllowlist();
    const warnings = added.length > 0 && count === added.length ? [lockOut(count)] : [];
    return {
      message: `Added ${added.length} of ${emails.length}`,
      added,
      already_present: alreadyPresent,
      warnings,
    };
  }

  /** @throws ApiError PERMISSION_DENIED without the management key, RESOURCE_NOT_FOUND */
  async remove(
    managementKey: string | undefined,
    email: string,
  ): Promise<{ readonly message: string; readonly email: string }> {
    this.#parts.managementKey.require(managementKey);
    const known = email.trim().toLowerCase();
    if (!isEmail(known) || !(await this.#parts.store.removeFromAllowlist(known)))
      throw notFound('E-mail address', email);
    return { message: 'Removed from the allowlist', email: known };
  }
}

/** The first entry locks out all other addresses. */
const lockOut = (count: number): string =>
  `the allowlist was empty, so every address could log in: from now on only ${count === 1 ? 'this one' : `these ${count}`} can; sessions and keys of others stay until they are revoked`;

function readEmails(value: unknown): readonly string[] {
  if (value === undefined || value === null) {
    throw new ApiError('MISSING_FIELD', 'Missing required field: emails', { fields: ['emails'] });
  }
  if (!Array.isArray(value)) return [readEmail(value, 'emails')];
  if (value.length < 1 || value.length > EMAILS_MAX) {
    throw badValue('emails', `must hold 1..${EMAILS_MAX} addresses, held ${value.length}`);
  }
  return [...new Set(value.map((each, i) => readEmail(each, `emails[${i}]`)))];
}
