import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { Quotas } from '../../../../service/access/index.js';
import { SqlUsageStore } from '../../../../service/access/usage-counts.js';
import type { Caller, Role } from '../../../../service/caller.js';
import { EXPERIMENT_RUNS_MAX, ManagementKey, Tiers } from '../../../../service/identity/index.js';
import { Usage } from '../../../../service/usage/capability.js';
import { MANAGEMENT_KEY, SECOND, setUpIdentity } from '../../../support/identity.js';
import { sharedState } from '../../../support/shared-state.js';

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

test('every member sees the members', async () => {
  const { members, owner, viewer, orgId } = await organization();
  const list = (await members.list(viewer, orgId)).members;
  assert.deepEqual(
    list.map(({ role }) => role),
    ['owner', 'admin', 'member', 'viewer'],
  );
  const { id, ...facts } = list.find(({ role }) => role === 'viewer')!;
  assert.match(id, /^[0-9a-f-]{36}$/);
  assert.deepEqual(facts, {
    org_id: orgId,
    user_id: viewer.userId,
    role: 'viewer',
    joined_at: '2024-06-01T12:00:03Z',
    invited_by: owner.userId,
    user_name: 'viewer-guest',
    user_email: 'viewer-guest@example.com',
  });
});

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

test('an organization keeps an owner', async () => {
  const { members, owner, admin, orgId } = await organization();
  await assert.rejects(members.changeRole(owner, orgId, owner.userId, { role: 'admin' }), { code: 'CONFLICT' });
  await assert.rejects(members.remove(owner, orgId, owner.userId), { code: 'CONFLICT' });
  await members.changeRole(owner, orgId, admin.userId.toUpperCase(), { role: 'owner' });
  assert.equal((await members.changeRole(owner, orgId, owner.userId, { role: 'admin' })).role, 'admin');
});

test('a key changes no members, regardless of who minted it', async () => {
  const { members, keys, authenticator, owner, viewer, orgId } = await organization();
  const { key } = await keys.create(owner, { name: 'ci' });
  const robot = await authenticator.authenticate(`Bearer ${key}`);
  await assert.rejects(members.changeRole(robot, orgId, viewer.userId, { role: 'owner' }), {
    code: 'PERMISSION_DENIED',
  });
  await assert.rejects(members.remove(robot, orgId, viewer.userId), { code: 'PERMISSION_DENIED' });
  await assert.rejects(members.add(robot, orgId, { user_id: viewer.userId, role: 'viewer' }), {
    code: 'PERMISSION_DENIED',
  });
});

test('requests about members are checked', async () => {
  const { members, owner, viewer, orgId } = await organization();
  await assert.rejects(members.add(owner, orgId, {}), {
    code: 'MISSING_FIELD',
    message: 'Missing required fields: user_id, role',
  });
  await assert.rejects(members.add(owner, orgId, { user_id: viewer.userId, role: 'viewer' }), { code: 'CONFLICT' });
  for (const userId of [randomUUID(), 'no-uuid', 7, {}, ['x']]) {
    const adding = members.add(owner, orgId, { user_id: userId, role: 'viewer' });
    await assert.rejects(adding, { code: 'RESOURCE_NOT_FOUND' });
  }
  for (const role of ['boss', 7, {}, 'constructor', ['viewer']]) {
    const changing = members.changeRole(owner, orgId, viewer.userId, { role });
    await assert.rejects(changing, { code: 'VALIDATION_ERROR', message: /^role must be one of owner, admin/ });
  }
  for (const userId of [randomUUID(), 'no-uuid']) {
    await assert.rejects(members.changeRole(owner, orgId, userId, { role: 'viewer' }), { code: 'RESOURCE_NOT_FOUND' });
    await assert.rejects(members.remove(owner, orgId, userId), { code: 'RESOURCE_NOT_FOUND' });
  }
});

