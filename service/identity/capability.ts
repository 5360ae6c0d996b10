import type { CacheUse } from '../../data/providers/index.js';
import type { Foundation } from '../capability.js';
import { Allowlist, ManagementKey } from './allowlist.js';
import { ApiKeys } from './api-keys.js';
import { Authenticator } from './authenticate.js';
import type { CredentialCache } from './credential-cache.js';
import { sharedCredentialCache } from './credential-cache.js';
import { IdTokens, Workloads } from './id-tokens.js';
import { Members } from './members.js';
import { RedirectLogin } from './redirect-login.js';
import { AccessTokens, Sessions } from './sessions.js';
import { SqlIdentityStore } from './store.js';
import { Tiers } from './tiers.js';

/** Users, credentials, organizations and tiers. Their methods are of `openAccess`. */
export interface Identity {
  readonly store: SqlIdentityStore;
  readonly tiers: Tiers;
  readonly cache: CredentialCache;
  readonly caches: Readonly<Record<string, () => CacheUse>>;
  readonly managementKey: ManagementKey;
  readonly authenticator: Authenticator;
  readonly sessions: Sessions;
  readonly redirect: RedirectLogin;
  readonly apiKeys: ApiKeys;
  readonly allowlist: Allowlist;
  readonly members: Members;
}

export async function openIdentity({ config, state, secret, clock }: Foundation): Promise<Identity> {
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
    store,
    tiers,
    cache,
    caches: { credentials: () => cache.use() },
    managementKey,
    authenticator: new Authenticator({ store, accessTokens, workloads, cache, clock }),
    sessions,
    redirect: new RedirectLogin({ store, sessions, settings: config.BARLINE_OIDC_REDIRECT ?? null, clock }),
    apiKeys: new ApiKeys({ store, cache, keyPrefix: config.BARLINE_KEY_PREFIX, clock }),
    allowlist: new Allowlist({ store, managementKey, clock }),
    members: new Members({ store, cache, clock }),
  };
}
