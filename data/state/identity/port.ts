/** In an organization, from most to least. */
export type Role = 'owner' | 'admin' | 'member' | 'viewer';

/**
 * A person as an issuer vouches for them. The pair of issuer and subject identifies, the e-mail
 * address does not.
 */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  /** In lower case. */
  readonly email: string;
  readonly name: string;
}

/**
 * Ids are UUIDs in lower case that the store makes up; times are epoch ms. This holds for every
 * record here.
 */
export interface User {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** The personal organization, where each login starts. */
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
  /** What a listing shows of the key. */
  readonly keyPrefix: string;
  readonly scopes: readonly string[];
  /** The role of its owner when it was minted. */
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
  /** Id of the user who added this one; null for who founded the organization. */
  readonly invitedBy: string | null;
  readonly userName: string;
  readonly userEmail: string;
}

export interface SignIn {
  readonly identity: Identity;
  /** Tier of the personal organization, should this be the first login. */
  readonly tier: string;
  readonly refreshHash: string;
  readonly atMs: number;
  /** When the session ends. */
  readonly expiresAtMs: number;
}

/** What a redirect to an issuer leaves behind until the browser comes back. */
export interface LoginAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  readonly expiresAtMs: number;
}

/**
 * `protected`: an owner is touched by who is none. `last_owner`: the organization would be left
 * without one.
 */
export type MemberChange =
  | { readonly outcome: 'done'; readonly member: Member }
  | { readonly outcome: 'unknown' | 'protected' | 'last_owner' };

/** A credential found, with whom it stands for: null once the membership is gone. */
export interface Found<Credential> {
  readonly credential: Credential;
  readonly principal: Principal | null;
}

/**
 * Where identities live. Each method is one step that happens wholly or not at all, whatever else
 * goes on, and is durable once it has answered. Nothing here judges expiry or revocation: found
 * credentials are handed out as they are.
 */
export interface IdentityStore {
  /**
   * Opens a session for a person, in their personal organization. The first time it also creates
   * the user and that organization, of which they are the owner; two first logins at once give one
   * user. Later times the e-mail address is brought up to date, the name is not: people change that
   * themselves. A user whom others have removed from their personal organization gets a new one.
   */
  signIn(request: SignIn): Promise<{ readonly session: Session; readonly principal: Principal }>;
  findSession(sessionId: string): Promise<Found<Session> | null>;
  findSessionByRefreshHash(refreshHash: string): Promise<Found<Session> | null>;
  /** The first revocation counts, later ones change nothing. */
  revokeSession(sessionId: string, atMs: number): Promise<void>;
  /**
   * Lets a session act for another organization of its user; null where the user is no member of
   * it.
   */
  moveSession(sessionId: string, orgId: string): Promise<Principal | null>;

  /** Null unless the user is a member. */
  findPrincipal(userId: string, orgId: string): Promise<Principal | null>;
  renameUser(userId: string, name: string): Promise<void>;

  addApiKey(key: Omit<ApiKey, 'id' | 'lastUsedAtMs' | 'revokedAtMs'>, hash: string): Promise<ApiKey>;
  findApiKeyByHash(hash: string): Promise<Found<ApiKey> | null>;
  /** Revoked ones too; newest first, then by id. */
  listApiKeys(userId: string, orgId: string): Promise<readonly ApiKey[]>;
  /**
   * The key as it is then, null where this user has none of that id there. The first revocation
   * counts.
   */
  revokeApiKey(userId: string, orgId: string, keyId: string, atMs: number): Promise<ApiKey | null>;
  /** Never sets the time back. */
  touchApiKey(keyId: string, atMs: number): Promise<void>;

  /** In the order of joining, then by id. */
  listMembers(orgId: string): Promise<readonly Member[]>;
  /**
   * Null for an unknown user. One who is a member already stays as they are: `isNew` is false then.
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
  /** Answers with the member as they were. */
  removeMember(request: {
    readonly orgId: string;
    readonly userId: string;
    readonly mayTouchOwners: boolean;
  }): Promise<MemberChange>;

  /** In alphabetical order. */
  listAllowlist(): Promise<readonly string[]>;
  /** True for everybody while the list is empty. */
  isAllowed(email: string): Promise<boolean>;
  /** Keeps the order of `emails`, which names none twice. */
  addToAllowlist(
    emails: readonly string[],
    atMs: number,
  ): Promise<{ readonly added: readonly string[]; readonly alreadyPresent: readonly string[] }>;
  /** False where it was not there. */
  removeFromAllowlist(email: string): Promise<boolean>;

  /** Also forgets attempts that expired before `nowMs`. */
  saveLoginAttempt(attempt: LoginAttempt, nowMs: number): Promise<void>;
  /** Hands an attempt out once; expired ones are for the asker to refuse. */
  takeLoginAttempt(state: string): Promise<LoginAttempt | null>;
}
