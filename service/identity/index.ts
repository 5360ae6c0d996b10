export { AccessTokens } from './access-tokens.js';
export { Allowlist, ManagementKey } from './allowlist.js';
export { ApiKeys, type MintedKey } from './api-keys.js';
export { Authenticator } from './authenticate.js';
export { authorise } from './authorise.js';
export { CredentialCache, type CredentialChange, sharedCredentialCache } from './credential-cache.js';
export { IdTokens, type LoginIssuer } from './id-tokens.js';
export { Members } from './members.js';
export { type MeteredResource, meteredResources } from './metered-resources.js';
export { RedirectLogin, type RedirectSettings } from './redirect-login.js';
export { scopes } from './scopes.js';
export { type LoginAnswer, Sessions } from './sessions.js';
export { SqlIdentityStore } from './store.js';
export {
  defaultTiers,
  EXPERIMENT_RUNS_MAX,
  type Tier,
  Tiers,
} from './tiers.js';
export { type WorkloadIdentity, Workloads } from './workloads.js';
