/** The role in an organization, from the most powerful to the least. */
export type Role = 'owner' | 'admin' | 'member' | 'viewer';

/**
 * A person as an issuer identifies them: by issuer and subject together, not by the e-mail address.
 */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  /** In lower case. */
  readonly email: string;
  readonly name: string;
}

/**
 * In every record here, ids are UUIDs in lower case that the store generates, and times are epoch
 * ms.
 */
export interface User {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** The personal organization, in which each login starts. */
  readonly homeOrgId: string;
  readonly createdAtMs: number;
}

export interface Organization {
  readonly id: string;
  readonly name: string;
  /** Id of a tier. */
  readonly tier: string;
  readonly createdAtMs: number;
}

/** A user acting for an organization. Exists as long as the membership does. */
export interface Principal {
  readonly user: User;
  readonly organization: Organization;
  readonly role: Role;
}

export interface Session {
  readonly id: string;
  readonly userId: string;
  readonly orgId: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  readonly revokedAtMs: number | null;
}

export interface ApiKey {
  readonly id: string;
  readonly userId: string;
  readonly orgId: string;
  readonly name: string;
  /** The part of the key that a listing shows. */
  readonly keyPrefix: string;
  readonly scopes: readonly string[];
  /** The owner's role when the key was created. */
  readonly mintedAs: Role;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
  readonly lastUsedAtMs: number | null;
  readonly revokedAtMs: number | null;
}

export interface Member {
  /** Id of the membership. */
  readonly id: string;
  readonly orgId: string;
  readonly userId: string;
  readonly role: Role;
  readonly joinedAtMs: number;
  /** Id of the user who added this one; null for the founder of the organization. */
  readonly invitedBy: string | null;
  readonly userName: string;
  readonly userEmail: string;
}

export interface SignIn {
  readonly identity: Identity;
  /** Tier of the personal organization, if this login creates it. */
  readonly tier: string;
  readonly refreshHash: string;
  readonly atMs: number;
  /** When the session ends. */
  readonly expiresAtMs: number;
}

/** The state of a login between the redirect to an issuer and the browser's return. */
export interface LoginAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly expiresAtMs: number;
}

/**
 * `protected`: only an owner can change an owner. `last_owner`: the organization would be left
 * without an owner.
 */
export type MemberChange =
  | { readonly outcome: 'done'; readonly member: Member }
  | { readonly outcome: 'unknown' | 'protected' | 'last_owner' };

/**
 * A credential and the principal it stands for; the principal is null once the membership is gone.
 */
export interface Found<Credential> {
  readonly credential: Credential;
  readonly principal: Principal | null;
}

/**
 * The store of identities. Each method is atomic and durable once it has answered. The store does
 * not check expiry or revocation; it returns credentials as they are.
 */
export interface IdentityStore {
  /**
   * Opens a session for a person in their personal organization. The first login also creates the
   * user and that organization, with the user as its owner; two concurrent first logins create one
   * user. Later logins update the e-mail address but not the name, which users change themselves. A
   * user who was removed from their personal organization gets a new one.
   */
  signIn(request: SignIn): Promise<{ readonly session: Session; readonly principal: Principal }>;
  findSession(sessionId: string): Promise<Found<Session> | null>;
  findSessionByRefreshHash(refreshHash: string): Promise<Found<Session> | null>;
  /** The first revocation counts; later ones change nothing. */
  revokeSession(sessionId: string, atMs: number): Promise<void>;
  /**
   * Moves a session to another organization of its user; null when the user is not a member of it.
   */
  moveSession(sessionId: string, orgId: string): Promise<Principal | null>;

  /** Null unless the user is a member. */
  findPrincipal(userId: string, orgId: string): Promise<Principal | null>;
  renameUser(userId: string, name: string): Promise<void>;

  addApiKey(key: Omit<ApiKey, 'id' | 'lastUsedAtMs' | 'revokedAtMs'>, hash: string): Promise<ApiKey>;
  findApiKeyByHash(hash: string): Promise<Found<ApiKey> | null>;
  /** Including revoked keys; newest first, then by id. */
  listApiKeys(userId: string, orgId: string): Promise<readonly ApiKey[]>;
  /**
   * The revoked key; null when the user has no key with that id in the organization. The first
   * revocation counts.
   */
  revokeApiKey(userId: string, orgId: string, keyId: string, atMs: number): Promise<ApiKey | null>;
  /** Records the last use; never sets it back. */
  touchApiKey(keyId: string, atMs: number): Promise<void>;

  /** In the order of joining, then by id. */
  listMembers(orgId: string): Promise<readonly Member[]>;
  /**
   * Adds a member; null for an unknown user. An existing member stays unchanged, with `isNew`
   * false.
   */
  addMember(request: {
    readonly orgId: string;
    readonly userId: string;
    readonly role: Role;
    readonly invitedBy: string;
    readonly atMs: number;
  }): Promise<{ readonly member: Member; readonly isNew: boolean } | null>;
  changeRole(request: {
    readonly orgId: string;
    readonly userId: string;
    readonly role: Role;
    readonly mayTouchOwners: boolean;
  }): Promise<MemberChange>;
  /** Returns the member as before the removal. */
  removeMember(request: {
    readonly orgId: string;
    readonly userId: string;
    readonly mayTouchOwners: boolean;
  }): Promise<MemberChange>;

  /** In alphabetical order. */
  listAllowlist(): Promise<readonly string[]>;
  /** True for every address while the list is empty. */
  isAllowed(email: string): Promise<boolean>;
  /** Adds addresses in the order of `emails`, which must be distinct. */
  addToAllowlist(
    emails: readonly string[],
    atMs: number,
  ): Promise<{ readonly added: readonly string[]; readonly alreadyPresent: readonly string[] }>;
  /** False when the address was not on the list. */
  removeFromAllowlist(email: string): Promise<boolean>;

  /** Saves an attempt and deletes attempts that expired before `nowMs`. */
  saveLoginAttempt(attempt: LoginAttempt, nowMs: number): Promise<void>;
  /** Returns an attempt and deletes it. The caller must refuse an expired one. */
  takeLoginAttempt(state: string): Promise<LoginAttempt | null>;
}
