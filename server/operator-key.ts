import { randomBytes } from 'node:crypto';
import { ApiKeys, CredentialCache, type MintedKey, SqlIdentityStore, Tiers } from '../service/identity/index.js';
import type { ServiceConfig } from '../service/settings/index.js';
import type { State } from '../service/state/index.js';

const ISSUER = 'operator';
const MINUTE_MS = 60_000;

/**
 * Creates an API key for a local user. It needs no login: a process that can open the state can do
 * anything with it anyway.
 */
export async function mintOperatorKey(
  state: State,
  config: ServiceConfig,
  email: string,
  name: string,
): Promise<MintedKey> {
  const store = new SqlIdentityStore(state.db);
  const atMs = Date.now();
  const { session, principal } = await store.signIn({
    identity: { issuer: ISSUER, subject: email, email, name: email.split('@')[0] ?? email },
    tier: new Tiers(config.BARLINE_TIERS).first.id,
    refreshHash: randomBytes(32).toString('hex'), // of no token: the session only creates the key
    atMs,
    expiresAtMs: atMs + MINUTE_MS,
  });
  const { user, organization, role } = principal;
  const apiKeys = new ApiKeys({
    store,
    cache: new CredentialCache(Date.now),
    keyPrefix: config.BARLINE_KEY_PREFIX,
    clock: Date.now,
  });
  const caller = { userId: user.id, orgId: organization.id, role, tier: organization.tier, scopes: [] };
  const minted = await apiKeys.create({ ...caller, credential: 'session', credentialId: session.id }, { name });
  await store.revokeSession(session.id, atMs);
  return minted;
}

/** True if no user exists and no login is configured: the first key then goes to the operator. */
export async function needsFirstKey(state: State, config: ServiceConfig): Promise<boolean> {
  const hasLogin = config.BARLINE_OIDC_ISSUERS.length > 0 || config.BARLINE_DEV_SECRET !== undefined;
  if (hasLogin) return false;
  const user = await state.db.selectFrom('users').select('id').limit(1).executeTakeFirst();
  return user === undefined;
}
