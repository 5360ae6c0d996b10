import { SignJWT } from 'jose';
import type { Caller } from '../../service/caller.js';
import {
  AccessTokens,
  Allowlist,
  ApiKeys,
  Authenticator,
  CredentialCache,
  type CredentialChange,
  IdTokens,
  type LoginAnswer,
  type LoginIssuer,
  ManagementKey,
  Members,
  RedirectLogin,
  type RedirectSettings,
  Sessions,
  type WorkloadIdentity,
  Workloads,
} from '../../service/identity/index.js';
import { SqlIdentityStore } from '../../service/identity/store.js';
import { emptyState } from './shared-state.js';

export const T0 = Date.UTC(2024, 5, 1, 12);
export const SECOND = 1_000;
export const HOUR = 3_600 * SECOND;
export const DAY = 24 * HOUR;
export const DEVELOPMENT_SECRET = 'a secret of development';
export const MANAGEMENT_KEY = 'a key of management';

export interface IdentitySettings {
  readonly issuers?: readonly LoginIssuer[];
  readonly workloads?: readonly WorkloadIdentity[];
  readonly redirect?: RedirectSettings;
  /** Default: an empty one. */
  readonly store?: SqlIdentityStore;
  readonly nowMs?: number;
}

/** All of identity, with a clock that stands until a test moves it. */
export async function setUpIdentity(settings: IdentitySettings = {}) {
  const time = { nowMs: settings.nowMs ?? T0 };
  const clock = () => time.nowMs;
  const store = settings.store ?? new SqlIdentityStore((await emptyState()).db);
  const changes: CredentialChange[] = [];
  const cache = new CredentialCache(clock, async (change) => {
    changes.push(change);
  });
  const accessTokens = new AccessTokens('a server secret of at least 32 bytes', clock);
  const idTokens = new IdTokens({ issuers: settings.issuers ?? [], developmentSecret: DEVELOPMENT_SECRET, clock });
  const workloads = new Workloads(settings.workloads ?? [], clock);
  const sessions = new Sessions({ store, idTokens, accessTokens, cache, tier: 'local', clock });
  const authenticator = new Authenticator({ store, accessTokens, workloads, cache, clock });
  const managementKey = new ManagementKey(MANAGEMENT_KEY);
  const idToken = (email: string, claims: object = {}) =>
    developmentToken(email, { exp: time.nowMs / 1000 + 60, ...claims });
  const login = async (email: string): Promise<LoginAnswer> => sessions.login({ idp_token: await idToken(email) });
  return {
    time,
    clock,
    store,
    changes,
    cache,
    sessions,
    authenticator,
    idToken,
    login,
    keys: new ApiKeys({ store, cache, keyPrefix: 'local', clock }),
    members: new Members({ store, cache, clock }),
    allowlist: new Allowlist({ store, managementKey, clock }),
    redirect: new RedirectLogin({ store, sessions, settings: settings.redirect ?? null, clock }),
    /** Logs a user in and returns the caller. */
    caller: async (email: string): Promise<Caller> => {
      const { access_token: token } = await login(email);
      return authenticator.authenticate(`Bearer ${token}`);
    },
  };
}

/** The claims that the development verifier accepts. */
export const developmentToken = (email: string, claims: object, secret = DEVELOPMENT_SECRET): Promise<string> =>
  new SignJWT({ sub: email, email, name: email.split('@')[0], ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(secret));

export const invalidToken = { code: 'AUTH_REQUIRED', message: 'Invalid or expired token' };
export const noToken = { code: 'AUTH_REQUIRED', message: 'Missing or invalid authentication token' };
