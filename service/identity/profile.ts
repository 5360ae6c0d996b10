import { isoTime } from '../../engine/series/index.js';
import type { Caller, Role } from '../caller.js';
import { authorise } from './authorise.js';
import { readText } from './fields.js';
import { badCredential } from './refusals.js';
import type { SqlIdentityStore } from './store.js';

const NAME_CHARS_MAX = 200;

interface Profile {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly org_id: string;
  readonly created_at: string;
  readonly role: Role;
  readonly tier: string;
}

export async function getProfile(store: SqlIdentityStore, caller: Caller): Promise<Profile> {
  const principal = await store.findPrincipal(caller.userId, caller.orgId);
  // The member was removed after the credential was checked.
  if (principal === null) throw badCredential();
  const { user, organization, role } = principal;
  return {
    id: user.id,
    name: user.name,
    email: user.email,
    org_id: organization.id,
    created_at: isoTime(user.createdAtMs),
    role,
    tier: organization.tier,
  };
}

/**
 * @param request `name` of 1..200 characters; absent or null keeps the current one
 * @throws ApiError VALIDATION_ERROR, INSUFFICIENT_PERMISSIONS
 */
export async function updateProfile(
  store: SqlIdentityStore,
  caller: Caller,
  request: { readonly name?: unknown },
): Promise<Profile> {
  authorise(caller, 'Auth.UpdateProfile');
  if (request.name !== undefined && request.name !== null) {
    await store.renameUser(caller.userId, readText(request.name, 'name', NAME_CHARS_MAX));
  }
  return getProfile(store, caller);
}

/** Owners and admins of the organization that the caller is acting for. */
export const isAdmin = ({ role }: Caller): { readonly is_admin: boolean } => ({
  is_admin: role === 'owner' || role === 'admin',
});
