import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { Database } from '../state/tables.js';
import type { ApiKey, Found, LoginAttempt, Member, MemberChange, Principal, Role, Session, SignIn } from './records.js';
import type { ApiKeyTable, SessionTable } from './tables.js';
import { addMember, changeMember, findPrincipal, listMembers, saveUser } from './user-rows.js';

/**
 * Identities in the state's tables. Each method is atomic and durable once it has answered. The
 * store does not check expiry or revocation; it returns credentials as they are.
 */
export class SqlIdentityStore {
  constructor(private readonly db: Database) {}

  /**
   * Opens a session for a person in their personal organization. The first login also creates the
   * user and that organization, with the user as its owner; two concurrent first logins create one
   * user. Later logins update the e-mail address but not the name, which users change themselves. A
   * user who was removed from their personal organization gets a new one.
   */
  async signIn({ identity, tier, refreshHash, atMs, expiresAtMs }: SignIn) {
    return this.db.transaction().execute(async (transaction) => {
      const user = await saveUser(transaction, identity, tier, atMs);
      const session: Session = {
        id: randomUUID(),
        userId: user.id,
        orgId: user.homeOrgId,
        createdAtMs: atMs,
        expiresAtMs,
        revokedAtMs: null,
      };
      await transaction
        .insertInto('sessions')
        .values({
          id: session.id,
          user_id: session.userId,
          org_id: session.orgId,
          refresh_hash: refreshHash,
          created_at_ms: atMs,
          expires_at_ms: expiresAtMs,
          revoked_at_ms: null,
        })
        .execute();
      const principal = await findPrincipal(transaction, user.id, user.homeOrgId);
      // biome-ignore lint/style/noNonNullAssertion: the membership was created with the user
      return { session, principal: principal! };
    });
  }

  async findSession(sessionId: string): Promise<Found<Session> | null> {
    const row = await this.db.selectFrom('sessions').where('id', '=', sessionId).selectAll().executeTakeFirst();
    return this.found(row, toSession);
  }

  async findSessionByRefreshHash(refreshHash: string): Promise<Found<Session> | null> {
    const sessions = this.db.selectFrom('sessions').where('refresh_hash', '=', refreshHash);
    return this.found(await sessions.selectAll().executeTakeFirst(), toSession);
  }

  /** Whether a session that was opened after `sinceMs` had this hash; it has the new one then. */
  async replaceRefreshHash(hash: string, newHash: string, sinceMs: number): Promise<boolean> {
    const replaced = await this.db
      .updateTable('sessions')
      .set({ refresh_hash: newHash })
      .where('refresh_hash', '=', hash)
      .where('created_at_ms', '>', sinceMs)
      .executeTakeFirst();
    return replaced.numUpdatedRows > 0n;
  }

  /** The first revocation counts; later ones change nothing. */
  async revokeSession(sessionId: string, atMs: number): Promise<void> {
    await this.db
      .updateTable('sessions')
      .set({ revoked_at_ms: atMs })
      .where('id', '=', sessionId)
      .where('revoked_at_ms', 'is', null)
      .execute();
  }

  /**
   * Moves a session to another organization of its user; null when the user is not a member of it.
   */
  async moveSession(sessionId: string, orgId: string): Promise<Principal | null> {
    return this.db.transaction().execute(async (transaction) => {
      const session = await transaction
        .selectFrom('sessions')
        .where('id', '=', sessionId)
        .select('user_id')
        .forUpdate()
        .executeTakeFirst();
      const principal = session === undefined ? null : await findPrincipal(transaction, session.user_id, orgId);
      if (principal !== null) {
        await transaction.updateTable('sessions').set({ org_id: orgId }).where('id', '=', sessionId).execute();
      }
      return principal;
    });
  }

  /** Null unless the user is a member. */
  async findPrincipal(userId: string, orgId: string): Promise<Principal | null> {
    return findPrincipal(this.db, userId, orgId);
  }

  async renameUser(userId: string, name: string): Promise<void> {
    await this.db.updateTable('users').set({ name }).where('id', '=', userId).execute();
  }

  async addApiKey(key: Omit<ApiKey, 'id' | 'lastUsedAtMs' | 'revokedAtMs'>, hash: string): Promise<ApiKey> {
    const stored: ApiKey = { ...key, id: randomUUID(), lastUsedAtMs: null, revokedAtMs: null };
    await this.db
      .insertInto('api_keys')
      .values({
        id: stored.id,
        user_id: key.userId,
        org_id: key.orgId,
        hash,
        name: key.name,
        key_prefix: key.keyPrefix,
        scopes: JSON.stringify(key.scopes),
        minted_as: key.mintedAs,
        created_at_ms: key.createdAtMs,
        expires_at_ms: key.expiresAtMs,
        last_used_at_ms: null,
        revoked_at_ms: null,
      })
      .execute();
    return stored;
  }

  async findApiKeyByHash(hash: string): Promise<Found<ApiKey> | null> {
    const row = await this.db.selectFrom('api_keys').where('hash', '=', hash).selectAll().executeTakeFirst();
    return this.found(row, apiKey);
  }

  /** Including revoked keys; newest first, then by id. */
  async listApiKeys(userId: string, orgId: string): Promise<readonly ApiKey[]> {
    const rows = await this.db
      .selectFrom('api_keys')
      .where('user_id', '=', userId)
      .where('org_id', '=', orgId)
      .selectAll()
      .orderBy('created_at_ms', 'desc')
      .orderBy('id')
      .execute();
    return rows.map(apiKey);
  }

