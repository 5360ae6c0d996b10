import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { Database, StateSchema } from '../state/tables.js';
import type { Member, MemberChange, Principal, Role, SignIn, User } from './records.js';

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

type Connection = Database | Transaction<StateSchema>;

const members = (db: Connection, orgId: string) =>
  db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .where('memberships.org_id', '=', orgId)
    .select([
      'memberships.id',
      'memberships.user_id',
      'memberships.role',
      'memberships.joined_at_ms',
      'memberships.invited_by',
      'users.name',
      'users.email',
    ]);

type MemberRow = Awaited<ReturnType<ReturnType<typeof members>['execute']>>[number];

const member = (orgId: string, row: MemberRow): Member => ({
  id: row.id,
  orgId,
  userId: row.user_id,
  role: row.role,
  joinedAtMs: row.joined_at_ms,
  invitedBy: row.invited_by,
  userName: row.name,
  userEmail: row.email,
});

export async function listMembers(db: Database, orgId: string): Promise<readonly Member[]> {
  const rows = await members(db, orgId).orderBy('memberships.joined_at_ms').orderBy('memberships.id').execute();
  return rows.map((row) => member(orgId, row));
}

export async function addMember(
  db: Database,
  {
    orgId,
    userId,
    role,
    invitedBy,
    atMs,
  }: { orgId: string; userId: string; role: Role; invitedBy: string; atMs: number },
): Promise<{ member: Member; isNew: boolean } | null> {
  return db.transaction().execute(async (transaction) => {
    const user = await transaction.selectFrom('users').where('id', '=', userId).select('id').executeTakeFirst();
    if (user === undefined) return null;
    const added = await transaction
      .insertInto('memberships')
      .values({ id: randomUUID(), org_id: orgId, user_id: userId, role, joined_at_ms: atMs, invited_by: invitedBy })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    const row = await members(transaction, orgId).where('memberships.user_id', '=', userId).executeTakeFirstOrThrow();
    return { member: member(orgId, row), isNew: added !== undefined };
  });
}

/**
 * @param role null removes the member and the webhooks that the member created for the
 *   organization, since these post the organization's events to an address that the member chose
 */
export async function changeMember(
  db: Database,
  { orgId, userId, mayTouchOwners }: { orgId: string; userId: string; mayTouchOwners: boolean },
  role: Role | null,
): Promise<MemberChange> {
  return db.transaction().execute(async (transaction) => {
    // Changes of one organization take turns: of two owners who leave at once, each must not find
    // the other still there.
    await transaction.selectFrom('organizations').where('id', '=', orgId).select('id').forUpdate().execute();
    const rows = await members(transaction, orgId).execute();
    const row = rows.find(({ user_id }) => user_id === userId);
    if (row === undefined) return { outcome: 'unknown' };
    if (row.role === 'owner' && !mayTouchOwners) return { outcome: 'protected' };
    const owners = rows.filter((each) => each.role === 'owner');
    if (row.role === 'owner' && role !== 'owner' && owners.length === 1) return { outcome: 'last_owner' };
    if (role === null) {
      await transaction.deleteFrom('memberships').where('id', '=', row.id).execute();
      await transaction.deleteFrom('webhooks').where('org_id', '=', orgId).where('user_id', '=', userId).execute();
    } else await transaction.updateTable('memberships').set({ role }).where('id', '=', row.id).execute();
    return { outcome: 'done', member: member(orgId, { ...row, role: role ?? row.role }) };
  });
}