test('with an allowlist, only those on it log in; case does not tell addresses apart', async () => {
  const { allowlist, login, caller, authenticator } = await setUpIdentity();
  const early = await login('early@example.com');
  const { warnings, ...begun } = await allowlist.add(MANAGEMENT_KEY, {
    emails: ['Ann@Example.com', 'bob@example.com'],
  });
  assert.deepEqual(begun, {
    message: 'Added 2 of 2',
    added: ['ann@example.com', 'bob@example.com'],
    already_present: [],
  });
  assert.match(warnings.join(), /^the allowlist was empty, .* only these 2 can; /);
  await caller('ann@example.com');
  const denied = { code: 'PERMISSION_DENIED', message: /allowlist/ };
  await assert.rejects(login('eve@example.com'), denied);
  await assert.rejects(login('early@example.com'), denied);
  await authenticator.authenticate(`Bearer ${early.access_token}`);
  assert.deepEqual(await allowlist.add(MANAGEMENT_KEY, { email: 'EVE@example.com' }), {
    message: 'Added 1 of 1',
    added: ['eve@example.com'],
    already_present: [],
    warnings: [],
  });
  await login('eve@example.com');
  const again = await allowlist.add(MANAGEMENT_KEY, { emails: ['x@example.com', 'eve@example.com', 'X@example.com'] });
  assert.deepEqual([again.added, again.already_present], [['x@example.com'], ['eve@example.com']]);
  assert.deepEqual(await allowlist.list(), {
    emails: ['ann@example.com', 'bob@example.com', 'eve@example.com', 'x@example.com'],
    count: 4,
  });
  const removed = await allowlist.remove(MANAGEMENT_KEY, 'Eve@Example.com');
  assert.equal(removed.email, 'eve@example.com');
  await assert.rejects(login('eve@example.com'), denied);
});

test('requests about the allowlist are checked', async () => {
  const { allowlist } = await setUpIdentity();
  await assert.rejects(allowlist.add(MANAGEMENT_KEY, {}), { code: 'MISSING_FIELD' });
  for (const emails of [
    '',
    'ann',
    7,
    {},
    [],
    [7],
    ['ann@example.com', 'x y@z'],
    'a\u0000@b',
    Array(1001).fill('a@b'),
  ]) {
    await assert.rejects(allowlist.add(MANAGEMENT_KEY, { emails }), { code: 'VALIDATION_ERROR' });
  }
  assert.deepEqual(await allowlist.list(), { emails: [], count: 0 });
  for (const email of ['ann@example.com', '', 'a\u0000@b', 'x'.repeat(999)]) {
    await assert.rejects(allowlist.remove(MANAGEMENT_KEY, email), { code: 'RESOURCE_NOT_FOUND' });
  }
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

test('tiers limit the number of strategies', () => {
  const tiers = new Tiers();
  tiers.requireStrategyRoom('free', 9);
  assert.throws(() => tiers.requireStrategyRoom('free', 10), {
    code: 'TIER_UPGRADE_REQUIRED',
    message: 'Tier Free allows 10 strategies, 10 in use',
  });
  tiers.requireStrategyRoom('local', 1e9);
  assert.equal(tiers.of('gone'), tiers.first);
});

test('the sweep sizes that tiers list are the enforced ones', async () => {
  const tiers = new Tiers();
  const quotas = new Quotas({ store: new SqlUsageStore((await sharedState()).db), tiers, clock: Date.now });
  const usage = new Usage({
    ...{ quotas, tiers, countStrategies: async () => 0, countBacktests: async () => 0, documentedRoutes: () => [] },
    managementKey: new ManagementKey(null),
    conversations: async () => ({
      conversations: 0,
      messages: 0,
      userTokens: 0,
      assistantTokens: 0,
      systemTokens: 0,
      contextTokens: 0,
      toolCalls: {},
    }),
    payments: { totals: async () => [] },
  });
  const listed = (await usage.listTiers()).tiers.map(({ tier_id, limits }) => [
    tier_id,
    limits.max_backtests_per_sweep,
  ]);
  assert.deepEqual(listed, [
    ['local', EXPERIMENT_RUNS_MAX],
    ['free', 100],
    ['pro', 5_000],
    ['startup', 20_000],
    ['enterprise', 100_000],
  ]);
  const [, free] = tiers.all;
  assert.equal(new Tiers([{ ...free!, backtestsPerSweepMax: 2e9 }]).first.backtestsPerSweepMax, EXPERIMENT_RUNS_MAX);
});

test('invalid tiers are refused at start', () => {
  const [tier] = new Tiers().all;
  assert.throws(() => new Tiers([]), /empty/);
  assert.throws(() => new Tiers([tier, tier]), /unique ids/);
  for (const limit of [-1, 1.5, Number.NaN]) {
    assert.throws(() => new Tiers([{ ...tier, strategiesMax: limit }]), /whole numbers/);
    assert.throws(
      () => new Tiers([{ ...tier, monthlyMax: { ...tier.monthlyMax, backtests: limit } }]),
      /whole numbers/,
    );
  }
});
