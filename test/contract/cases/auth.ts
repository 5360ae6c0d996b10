import assert from 'node:assert/strict';
import test from 'node:test';
import type { Api } from '../../support/api.js';
import { contract, sharedService } from '../../support/contract.js';
import { idToken } from '../../support/id-token.js';
import { assertRefused } from '../../support/refusals.js';
import { DEV_SECRET, MANAGEMENT_KEY } from '../../support/service.js';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

/** A second session, beside the one that the case begins with. */
async function login(api: Api, field = 'idp_token') {
  const { code, body } = await api.call('Auth.Login', { [field]: await idToken(DEV_SECRET) }, { token: null });
  assert.equal(code, 'OK');
  return body;
}

const userId = async (api: Api): Promise<string> => (await api.call('Auth.GetProfile')).body.id;

contract('an ID token opens a session, under the older name of the field too', async ({ api }) => {
  const session = await login(api, 'firebase_token');
  const profile = await api.call('Auth.GetProfile', {}, { token: session.access_token });
  for (const name of ['id', 'name', 'email', 'org_id']) assert.equal(profile.body[name], session.user[name]);
});

contract('a profile shows the caller, and its name can be changed', async ({ api }) => {
  const { body } = await api.call('Auth.GetProfile');
  assert.deepEqual([body.role, body.tier], ['owner', 'small']);
  assert.match(body.created_at, /^20\d\d-.*Z$/);
  const renamed = await api.call('Auth.UpdateProfile', { name: '  Ada  ' });
  assert.deepEqual(renamed.body, { ...body, name: 'Ada' });
  assert.deepEqual((await api.call('Auth.UpdateProfile', {})).body, renamed.body);
  for (const name of ['', ' ', 'x'.repeat(201), 'a\u0007b']) {
    assertRefused(await api.call('Auth.UpdateProfile', { name }), 'VALIDATION_ERROR', /^name must/);
  }
});

contract('members join with a role, act in it, and leave', async ({ api, other }) => {
  const { id: owner, org_id: id } = (await api.call('Auth.GetProfile')).body;
  const guest = await userId(other);
  const alone = await api.call('Auth.ListMembers', { id });
  assert.equal(alone.body.members.length, 1);
  assert.deepEqual([alone.body.members[0].user_id, alone.body.members[0].role], [owner, 'owner']);

  const added = await api.call('Auth.AddMember', { id, user_id: guest, role: 'viewer' });
  assert.deepEqual([added.body.user_id, added.body.role, added.body.invited_by], [guest, 'viewer', owner]);
  assertRefused(await api.call('Auth.AddMember', { id, user_id: guest, role: 'admin' }), 'CONFLICT', /already/);

  const home = (await other.call('Auth.GetProfile')).body.org_id;
  const switched = await other.call('Auth.SwitchOrganization', { org_id: id });
  assert.equal(switched.body.user.org_id, id);
  assert.deepEqual((await other.call('Auth.IsAdmin')).body, { is_admin: false });
  const invite = { id, user_id: UNKNOWN, role: 'member' };
  assertRefused(await other.call('Auth.AddMember', invite), 'INSUFFICIENT_PERMISSIONS', /owner or admin/);

  assert.equal((await api.call('Auth.ChangeRole', { id, user_id: guest, role: 'admin' })).body.role, 'admin');
  assert.deepEqual((await other.call('Auth.IsAdmin')).body, { is_admin: true }, 'the new role counts at once');
  const rise = { id, user_id: guest, role: 'owner' };
  assertRefused(await other.call('Auth.ChangeRole', rise), 'INSUFFICIENT_PERMISSIONS', /role owner/);
  assertRefused(await api.call('Auth.RemoveMember', { id, user_id: owner }), 'CONFLICT', /at least one owner/);

  assert.equal((await api.call('Auth.RemoveMember', { id, user_id: guest })).code, 'OK');
  assertRefused(await other.call('Auth.GetProfile'), 'AUTH_REQUIRED', /^Invalid or expired token$/);
  assertRefused(await api.call('Auth.RemoveMember', { id, user_id: guest }), 'RESOURCE_NOT_FOUND', /not found/);
  assert.notEqual(home, id);
});