  /**
   * The revoked key; null when the user has no key with that id in the organization. The first
   * revocation counts.
   */
  async revokeApiKey(userId: string, orgId: string, keyId: string, atMs: number): Promise<ApiKey | null> {
    const row = await this.db
      .updateTable('api_keys')
      .set(({ fn, ref, val }) => ({ revoked_at_ms: fn.coalesce(ref('revoked_at_ms'), val(atMs)) }))
      .where('id', '=', keyId)
      .where('user_id', '=', userId)
      .where('org_id', '=', orgId)
      .returningAll()
      .executeTakeFirst();
    return row === undefined ? null : apiKey(row);
  }

  /** Records the last use; never sets it back. */
  async touchApiKey(keyId: string, atMs: number): Promise<void> {
    await this.db
      .updateTable('api_keys')
      .set({ last_used_at_ms: atMs })
      .where('id', '=', keyId)
      .where(({ eb, or }) => or([eb('last_used_at_ms', 'is', null), eb('last_used_at_ms', '<', atMs)]))
      .execute();
  }

  /** In the order of joining, then by id. */
  async listMembers(orgId: string): Promise<readonly Member[]> {
    return listMembers(this.db, orgId);
  }

  /**
   * Adds a member; null for an unknown user. An existing member stays unchanged, with `isNew`
   * false.
   */
  async addMember(request: { orgId: string; userId: string; role: Role; invitedBy: string; atMs: number }) {
    return addMember(this.db, request);
  }

  async changeRole(request: {
    orgId: string;
    userId: string;
    role: Role;
    mayTouchOwners: boolean;
  }): Promise<MemberChange> {
    return changeMember(this.db, request, request.role);
  }

  /** Returns the member as before the removal. */
  async removeMember(request: { orgId: string; userId: string; mayTouchOwners: boolean }): Promise<MemberChange> {
    return changeMember(this.db, request, null);
  }

  /** In alphabetical order. */
  async listAllowlist(): Promise<readonly string[]> {
    const rows = await this.db.selectFrom('allowed_emails').select('email').execute();
    // `sort` compares code points, since the collations of servers differ.
    return rows.map(({ email }) => email).sort();
  }

  /** True for every address while the list is empty. */
  async isAllowed(email: string): Promise<boolean> {
    const answer = await this.db
      .selectNoFrom(({ exists, not, or, selectFrom }) => {
        const listed = selectFrom('allowed_emails').select('email');
        return or([not(exists(listed)), exists(listed.where('email', '=', email))]).as('is_allowed');
      })
      .executeTakeFirst();
    return Boolean(answer?.is_allowed);
  }

  /** Adds addresses in the order of `emails`, which must be distinct. */
  async addToAllowlist(emails: readonly string[], atMs: number) {
    const rows = await this.db
      .insertInto('allowed_emails')
      .values(emails.map((email) => ({ email, added_at_ms: atMs })))
      .onConflict((conflict) => conflict.doNothing())
      .returning('email')
      .execute();
    const isNew = new Set(rows.map(({ email }) => email));
    return {
      added: emails.filter((email) => isNew.has(email)),
      alreadyPresent: emails.filter((email) => !isNew.has(email)),
    };
  }

  /** False when the address was not on the list. */
  async removeFromAllowlist(email: string): Promise<boolean> {
    const { numDeletedRows } = await this.db.deleteFrom('allowed_emails').where('email', '=', email).executeTakeFirst();
    return numDeletedRows > 0n;
  }

  /** Saves an attempt and deletes attempts that expired before `nowMs`. */
  async saveLoginAttempt({ state, nonce, codeVerifier, expiresAtMs }: LoginAttempt, nowMs: number): Promise<void> {
    await this.db.deleteFrom('login_attempts').where('expires_at_ms', '<', nowMs).execute();
    await this.db
      .insertInto('login_attempts')
      .values({ state, nonce, code_verifier: codeVerifier, expires_at_ms: expiresAtMs })
      .execute();
  }

  /** Returns an attempt and deletes it. The caller must refuse an expired one. */
  async takeLoginAttempt(state: string): Promise<LoginAttempt | null> {
    const row = await this.db.deleteFrom('login_attempts').where('state', '=', state).returningAll().executeTakeFirst();
    if (row === undefined) return null;
    return { state, nonce: row.nonce, codeVerifier: row.code_verifier, expiresAtMs: row.expires_at_ms };
  }

  private async found<Row extends { user_id: string; org_id: string }, Credential>(
    row: Row | undefined,
    read: (row: Row) => Credential,
  ): Promise<Found<Credential> | null> {
    if (row === undefined) return null;
    return { credential: read(row), principal: await findPrincipal(this.db, row.user_id, row.org_id) };
  }
}

const toSession = (row: Selectable<SessionTable>): Session => ({
  id: row.id,
  userId: row.user_id,
  orgId: row.org_id,
  createdAtMs: row.created_at_ms,
  expiresAtMs: row.expires_at_ms,
  revokedAtMs: row.revoked_at_ms,
});

const apiKey = (row: Selectable<ApiKeyTable>): ApiKey => ({
  id: row.id,
  userId: row.user_id,
  orgId: row.org_id,
  name: row.name,
  keyPrefix: row.key_prefix,
  scopes: row.scopes,
  mintedAs: row.minted_as,
  createdAtMs: row.created_at_ms,
  expiresAtMs: row.expires_at_ms,
  lastUsedAtMs: row.last_used_at_ms,
  revokedAtMs: row.revoked_at_ms,
});
