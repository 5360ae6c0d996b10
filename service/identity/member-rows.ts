import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { Database, StateSchema } from '../state/tables.js';
import type { Member, MemberChange, Role } from './records.js';

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
