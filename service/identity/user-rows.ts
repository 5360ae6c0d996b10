import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { Database, StateSchema } from '../state/tables.js';
import type { Principal, SignIn, User } from './records.js';

/** The user of an identity, created or updated, with a personal organization. */
export async function saveUser(
  transaction: Transaction<StateSchema>,
  { issuer, subject, email, name }: SignIn['identity'],
  tier: string,
  atMs: number,
): Promise<User> {
  const orgId = randomUUID();
  const found = await findUser(transaction, issuer, subject);
  if (found === undefined) {
    await transaction.insertInto('organizations').values({ id: orgId, name, tier, created_at_ms: atMs }).execute();
    const added = await transaction
      .insertInto('users')
      .values({ id: randomUUID(), issuer, subject, email, name, home_org_id: orgId, created_at_ms: atMs })
      // The slower of two first logins finds the other's user.
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
    if (added !== undefined) {
      await join(transaction, orgId, added.id, atMs);
      return userFrom(added);
    }
    await transaction.deleteFrom('organizations').where('id', '=', orgId).execute();
  }
  // biome-ignore lint/style/noNonNullAssertion: the conflict shows that the user exists
  const known = found ?? (await findUser(transaction, issuer, subject))!;
  const membership = await transaction
    .selectFrom('memberships')
    .where('org_id', '=', known.home_org_id)
    .where('user_id', '=', known.id)
    .select('id')
    .executeTakeFirst();
  if (membership === undefined) {
    await transaction
      .insertInto('organizations')
      .values({ id: orgId, name: known.name, tier, created_at_ms: atMs })
      .execute();
    await join(transaction, orgId, known.id, atMs);
  }
  const home_org_id = membership === undefined ? orgId : known.home_org_id;
  await transaction.updateTable('users').set({ email, home_org_id }).where('id', '=', known.id).execute();
  return userFrom({ ...known, email, home_org_id });
}

const findUser = (transaction: Transaction<StateSchema>, issuer: string, subject: string) =>
  transaction
    .selectFrom('users')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .selectAll()
    .forUpdate()
    .executeTakeFirst();

async function join(transaction: Transaction<StateSchema>, orgId: string, userId: string, atMs: number) {
  const membership = { id: randomUUID(), org_id: orgId, user_id: userId, role: 'owner' as const };
  await transaction
    .insertInto('memberships')
    .values({ ...membership, joined_at_ms: atMs, invited_by: null })
    .execute();
}

/** Null unless the user is a member. */
export async function findPrincipal(
  db: Database | Transaction<StateSchema>,
  userId: string,
  orgId: string,
): Promise<Principal | null> {
  const row = await db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .innerJoin('organizations', 'organizations.id', 'memberships.org_id')
    .where('memberships.user_id', '=', userId)
    .where('memberships.org_id', '=', orgId)
    .select([
      'memberships.role',
      'users.email',
      'users.name',
      'users.home_org_id',
      'users.created_at_ms',
      'organizations.name as org_name',
      'organizations.tier',
      'organizations.created_at_ms as org_created_at_ms',
    ])
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    user: userFrom({ ...row, id: userId }),
    organization: { id: orgId, name: row.org_name, tier: row.tier, createdAtMs: row.org_created_at_ms },
    role: row.role,
  };
}

type UserColumns = { id: string; email: string; name: string; home_org_id: string; created_at_ms: number };

const userFrom = ({ id, email, name, home_org_id, created_at_ms }: UserColumns): User => ({
  id,
  email,
  name,
  homeOrgId: home_org_id,
  createdAtMs: created_at_ms,
});
