import type { CookieOptions } from 'express';
import type { Route } from '../route.js';
import { id, integerOf, textInBody, textInQuery, time, unchecked, z } from '../zod.js';

const tag = 'Authentication';

const user = z.object({ id: id(), name: z.string(), email: z.string(), org_id: id() }).openapi('SessionUser');

const access = {
  success: z.literal(true),
  access_token: z.string(),
  token_type: z.literal('Bearer'),
  expires_in: z.int().openapi({ description: 'seconds' }),
};

const login = z.object({ ...access, refresh_token: z.string(), user }).openapi('Login');
const message = z.object({ success: z.literal(true), message: z.string() });

const profile = z
  .object({
    success: z.literal(true),
    id: id(),
    name: z.string(),
    email: z.string(),
    org_id: id(),
    created_at: time(),
    role: z.enum(['owner', 'admin', 'member', 'viewer']),
    tier: z.string(),
  })
  .openapi('Profile');

const listedKey = z
  .object({
    id: id(),
    key_id: id(),
    key_prefix: z.string(),
    name: z.string(),
    scopes: z.array(z.string()),
    created_at: time(),
    expires_at: time().nullable(),
    last_used_at: time().nullable(),
    revoked_at: time().nullable(),
    is_active: z.boolean(),
  })
  .openapi('ApiKey');

const mintedKey = z
  .object({
    success: z.literal(true),
    key: z.string(),
    key_id: id(),
    key_prefix: z.string(),
    name: z.string(),
    created_at: time(),
    expires_at: time().nullable(),
    scopes: z.array(z.string()),
    withheld_scopes: z.array(z.string()).openapi({ description: 'requested, but beyond the role of the caller' }),
    warnings: z.array(z.string()).openapi({ description: 'names scopes that grant nothing, because they are unknown' }),
  })
  .openapi('MintedApiKey');

const member = z
  .object({
    id: id(),
    org_id: id(),
    user_id: id(),
    role: z.string(),
    joined_at: time(),
    invited_by: id().nullable(),
    user_name: z.string(),
    user_email: z.string(),
  })
  .openapi('Member');

const role = textInBody('what the member may do', { enum: ['owner', 'admin', 'member', 'viewer'] });
const memberBody = z.object({ user_id: z.string(), role }).partial();
const addresses = z.union([z.email(), z.array(z.email())]);

/** Binds a login by redirect to the browser that began it. */
const LOGIN_COOKIE = 'barline_login';
/** As long as the attempt is open. */
const LOGIN_MS = 600_000;

/** Lax, because the browser comes back from another site. */
function loginCookie(callback: string): CookieOptions {
  const { protocol, pathname } = new URL(callback);
  return { httpOnly: true, sameSite: 'lax', secure: protocol === 'https:', path: pathname };
}

