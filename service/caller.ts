export const roles = ['owner', 'admin', 'member', 'viewer'] as const;
export type Role = (typeof roles)[number];

/**
 * The identity that a credential proves. Every use case takes it and answers with this user's data
 * only.
 */
export interface Caller {
  readonly userId: string;
  readonly orgId: string;
  readonly role: Role;
  /** Id of the organization's tier. */
  readonly tier: string;
  /** A key cannot mint further keys. */
  readonly credential: 'session' | 'key' | 'workload' | 'wallet';
  /** Id of the session or key, or `wallet:<address>`. */
  readonly credentialId: string;
  /** What the key was created for; empty means everything that the role allows. */
  readonly scopes: readonly string[];
}
