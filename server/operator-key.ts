import {
  ApiKeys,
  CredentialCache,
  type MintedKey,
  openOperatorSession,
  SqlIdentityStore,
  Tiers,
} from '../service/identity/index.js';
import type { ServiceConfig } from '../service/settings/index.js';
import type { State } from '../service/state/index.js';

/** The operator, where no address is given. */
export const OPERATOR_EMAIL = 'operator@localhost';

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
  const { session, principal } = await openSession(state, config, email);
  const { user, organization, role } = principal;
  const apiKeys = new ApiKeys({
    store,
    cache: new CredentialCache(Date.now),
    keyPrefix: config.BARLINE_KEY_PREFIX,
    clock: Date.now,
  });
  const caller = { userId: user.id, orgId: organization.id, role, tier: organization.tier, scopes: [] };
  const minted = await apiKeys.create({ ...caller, credential: 'session', credentialId: session.id }, { name });
  await store.revokeSession(session.id, Date.now()); // it only created the key
  return minted;
}

/** A token with which a page of the workbench signs in as the operator, once, within an hour. */
export const mintOneTimeToken = async (state: State, config: ServiceConfig): Promise<string> =>
  (await openSession(state, config, OPERATOR_EMAIL)).token;

const openSession = ({ db }: State, config: ServiceConfig, email: string) =>
  openOperatorSession(new SqlIdentityStore(db), {
    email,
    tier: new Tiers(config.BARLINE_TIERS).first.id,
    atMs: Date.now(),
  });

/** True if no user exists and no login is configured: the first key then goes to the operator. */
export async function needsFirstKey(state: State, config: ServiceConfig): Promise<boolean> {
  const hasLogin = config.BARLINE_OIDC_ISSUERS.length > 0 || config.BARLINE_DEV_SECRET !== undefined;
  if (hasLogin) return false;
  const user = await state.db.selectFrom('users').select('id').limit(1).executeTakeFirst();
  return user === undefined;
}