export const authRoutes: readonly Route[] = [
  {
    method: 'post',
    path: '/auth/login',
    rpc: 'Auth.Login',
    summary: 'Open a session with an ID token',
    tag,
    isPublic: true,
    body: z.object({ idp_token: z.string(), firebase_token: z.string() }).partial(),
    response: login,
  },
  {
    method: 'post',
    path: '/auth/refresh',
    rpc: 'Auth.Refresh',
    summary: 'Get a new access token',
    tag,
    isPublic: true,
    body: z.object({ refresh_token: z.string() }).partial(),
    required: ['refresh_token'],
    response: z.object(access),
  },
  {
    method: 'get',
    path: '/auth/login/google',
    rpc: 'Auth.StartRedirect',
    summary: 'Send a browser to the sign-in page',
    tag,
    isPublic: true,
    status: 302,
    response: z.void(),
    send: ({ location, browser_key, callback }, response) => {
      response.cookie(LOGIN_COOKIE, browser_key, { ...loginCookie(callback), maxAge: LOGIN_MS });
      response.redirect(302, location);
    },
  },
  {
    method: 'get',
    path: '/auth/callback',
    rpc: 'Auth.FinishRedirect',
    summary: 'Take a browser back from the sign-in page',
    tag,
    isPublic: true,
    query: z
      .object({
        id_token: textInQuery('ID token'),
        code: textInQuery('authorization code'),
        state: textInQuery('state that was sent to the sign-in page'),
        iss: textInQuery('issuer'),
        error: textInQuery('error from the sign-in page'),
      })
      .partial(),
    cookies: { [LOGIN_COOKIE]: 'browser_key' },
    response: login,
    send: ({ login: answer, page }, response) => {
      if (answer !== null) response.json({ success: true, ...answer });
      else if (page !== null) response.set(page.headers).send(page.html);
    },
  },
  {
    method: 'post',
    path: '/auth/logout',
    rpc: 'Auth.Logout',
    summary: 'End the session',
    tag,
    response: message,
  },
  {
    method: 'post',
    path: '/auth/switch-org',
    rpc: 'Auth.SwitchOrganization',
    summary: 'Switch the session to another organization',
    tag,
    body: z.object({ org_id: z.string() }).partial(),
    required: ['org_id'],
    response: z.object({ ...access, user }),
  },
  {
    method: 'get',
    path: '/auth/profile',
    rpc: 'Auth.GetProfile',
    summary: 'Read the profile of the caller',
    tag,
    response: profile,
  },
  {
    method: 'put',
    path: '/auth/profile',
    rpc: 'Auth.UpdateProfile',
    summary: 'Change the name of the caller; needs a session or the scope identity:manage',
    tag,
    body: z.object({ name: z.string() }).partial(),
    response: profile,
  },
  {
    method: 'get',
    path: '/auth/is-admin',
    rpc: 'Auth.IsAdmin',
    summary: 'Tell whether the caller administers the organization',
    tag,
    response: z.object({ success: z.literal(true), is_admin: z.boolean() }),
  },
  {
    method: 'get',
    path: '/auth/api-keys',
    rpc: 'Auth.ListApiKeys',
    summary: 'List the API keys of the caller, masked',
    tag,
    response: z.object({ success: z.literal(true), keys: z.array(listedKey) }),
  },
  {
    method: 'post',
    path: '/auth/api-keys',
    rpc: 'Auth.CreateApiKey',
    summary: 'Create an API key; needs a session',
    tag,
    body: z
      .object({
        name: z.string(),
        scopes: unchecked(z.array(z.string()).openapi({ description: 'none: all that the role allows' })),
        expires_days: integerOf('days until it expires; without, never', { minimum: 1 }),
      })
      .partial(),
    required: ['name'],
    status: 201,
    response: mintedKey,
  },
  {
    method: 'delete',
    path: '/auth/api-keys/{key_id}',
    rpc: 'Auth.RevokeApiKey',
    summary: 'Revoke an API key for good; needs a session or the scope identity:manage',
    tag,
    response: message,
  },
  {
    method: 'get',
    path: '/auth/allowlist/emails',
    rpc: 'Auth.ListAllowlist',
    summary: 'List the e-mail addresses that may log in',
    tag,
    response: z.object({ success: z.literal(true), emails: z.array(z.string()), count: z.int() }),
  },
  {
    method: 'post',
    path: '/auth/allowlist/emails',
    rpc: 'Auth.AddToAllowlist',
    summary: 'Allow addresses; needs the management key',
    tag,
    body: z.object({ emails: unchecked(addresses), email: unchecked(addresses) }).partial(),
    response: z.object({
      success: z.literal(true),
      message: z.string(),
      added: z.array(z.string()),
      already_present: z.array(z.string()),
      warnings: z.array(z.string()).openapi({ description: 'says so where the list was empty before' }),
    }),
  },
  {
    method: 'delete',
    path: '/auth/allowlist/emails/{email}',
    rpc: 'Auth.RemoveFromAllowlist',
    summary: 'Remove an address; needs the management key',
    tag,
    response: z.object({ success: z.literal(true), message: z.string(), email: z.string() }),
  },
  {
    method: 'get',
    path: '/organizations/{id}/members',
    rpc: 'Auth.ListMembers',
    summary: 'List the members of an organization',
    tag,
    response: z.object({ success: z.literal(true), members: z.array(member) }),
  },
  {
    method: 'post',
    path: '/organizations/{id}/members',
    rpc: 'Auth.AddMember',
    summary: 'Add a user to an organization',
    tag,
    body: memberBody,
    required: ['user_id', 'role'],
    status: 201,
    response: z.object({ success: z.literal(true), ...member.shape }),
  },
  {
    method: 'put',
    path: '/organizations/{id}/members/{user_id}',
    rpc: 'Auth.ChangeRole',
    summary: 'Change the role of a member',
    tag,
    body: z.object({ role }).partial(),
    required: ['role'],
    response: z.object({ success: z.literal(true), ...member.shape }),
  },
  {
    method: 'delete',
    path: '/organizations/{id}/members/{user_id}',
    rpc: 'Auth.RemoveMember',
    summary: 'Remove a member from an organization',
    tag,
    response: message,
  },
];
