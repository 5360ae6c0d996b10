import {
  type Allowlist,
  type ApiKeys,
  getProfile,
  grantedMethods,
  isAdmin,
  type Members,
  type RedirectLogin,
  type Sessions,
  type SqlIdentityStore,
  updateProfile,
} from '../identity/index.js';
import type { UseCasesOf } from '../use-cases.js';
import type { Gate } from './gate.js';

export interface AuthParts {
  readonly gate: Gate;
  readonly store: SqlIdentityStore;
  readonly sessions: Sessions;
  readonly redirect: RedirectLogin;
  readonly apiKeys: ApiKeys;
  readonly allowlist: Allowlist;
  readonly members: Members;
}

export function authMethods({
  gate,
  store,
  sessions,
  redirect,
  apiKeys,
  allowlist,
  members,
}: AuthParts): UseCasesOf<'Auth'> {
  return {
    'Auth.Login': (request) => sessions.login(request),
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
  };
}