contract('an access check answers as the method would', async ({ api, service }) => {
  // It has no route: the facade calls it for requests that it cannot read.
  const { token } = await service.login();
  const check = (method: string, authorization?: string) =>
    service.client.call('Auth.CheckAccess', { method }, { authorization });
  assert.deepEqual((await check('Strategies.List', `Bearer ${token}`)).body, {});
  await assert.rejects(check('Strategies.List'), { code: 'AUTH_REQUIRED' });
  await assert.rejects(check('Strategies.Nothing', `Bearer ${token}`), { code: 'RESOURCE_NOT_FOUND' });
  assert.ok(api);
});

const DENIED = 'INSUFFICIENT_PERMISSIONS';

async function mint(api: Api, scopes?: readonly string[]): Promise<{ key: string; id: string }> {
  const { code, message, body } = await api.call('Auth.CreateApiKey', { name: 'a key', ...(scopes && { scopes }) });
  assert.equal(code, 'OK', message ?? '');
  return { key: body.key, id: body.key_id };
}

const works = async (api: Api, token: string): Promise<boolean> =>
  (await api.call('Auth.GetProfile', {}, { token })).code === 'OK';

contract('a key with the managing scope revokes only keys that may do no more than it may', async ({ api }) => {
  const [full, wider] = [await mint(api), await mint(api, ['strategy:read', 'backtest:create'])];
  const [same, odd] = [await mint(api, ['strategy:read']), await mint(api, ['read:strategies'])];
  const manager = await mint(api, ['strategy:read', 'identity:manage']);
  const revoke = (key_id: string) => api.call('Auth.RevokeApiKey', { key_id }, { token: manager.key });
  assertRefused(
    await revoke(wider.id),
    DENIED,
    /^API key local_\w{6}\.\.\. may do more than the key of this call: backtest:create$/,
  );
  assertRefused(await revoke(full.id), DENIED, /may do more than the key of this call: assets:read, .*, and \d+ more$/);
  assert.ok((await works(api, full.key)) && (await works(api, wider.key)));
  for (const { id, key } of [same, odd, manager]) {
    assert.equal((await revoke(id)).code, 'OK');
    assert.equal(await works(api, key), false);
  }
});

const managed = { managementKey: MANAGEMENT_KEY };

/** It leaves the list empty: otherwise a user who is not on it could not begin the next case. */
contract('while the list has addresses, only their owners may log in', async ({ api }) => {
  assert.deepEqual((await api.call('Auth.ListAllowlist')).body, { emails: [], count: 0 });
  const added = await api.call('Auth.AddToAllowlist', { emails: ['B@example.com', 'a@example.com'] }, managed);
  assert.deepEqual(added.body, {
    message: 'Added 2 of 2',
    added: ['b@example.com', 'a@example.com'],
    already_present: [],
    warnings: [
      'the allowlist was empty, so every address could log in: from now on only these 2 can; sessions and keys of others stay until they are revoked',
    ],
  });
  const again = await api.call('Auth.AddToAllowlist', { email: 'a@example.com' }, managed);
  const { added: none, already_present, warnings } = again.body;
  assert.deepEqual([none, already_present, warnings], [[], ['a@example.com'], []]);
  const { body } = await api.call('Auth.ListAllowlist');
  assert.deepEqual(body, { emails: ['a@example.com', 'b@example.com'], count: 2 });

  const stranger = await api.call('Auth.Login', { idp_token: await idToken(DEV_SECRET) }, { token: null });
  assertRefused(stranger, 'PERMISSION_DENIED', /not on the allowlist/);
  const known = await api.call('Auth.Login', { idp_token: await idToken(DEV_SECRET, 'a') }, { token: null });
  assert.equal(known.body.user.email, 'a@example.com');

  for (const email of ['a@example.com', 'B@Example.com']) {
    const removed = await api.call('Auth.RemoveFromAllowlist', { email }, managed);
    assert.equal(removed.body.email, email.toLowerCase());
  }
  assertRefused(
    await api.call('Auth.RemoveFromAllowlist', { email: 'a@example.com' }, managed),
    'RESOURCE_NOT_FOUND',
    /not/,
  );
  assert.equal((await api.call('Auth.Login', { idp_token: await idToken(DEV_SECRET) }, { token: null })).code, 'OK');
});

test('the header of older tools also carries the management key', async () => {
  const service = await sharedService();
  const { token } = await service.login();
  const response = await fetch(`${service.origin}/api/v1/auth/allowlist/emails/nobody@example.com`, {
    method: 'DELETE',
    headers: { Authorization: `Bearer ${token}`, 'X-Mgmt-API-Key': MANAGEMENT_KEY },
  });
  assert.equal(response.status, 404);
});
