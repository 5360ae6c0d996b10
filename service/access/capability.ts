import { hasEnded, ownName } from '../../data/state/index.js';
import type { Capability, Foundation } from '../capability.js';
import type { Identity } from '../identity/capability.js';
import { getProfile, isAdmin, updateProfile } from '../identity/members.js';
import { grantedMethods } from '../identity/scopes.js';
import type { Tiers } from '../identity/tiers.js';
import type { Payments } from '../payments/payments.js';
import { Gate } from './gate.js';
import { Idempotency } from './idempotency.js';
import { SqlIdempotencyStore } from './idempotency-keys.js';
import { Quotas, RateLimits } from './limits.js';
import { SqlUsageStore } from './usage-counts.js';

interface Limits {
  readonly quotas: Quotas;
  readonly rateLimits: RateLimits;
}

/** What callers may use in a minute and in a month. */
export const openLimits = ({ config, state, clock }: Foundation, tiers: Tiers): Limits => ({
  quotas: new Quotas({ store: new SqlUsageStore(state.db), tiers, clock }),
  rateLimits: new RateLimits({ requests: config.BARLINE_RATE_LIMIT_PER_MINUTE, windowS: 60 }),
});

interface AccessNeeds extends Limits {
  readonly identity: Identity;
  /** Null where no calls are sold. */
  readonly payments: Payments | null;
}

interface Access extends Capability<'Auth'> {
  readonly gate: Gate;
}

/** The gate that calls pass, and the methods of users, keys and organizations. */
export function openAccess({ state, secret, clock }: Foundation, needs: AccessNeeds): Access {
  const { identity, quotas, rateLimits, payments } = needs;
  const keys = new SqlIdempotencyStore(state.db);
  const idempotency = new Idempotency(keys, secret, clock, { name: ownName(), hasEnded });
  const { authenticator } = identity;
  const gate = new Gate({ authenticator, rateLimits, quotas, idempotency, payments });
  return {
    gate,
    reads: ['Auth.GetProfile'],
    methods: authMethods(gate, identity),
    caches: identity.caches,
    upkeep: () => keys.sweep(clock()),
  };
}

const authMethods = (
  gate: Gate,
  { store, sessions, redirect, apiKeys, allowlist, members }: Identity,
): Access['methods'] => ({
  'Auth.Login': (request) => sessions.login(request),
  'Auth.Exchange': (request) => sessions.exchange(request),
  'Auth.Refresh': (request) => sessions.refresh(request),
  'Auth.StartRedirect': () => redirect.start(),
  'Auth.FinishRedirect': async (request) => {
    const finished = await redirect.finish(request);
    return finished.kind === 'login' ? { login: finished.answer } : { page: finished.page };
  },
  'Auth.Logout': (_request, { caller }) => sessions.logout(caller),
  'Auth.SwitchOrganization': (request, { caller }) => sessions.switchOrganization(caller, request),
  'Auth.GetProfile': (_request, { caller }) => getProfile(store, caller),
  'Auth.UpdateProfile': (request, { caller }) => updateProfile(store, caller, request),
  'Auth.IsAdmin': async (_request, { caller }) => isAdmin(caller),
  'Auth.ListApiKeys': (_request, { caller }) => apiKeys.list(caller),
  'Auth.CreateApiKey': (request, { caller }) => apiKeys.create(caller, request),
  'Auth.RevokeApiKey': ({ key_id }, { caller }) => apiKeys.revoke(caller, key_id),
  'Auth.ListAllowlist': () => allowlist.list(),
  'Auth.AddToAllowlist': (request, { credentials }) => allowlist.add(credentials.managementKey, request),
  'Auth.RemoveFromAllowlist': ({ email }, { credentials }) => allowlist.remove(credentials.managementKey, email),
  'Auth.ListMembers': ({ id }, { caller }) => members.list(caller, id),
  'Auth.AddMember': ({ id, ...member }, { caller }) => members.add(caller, id, member),
  'Auth.ChangeRole': ({ id, user_id = '', role }, { caller }) => members.changeRole(caller, id, user_id, { role }),
  'Auth.RemoveMember': ({ id, user_id = '' }, { caller }) => members.remove(caller, id, user_id),
  'Auth.CheckAccess': async ({ method, uncounted }, { credentials, onRate }) => {
    if (uncounted) await gate.foresee(method, credentials);
    else await gate.checkCounted(method, credentials, onRate);
    return {};
  },
  'Auth.ListGranted': async (_request, { caller }) => ({ methods: [...grantedMethods(caller)] }),
});
