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

interface Organization {
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
