import type { AuthParts } from '../access/index.js';
import {
  AccessTokens,
  Allowlist,
  ApiKeys,
  Authenticator,
  type CredentialCache,
  IdTokens,
  ManagementKey,
  Members,
  RedirectLogin,
  Sessions,
  SqlIdentityStore,
  Tiers,
  Workloads,
} from './index.js';
import type { State } from '../state/index.js';
import type { ServiceConfig } from '../settings/config.js';
import { sharedCredentialCache } from './shared-credential-cache.js';

interface IdentityEnvironment {
  readonly config: ServiceConfig;
  readonly state: State;
  /** Signs access tokens. */
  readonly secret: string;
  /** The system clock, epoch ms. */
  readonly clock: () => number;
}

interface Identity {
  readonly tiers: Tiers;
  readonly cache: CredentialCache;
  readonly managementKey: ManagementKey;
  readonly authenticator: Authenticator;
  /** What the useCases of identity need besides the gate. */
  readonly parts: Omit<AuthParts, 'gate'>;
}

/** Users, credentials, organizations and tiers. */
export async function composeIdentity({ config, state, secret, clock }: IdentityEnvironment): Promise<Identity> {
  const tiers = new Tiers(config.BARLINE_TIERS);
  const store = new SqlIdentityStore(state.db);
  const cache = await sharedCredentialCache(state, clock);
  const accessTokens = new AccessTokens(secret, clock);
  const idTokens = new IdTokens({
    issuers: config.BARLINE_OIDC_ISSUERS,
    ...(config.BARLINE_DEV_SECRET === undefined ? {} : { developmentSecret: config.BARLINE_DEV_SECRET }),
    clock,
  });
  const sessions = new Sessions({ store, idTokens, accessTokens, cache, tier: tiers.first.id, clock });
  const managementKey = new ManagementKey(config.BARLINE_MANAGEMENT_KEY ?? null);
  const workloads = new Workloads(config.BARLINE_WORKLOADS, clock);
  return {
    tiers,
    cache,
    managementKey,
    authenticator: new Authenticator({ store, accessTokens, workloads, cache, clock }),
    parts: {
      store,
      sessions,
      redirect: new RedirectLogin({ store, sessions, settings: config.BARLINE_OIDC_REDIRECT ?? null, clock }),
      apiKeys: new ApiKeys({ store, cache, keyPrefix: config.BARLINE_KEY_PREFIX, clock }),
      allowlist: new Allowlist({ store, managementKey, clock }),
      members: new Members({ store, cache, clock }),
    },
  };
}
