import { dumpState } from '../data/state/index.js';
import { EngineError } from '../engine/errors.js';
import { isoTime } from '../engine/series/index.js';
import { clip } from '../engine/text.js';
import type { CredentialCache } from '../service/identity/index.js';
import { SqlIdentityStore } from '../service/identity/index.js';
import type { ServiceConfig } from '../service/settings/index.js';
import type { State } from '../service/state/index.js';
import { mintOneTimeToken, mintOperatorKey } from './operator-key.js';

/** A key as the operator sees it, of any user. */
export interface ListedOperatorKey {
  readonly key_id: string;
  readonly key_prefix: string;
  readonly name: string;
  readonly email: string;
  readonly created_at: string;
  readonly last_used_at: string | null;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
}

/**
 * What the operator of a store may do with it, without a credential: a user who can open the store
 * can do anything with it anyway.
 */
export interface Operator {
  createKey(email: string, name: string): Promise<string>;
  /** Opens the workbench once, see `mintOneTimeToken`. */
  createOneTimeToken(): Promise<string>;
  /** Newest first. */
  listKeys(): Promise<readonly ListedOperatorKey[]>;
  /**
   * Revokes a key for good, at once in every process.
   * @param key its id or its prefix
   * @throws EngineError NOT_FOUND, or INVALID_FIELD for the prefix of several keys
   */
  revokeKey(key: string): Promise<ListedOperatorKey>;
  /** The state as lines; see `dumpState`. */
  dump(): AsyncIterable<string>;
}

/** The operator of a state that this process has open. */
export function makeOperator(state: State, config: ServiceConfig, cache: CredentialCache): Operator {
  const listKeys = async (): Promise<ListedOperatorKey[]> => {
    const rows = await state.db
      .selectFrom('api_keys')
      .innerJoin('users', 'users.id', 'api_keys.user_id')
      .select(['api_keys.id', 'key_prefix', 'api_keys.name', 'email', 'api_keys.created_at_ms'])
      .select(['last_used_at_ms', 'expires_at_ms', 'revoked_at_ms'])
      .orderBy('api_keys.created_at_ms', 'desc')
      .orderBy('api_keys.id')
      .execute();
    return rows.map((row) => ({
      key_id: row.id,
      key_prefix: row.key_prefix,
      name: row.name,
      email: row.email,
      created_at: isoTime(row.created_at_ms),
      last_used_at: timeOrNull(row.last_used_at_ms),
      expires_at: timeOrNull(row.expires_at_ms),
      revoked_at: timeOrNull(row.revoked_at_ms),
    }));
  };
  return {
    createKey: async (email, name) => (await mintOperatorKey(state, config, email, name)).key,
    createOneTimeToken: () => mintOneTimeToken(state, config),
    listKeys,
    async revokeKey(key) {
      const found = (await listKeys()).filter(({ key_id, key_prefix }) => key_id === key || key_prefix === key);
      const [one] = found;
      if (one === undefined) throw new EngineError('NOT_FOUND', `there is no key ${clip(key, 80)}`);
      if (found.length > 1) {
        throw new EngineError('INVALID_FIELD', `${found.length} keys begin with ${key}: name one by its id`, { key });
      }
      const { user_id: userId, org_id: orgId } = await state.db
        .selectFrom('api_keys')
        .where('id', '=', one.key_id)
        .select(['user_id', 'org_id'])
        .executeTakeFirstOrThrow();
      await new SqlIdentityStore(state.db).revokeApiKey(userId, orgId, one.key_id, Date.now());
      await cache.revoked({ kind: 'credential', id: one.key_id });
      return (await listKeys()).find(({ key_id }) => key_id === one.key_id) ?? one;
    },
    dump: () => dumpState(state.db),
  };
}

const timeOrNull = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));
