export { Allowlist, ManagementKey } from './allowlist.js';
export { ApiKeys, type MintedKey } from './api-keys.js';
export { Authenticator } from './authenticate.js';
export { CredentialCache, type CredentialChange, sharedCredentialCache } from './credential-cache.js';
export { IdTokens, type LoginIssuer, type WorkloadIdentity, Workloads } from './id-tokens.js';
export { Members } from './members.js';
export { type MeteredResource, meteredResources } from './metered-resources.js';
export { RedirectLogin, type RedirectSettings } from './redirect-login.js';
export { authorise, scopes } from './scopes.js';
export { AccessTokens, type LoginAnswer, openOperatorSession, Sessions } from './sessions.js';
export { SqlIdentityStore } from './store.js';
export {
  defaultTiers,
  EXPERIMENT_RUNS_MAX,
  type Tier,
  Tiers,
} from './tiers.js';
