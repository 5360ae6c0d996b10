import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import type { Caller, Role } from '../../../../service/caller.js';
import { ManagementKey } from '../../../../service/identity/index.js';
import { MANAGEMENT_KEY, SECOND, setUpIdentity } from '../../../support/identity.js';

/** An organization with an owner and one member of each other role, all of them logged in there. */
async function organization() {
  const identity = await setUpIdentity();
  const owner = await identity.caller('owner@example.com');
  const join = async (role: Role): Promise<Caller> => {
    identity.time.nowMs += SECOND;
    const { access_token: token, user } = await identity.login(`${role}-guest@example.com`);
    await identity.members.add(owner, owner.orgId, { user_id: user.id, role });
    const caller = await identity.authenticator.authenticate(`Bearer ${token}`);
    await identity.sessions.switchOrganization(caller, { org_id: owner.orgId });
    return identity.authenticator.authenticate(`Bearer ${token}`);
  };
  const [admin, member, viewer] = [await join('admin'), await join('member'), await join('viewer')];
  return { ...identity, owner, admin, member, viewer, orgId: owner.orgId };
}

const forbidden = { code: 'INSUFFICIENT_PERMISSIONS' };

test('for non-members an organization does not exist', async () => {
  const { members, caller, orgId, owner } = await organization();
  const stranger = await caller('stranger@example.com');
  const unknown = { code: 'RESOURCE_NOT_FOUND', message: `Organization ${orgId} not found` };
  await assert.rejects(members.list(stranger, orgId), unknown);
  await assert.rejects(members.add(stranger, orgId, { user_id: stranger.userId, role: 'owner' }), unknown);
  await assert.rejects(members.changeRole(stranger, orgId, owner.userId, { role: 'viewer' }), unknown);
  await assert.rejects(members.remove(stranger, orgId, owner.userId), unknown);
});

test('members and viewers change nothing', async () => {
  const { members, member, viewer, admin, orgId } = await organization();
  for (const caller of [member, viewer]) {
    await assert.rejects(members.changeRole(caller, orgId, caller.userId, { role: 'admin' }), forbidden);
    await assert.rejects(members.remove(caller, orgId, admin.userId), forbidden);
    await assert.rejects(members.add(caller, orgId, { user_id: randomUUID(), role: 'viewer' }), forbidden);
  }
});

test('admins change roles but neither create nor change owners', async () => {
  const { members, owner, admin, member, orgId } = await organization();
  assert.equal((await members.changeRole(admin, orgId, member.userId, { role: 'viewer' })).role, 'viewer');
  await assert.rejects(members.changeRole(admin, orgId, admin.userId, { role: 'owner' }), forbidden);
  await assert.rejects(members.changeRole(admin, orgId, owner.userId, { role: 'viewer' }), forbidden);
  await assert.rejects(members.remove(admin, orgId, owner.userId), forbidden);
  await assert.rejects(members.add(admin, orgId, { user_id: member.userId, role: 'owner' }), forbidden);
});

test('changing the allowlist needs the management key', async () => {
  const { allowlist } = await setUpIdentity();
  const denied = { code: 'PERMISSION_DENIED', message: /X-Management-Key/ };
  for (const key of [undefined, '', 'wrong', `${MANAGEMENT_KEY}x`, MANAGEMENT_KEY.slice(1)]) {
    await assert.rejects(allowlist.add(key, { email: 'ann@example.com' }), denied);
    await assert.rejects(allowlist.remove(key, 'ann@example.com'), denied);
  }
  assert.throws(() => new ManagementKey(null).require(undefined), denied);
  assert.throws(() => new ManagementKey(null).require(''), denied);
  assert.throws(() => new ManagementKey('short'), /at least 16/);
});
