import type { Gate } from '../../service/access/index.js';
import {
  type Allowlist,
  type ApiKeys,
  getProfile,
  type IdentityStore,
  isAdmin,
  type Members,
  type RedirectLogin,
  type Sessions,
  updateProfile,
} from '../../service/identity/index.js';
import type { Handlers } from '../calls.js';

export interface AuthParts {
  readonly gate: Gate;
  readonly store: IdentityStore;
  readonly sessions: Sessions;
  readonly redirect: RedirectLogin;
  readonly apiKeys: ApiKeys;
  readonly allowlist: Allowlist;
  readonly members: Members;
}

type Body = Readonly<Record<string, unknown>>;

interface MemberRequest {
  /** Of the organization. */
  readonly id: string;
  readonly user_id?: string;
  readonly role?: string;
}

export function authHandlers({ gate, store, sessions, redirect, apiKeys, allowlist, members }: AuthParts): Handlers {
  return {
    'Auth.Login': (request: Body) => sessions.login(request),
    'Auth.Refresh': (request: Body) => sessions.refresh(request),
    'Auth.StartRedirect': () => redirect.start(),
    'Auth.FinishRedirect': async (request: Body) => {
      const finished = await redirect.finish(request);
      return finished.kind === 'login' ? { login: finished.answer } : { page: finished.page };
    },
    'Auth.Logout': (_request: Body, { caller }) => sessions.logout(caller),
    'Auth.SwitchOrganization': (request: Body, { caller }) => sessions.switchOrganization(caller, request),
    'Auth.GetProfile': (_request: Body, { caller }) => getProfile(store, caller),
    'Auth.UpdateProfile': (request: Body, { caller }) => updateProfile(store, caller, request),
    'Auth.IsAdmin': async (_request: Body, { caller }) => isAdmin(caller),
    'Auth.ListApiKeys': (_request: Body, { caller }) => apiKeys.list(caller),
    'Auth.CreateApiKey': (request: Body, { caller }) => apiKeys.create(caller, request),
    'Auth.RevokeApiKey': ({ key_id }: { key_id: string }, { caller }) => apiKeys.revoke(caller, key_id),
    'Auth.ListAllowlist': () => allowlist.list(),
    'Auth.AddToAllowlist': (request: Body, { credentials }) => allowlist.add(credentials.managementKey, request),
    'Auth.RemoveFromAllowlist': ({ email }: { email: string }, { credentials }) =>
      allowlist.remove(credentials.managementKey, email),
    'Auth.ListMembers': ({ id }: MemberRequest, { caller }) => members.list(caller, id),
    'Auth.AddMember': ({ id, ...member }: MemberRequest, { caller }) => members.add(caller, id, member),
    'Auth.ChangeRole': ({ id, user_id = '', role }: MemberRequest, { caller }) =>
      members.changeRole(caller, id, user_id, { role }),
    'Auth.RemoveMember': ({ id, user_id = '' }: MemberRequest, { caller }) => members.remove(caller, id, user_id),
    'Auth.CheckAccess': async ({ method }: { method: string }, { credentials }) => {
      await gate.check(method, credentials);
      return {};
    },
  };
}
