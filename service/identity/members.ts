import { isUuid } from '../../data/state/index.js';
import { quote } from '../../engine/errors.js';
import { isoTime } from '../../engine/series/index.js';
import { ApiError, notFound, requireFields } from '../api-error.js';
import { type Caller, type Role, roles } from '../caller.js';
import type { WallClock } from '../wall-clock.js';
import type { CredentialCache } from './credential-cache.js';
import type { Member, MemberChange } from './records.js';
import { badCredential, badValue, readText } from './refusals.js';
import { authorise } from './scopes.js';
import type { SqlIdentityStore } from './store.js';

interface MemberParts {
  readonly store: SqlIdentityStore;
  readonly cache: CredentialCache;
  readonly clock: WallClock;
}

interface MemberAnswer {
  readonly id: string;
  readonly org_id: string;
  readonly user_id: string;
  readonly role: Role;
  readonly joined_at: string;
  readonly invited_by: string | null;
  readonly user_name: string;
  readonly user_email: string;
}

/**
 * Manages the members of the organization that the caller is acting for; other organizations appear
 * not to exist. Owners and admins can make changes, with a session. Only owners can add, change or
 * remove owners, and at least one owner always remains.
 */
export class Members {
  readonly #parts: MemberParts;

  constructor(parts: MemberParts) {
    this.#parts = parts;
  }

  /** @throws ApiError RESOURCE_NOT_FOUND */
  async list(caller: Caller, orgId: string): Promise<{ readonly members: readonly MemberAnswer[] }> {
    requireOwn(caller, orgId);
    const members = await this.#parts.store.listMembers(caller.orgId);
    return { members: members.map(toAnswer) };
  }

  /**
   * Adds a user who has logged in before, by the id in their profile.
   * @throws ApiError CONFLICT for a user who is already a member
   */
  async add(
    caller: Caller,
    orgId: string,
    request: { readonly user_id?: unknown; readonly role?: unknown },
  ): Promise<MemberAnswer> {
    authorise(caller, 'Auth.AddMember');
    requireManager(caller, orgId);
    requireFields(request, ['user_id', 'role']);
    const role = readRole(request.role);
    if (role === 'owner' && caller.role !== 'owner') throw ownersOnly();
    const { user_id: userId } = request;
    const { store, clock } = this.#parts;
    const added = isUuid(userId)
      ? await store.addMember({
          orgId: caller.orgId,
          userId: userId.toLowerCase(),
          role,
          invitedBy: caller.userId,
          atMs: clock(),
        })
      : null;
    if (added === null) throw notFound('User', typeof userId === 'string' ? userId : quote(userId));
    if (!added.isNew) throw new ApiError('CONFLICT', `User ${added.member.userId} is already a member`);
    return toAnswer(added.member);
  }

  /** @throws ApiError CONFLICT if no owner would remain */
  async changeRole(
    caller: Caller,
    orgId: string,
    userId: string,
    request: { readonly role?: unknown },
  ): Promise<MemberAnswer> {
    authorise(caller, 'Auth.ChangeRole');
    requireManager(caller, orgId);
    requireFields(request, ['role']);
    const role = readRole(request.role);
    const mayTouchOwners = caller.role === 'owner';
    if (role === 'owner' && !mayTouchOwners) throw ownersOnly();
    if (!isUuid(userId)) throw notFound('Member', userId);
    const target = { orgId: caller.orgId, userId: userId.toLowerCase(), mayTouchOwners };
    return this.#settle(await this.#parts.store.changeRole({ ...target, role }), userId);
  }

  /**
   * Removes a member. Their sessions and keys for this organization stop working, and webhooks that
   * they created are deleted.
   * @throws ApiError CONFLICT if no owner would remain
   */
  async remove(caller: Caller, orgId: string, userId: string): Promise<{ readonly message: string }> {
    authorise(caller, 'Auth.RemoveMember');
    requireManager(caller, orgId);
    if (!isUuid(userId)) throw notFound('Member', userId);
    const mayTouchOwners = caller.role === 'owner';
    const target = { orgId: caller.orgId, userId: userId.toLowerCase(), mayTouchOwners };
    await this.#settle(await this.#parts.store.removeMember(target), userId);
    return { message: 'Member removed' };
  }

  async #settle(change: MemberChange, userId: string): Promise<MemberAnswer> {
    if (change.outcome === 'done') {
      await this.#parts.cache.revoked({ kind: 'user', id: change.member.userId });
      return toAnswer(change.member);
    }
    if (change.outcome === 'unknown') throw notFound('Member', userId);
    if (change.outcome === 'protected') throw ownersOnly();
    throw new ApiError('CONFLICT', 'An organization must keep at least one owner');
  }
}

function requireOwn(caller: Caller, orgId: string): void {
  if (orgId.toLowerCase() !== caller.orgId) throw notFound('Organization', orgId);
}

function requireManager(caller: Caller, orgId: string): void {
  requireOwn(caller, orgId);
  if (caller.role === 'owner' || caller.role === 'admin') return;
  throw new ApiError('INSUFFICIENT_PERMISSIONS', `Changing members needs the role owner or admin, was ${caller.role}`);
}

const ownersOnly = (): ApiError =>
  new ApiError('INSUFFICIENT_PERMISSIONS', 'Making, changing or removing an owner needs the role owner');

function readRole(value: unknown): Role {
  const role = roles.find((each) => each === value);
  if (role === undefined) throw badValue('role', `must be one of ${roles.join(', ')}, was ${quote(value)}`);
  return role;
}

const toAnswer = (member: Member): MemberAnswer => ({
  id: member.id,
  org_id: member.orgId,
  user_id: member.userId,
  role: member.role,
  joined_at: isoTime(member.joinedAtMs),
  invited_by: member.invitedBy,
  user_name: member.userName,
  user_email: member.userEmail,
});

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
