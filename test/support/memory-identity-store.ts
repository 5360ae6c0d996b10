import { randomUUID } from 'node:crypto';
import type {
  ApiKey,
  Found,
  IdentityStore,
  LoginAttempt,
  Member,
  MemberChange,
  Organization,
  Principal,
  Session,
  SignIn,
  User,
} from '../../data/state/index.js';
import type { Role } from '../../service/caller.js';

type Membership = Omit<Member, 'userName' | 'userEmail'>;

/** Identities in maps. No method awaits, so each is one atomic step. */
export class MemoryIdentityStore implements IdentityStore {
  readonly #users = new Map<string, User>();
  readonly #userByIdentity = new Map<string, string>();
  readonly #organizations = new Map<string, Organization>();
  readonly #memberships: Membership[] = [];
  readonly #sessions = new Map<string, Session>();
  readonly #sessionByHash = new Map<string, string>();
  readonly #keys = new Map<string, ApiKey>();
  readonly #keyByHash = new Map<string, string>();
  readonly #allowed = new Set<string>();
  readonly #attempts = new Map<string, LoginAttempt>();

  async signIn({ identity, tier, refreshHash, atMs, expiresAtMs }: SignIn) {
    const identityKey = JSON.stringify([identity.issuer, identity.subject]);
    const known = this.#users.get(this.#userByIdentity.get(identityKey) ?? '');
    const hasHome = known !== undefined && this.#membership(known.homeOrgId, known.id) !== undefined;
    const user: User = {
      ...(known ?? { id: randomUUID(), name: identity.name, createdAtMs: atMs }),
      email: identity.email,
      homeOrgId: hasHome ? known.homeOrgId : randomUUID(),
    };
    this.#users.set(user.id, user);
    this.#userByIdentity.set(identityKey, user.id);
    if (!hasHome) {
      this.#organizations.set(user.homeOrgId, { id: user.homeOrgId, name: user.name, tier, createdAtMs: atMs });
      this.#join({ orgId: user.homeOrgId, userId: user.id, role: 'owner', invitedBy: null, atMs });
    }
    const session = {
      id: randomUUID(),
      userId: user.id,
      orgId: user.homeOrgId,
      createdAtMs: atMs,
      expiresAtMs,
      revokedAtMs: null,
    };
    this.#sessions.set(session.id, session);
    this.#sessionByHash.set(refreshHash, session.id);
    return { session, principal: this.#principal(user.id, user.homeOrgId)! };
  }

  async findSession(sessionId: string): Promise<Found<Session> | null> {
    return this.#found(this.#sessions.get(sessionId));
  }

  async findSessionByRefreshHash(refreshHash: string): Promise<Found<Session> | null> {
    return this.#found(this.#sessions.get(this.#sessionByHash.get(refreshHash) ?? ''));
  }

  async revokeSession(sessionId: string, atMs: number): Promise<void> {
    const session = this.#sessions.get(sessionId);
    if (session?.revokedAtMs === null) this.#sessions.set(sessionId, { ...session, revokedAtMs: atMs });
  }

  async moveSession(sessionId: string, orgId: string): Promise<Principal | null> {
    const session = this.#sessions.get(sessionId);
    const principal = session ? this.#principal(session.userId, orgId) : null;
    if (session && principal) this.#sessions.set(sessionId, { ...session, orgId });
    return principal;
  }

  async findPrincipal(userId: string, orgId: string): Promise<Principal | null> {
    return this.#principal(userId, orgId);
  }

  async renameUser(userId: string, name: string): Promise<void> {
    const user = this.#users.get(userId);
    if (user) this.#users.set(userId, { ...user, name });
  }

  async addApiKey(key: Omit<ApiKey, 'id' | 'lastUsedAtMs' | 'revokedAtMs'>, hash: string): Promise<ApiKey> {
    const stored = { ...key, id: randomUUID(), lastUsedAtMs: null, revokedAtMs: null };
    this.#keys.set(stored.id, stored);
    this.#keyByHash.set(hash, stored.id);
    return stored;
  }

  async findApiKeyByHash(hash: string): Promise<Found<ApiKey> | null> {
    return this.#found(this.#keys.get(this.#keyByHash.get(hash) ?? ''));
  }

  async listApiKeys(userId: string, orgId: string): Promise<readonly ApiKey[]> {
    return [...this.#keys.values()]
      .filter((key) => key.userId === userId && key.orgId === orgId)
      .sort((a, b) => b.createdAtMs - a.createdAtMs || (a.id < b.id ? -1 : 1));
  }

  async revokeApiKey(userId: string, orgId: string, keyId: string, atMs: number): Promise<ApiKey | null> {
    const key = this.#keys.get(keyId);
    if (key?.userId !== userId || key.orgId !== orgId) return null;
    const revoked = { ...key, revokedAtMs: key.revokedAtMs ?? atMs };
    this.#keys.set(keyId, revoked);
    return revoked;
  }

  async touchApiKey(keyId: string, atMs: number): Promise<void> {
    const key = this.#keys.get(keyId);
    if (key) this.#keys.set(keyId, { ...key, lastUsedAtMs: Math.max(atMs, key.lastUsedAtMs ?? -Infinity) });
  }

  async listMembers(orgId: string): Promise<readonly Member[]> {
    return this.#memberships
      .filter((membership) => membership.orgId === orgId)
      .sort((a, b) => a.joinedAtMs - b.joinedAtMs || (a.id < b.id ? -1 : 1))
      .map((membership) => this.#member(membership));
  }

  async addMember(request: { orgId: string; userId: string; role: Role; invitedBy: string; atMs: number }) {
    if (!this.#users.has(request.userId)) return null;
    const known = this.#membership(request.orgId, request.userId);
    return { member: this.#member(known ?? this.#join(request)), isNew: known === undefined };
  }

  async changeRole(request: { orgId: string; userId: string; role: Role; mayTouchOwners: boolean }) {
    return this.#change(request, (member) => ({ ...member, role: request.role }));
  }

  async removeMember(request: { orgId: string; userId: string; mayTouchOwners: boolean }) {
    return this.#change(request, () => null);
  }

  async listAllowlist(): Promise<readonly string[]> {
    return [...this.#allowed].sort();
  }

  async isAllowed(email: string): Promise<boolean> {
    return this.#allowed.size === 0 || this.#allowed.has(email);
  }

  async addToAllowlist(emails: readonly string[], _atMs: number) {
    const added = emails.filter((email) => !this.#allowed.has(email));
    const alreadyPresent = emails.filter((email) => this.#allowed.has(email));
    for (const email of added) this.#allowed.add(email);
    return { added, alreadyPresent };
  }

  async removeFromAllowlist(email: string): Promise<boolean> {
    return this.#allowed.delete(email);
  }

  async saveLoginAttempt(attempt: LoginAttempt, nowMs: number): Promise<void> {
    for (const [state, { expiresAtMs }] of this.#attempts) if (expiresAtMs < nowMs) this.#attempts.delete(state);
    this.#attempts.set(attempt.state, attempt);
  }

  async takeLoginAttempt(state: string): Promise<LoginAttempt | null> {
    const attempt = this.#attempts.get(state) ?? null;
    this.#attempts.delete(state);
    return attempt;
  }

  #found<C extends { readonly userId: string; readonly orgId: string }>(credential: C | undefined): Found<C> | null {
    if (credential === undefined) return null;
    return { credential, principal: this.#principal(credential.userId, credential.orgId) };
  }

  #principal(userId: string, orgId: string): Principal | null {
    const user = this.#users.get(userId);
    const organization = this.#organizations.get(orgId);
    const membership = this.#membership(orgId, userId);
    return user && organization && membership ? { user, organization, role: membership.role } : null;
  }

  #membership(orgId: string, userId: string): Membership | undefined {
    return this.#memberships.find((each) => each.orgId === orgId && each.userId === userId);
  }

  #join(request: { orgId: string; userId: string; role: Role; invitedBy: string | null; atMs: number }): Membership {
    const { atMs, ...facts } = request;
    const membership = { id: randomUUID(), ...facts, joinedAtMs: atMs };
    this.#memberships.push(membership);
    return membership;
  }

  #change(
    { orgId, userId, mayTouchOwners }: { orgId: string; userId: string; mayTouchOwners: boolean },
    next: (membership: Membership) => Membership | null,
  ): MemberChange {
    const membership = this.#membership(orgId, userId);
    if (membership === undefined) return { outcome: 'unknown' };
    if (membership.role === 'owner' && !mayTouchOwners) return { outcome: 'protected' };
    const changed = next(membership);
    const owners = this.#memberships.filter((each) => each.orgId === orgId && each.role === 'owner');
    if (membership.role === 'owner' && changed?.role !== 'owner' && owners.length === 1) {
      return { outcome: 'last_owner' };
    }
    this.#memberships.splice(this.#memberships.indexOf(membership), 1, ...(changed ? [changed] : []));
    return { outcome: 'done', member: this.#member(changed ?? membership) };
  }

  #member(membership: Membership): Member {
    const user = this.#users.get(membership.userId)!;
    return { ...membership, userName: user.name, userEmail: user.email };
  }
}
