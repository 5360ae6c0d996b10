import assert from 'node:assert/strict';
import type { Answer, Api } from '../../support/api.js';
import { contract } from '../../support/contract.js';
import { idToken } from '../../support/id-token.js';
import { DEV_SECRET } from '../../support/service.js';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

function refused({ code, message, http }: Answer, expected: string, pattern: RegExp, status: number): void {
  assert.equal(code, expected);
  assert.match(message ?? '', pattern);
  if (http !== undefined) assert.equal(http.status, status);
}

/** A second session, beside the one that the case begins with. */
async function login(api: Api, field = 'idp_token') {
  const { code, body } = await api.call('Auth.Login', { [field]: await idToken(DEV_SECRET) }, { token: null });
  assert.equal(code, 'OK');
  return body;
}

const userId = async (api: Api): Promise<string> => (await api.call('Auth.GetProfile')).body.id;

contract('an ID token opens a session, under either name of the field', async ({ api }) => {
  for (const field of ['idp_token', 'firebase_token']) {
    const session = await login(api, field);
    assert.deepEqual([session.token_type, session.expires_in], ['Bearer', 3600]);
    const profile = await api.call('Auth.GetProfile', {}, { token: session.access_token });
    for (const name of ['id', 'name', 'email', 'org_id']) assert.equal(profile.body[name], session.user[name]);
  }
});

contract('a login without a token, or with an invalid one, is refused', async ({ api }) => {
  refused(await api.call('Auth.Login', {}, { token: null }), 'MISSING_FIELD', /idp_token/, 400);
  const forged = await idToken('another secret of somebody else');
  for (const token of ['', 'nonsense', forged]) {
    const answer = await api.call('Auth.Login', { idp_token: token }, { token: null });
    refused(answer, 'AUTH_REQUIRED', /^Invalid or expired token$/, 401);
  }
});

contract('a refresh token works any number of times, until logout ends it with the session', async ({ api }) => {
  const { access_token: token, refresh_token } = await login(api);
  for (let i = 0; i < 3; i++) {
    const { code, body } = await api.call('Auth.Refresh', { refresh_token }, { token: null });
    assert.equal(code, 'OK');
    assert.deepEqual(Object.keys(body).sort(), ['access_token', 'expires_in', 'token_type']);
    assert.equal((await api.call('Auth.IsAdmin', {}, { token: body.access_token })).code, 'OK');
  }
  assert.equal((await api.call('Auth.Logout', {}, { token })).code, 'OK');
  refused(await api.call('Auth.Refresh', { refresh_token }, { token: null }), 'AUTH_REQUIRED', /^Invalid or/, 401);
  refused(await api.call('Auth.GetProfile', {}, { token }), 'AUTH_REQUIRED', /^Invalid or expired token$/, 401);
});

contract('a profile shows the caller, and its name can be changed', async ({ api }) => {
  const { body } = await api.call('Auth.GetProfile');
  assert.deepEqual([body.role, body.tier], ['owner', 'small']);
  assert.match(body.created_at, /^20\d\d-.*Z$/);
  const renamed = await api.call('Auth.UpdateProfile', { name: '  Ada  ' });
  assert.deepEqual(renamed.body, { ...body, name: 'Ada' });
  assert.deepEqual((await api.call('Auth.GetProfile')).body, renamed.body);
  assert.deepEqual((await api.call('Auth.UpdateProfile', {})).body, renamed.body);
  for (const name of ['', ' ', 'x'.repeat(201), 'a\u0007b']) {
    refused(await api.call('Auth.UpdateProfile', { name }), 'VALIDATION_ERROR', /^name must/, 400);
  }
});

contract('an API key is shown once, masked ever after, and works until it is revoked', async ({ api, other }) => {
  const minted = await api.call('Auth.CreateApiKey', { name: 'robot', scopes: ['strategy:read', 'read:all'] });
  assert.equal(minted.http?.status ?? 201, 201);
  const { key, key_id, key_prefix, created_at } = minted.body;
  assert.match(key, /^local_\w{38}$/);
  assert.ok(key.startsWith(key_prefix) && key_prefix.length === 'local_'.length + 6);
  assert.deepEqual(minted.body, {
    key,
    key_id,
    key_prefix,
    name: 'robot',
    created_at,
    expires_at: null,
    scopes: ['strategy:read', 'read:all'],
    withheld_scopes: [],
    warnings: ['scopes: "read:all" is no scope and grants nothing'],
  });
  const turned = await api.call('Auth.CreateApiKey', { name: 'turned', scopes: ['read:strategy', 'strategy:reed'] });
  assert.deepEqual(turned.body.warnings, [
    'scopes: "read:strategy" is no scope and grants nothing, did you mean strategy:read?',
    'scopes: "strategy:reed" is no scope and grants nothing, did you mean strategy:read?',
  ]);

  const isOf = ({ body }: Answer) => body.keys.find((each: { id: string }) => each.id === key_id);
  const listed = await api.call('Auth.ListApiKeys');
  const { key: _, withheld_scopes: __, warnings: ___, ...facts } = minted.body;
  const unused = { id: key_id, ...facts, last_used_at: null, revoked_at: null, is_active: true };
  assert.deepEqual(isOf(listed), unused);
  assert.ok(!JSON.stringify(listed.body).includes(key));

  assert.equal((await api.call('Strategies.List', {}, { token: key })).code, 'OK');
  const used = isOf(await api.call('Auth.ListApiKeys', {}, { token: key }));
  assert.match(used.last_used_at, /^20/);
  assert.deepEqual({ ...used, last_used_at: null }, unused);

  refused(await other.call('Auth.RevokeApiKey', { key_id }), 'RESOURCE_NOT_FOUND', /not found/, 404);
  assert.deepEqual((await other.call('Auth.ListApiKeys')).body.keys, []);
  for (let i = 0; i < 2; i++) assert.equal((await api.call('Auth.RevokeApiKey', { key_id })).code, 'OK');
  refused(await api.call('Strategies.List', {}, { token: key }), 'AUTH_REQUIRED', /^Invalid or expired token$/, 401);
  const revoked = isOf(await api.call('Auth.ListApiKeys'));
  assert.equal(revoked.is_active, false);
  assert.match(revoked.revoked_at, /^20/);
});

contract('the same create request sent twice makes one key', async ({ api }) => {
  const headers = { idempotencyKey: 'mint-1' };
  const first = await api.call('Auth.CreateApiKey', { name: 'once' }, headers);
  const second = await api.call('Auth.CreateApiKey', { name: 'once' }, headers);
  assert.deepEqual(second.body, first.body);
  if (second.http !== undefined) assert.equal(second.http.headers.get('Idempotent-Replayed'), 'true');
  assert.equal((await api.call('Auth.ListApiKeys')).body.keys.length, 1);
  refused(await api.call('Auth.CreateApiKey', { name: 'twice' }, headers), 'VALIDATION_ERROR', /another/, 400);
});

contract('members join with a role, act in it, and leave', async ({ api, other }) => {
  const { id: owner, org_id: id } = (await api.call('Auth.GetProfile')).body;
  const guest = await userId(other);
  const alone = await api.call('Auth.ListMembers', { id });
  assert.equal(alone.body.members.length, 1);
  assert.deepEqual([alone.body.members[0].user_id, alone.body.members[0].role], [owner, 'owner']);

  const added = await api.call('Auth.AddMember', { id, user_id: guest, role: 'viewer' });
  assert.equal(added.http?.status ?? 201, 201);
  assert.deepEqual([added.body.user_id, added.body.role, added.body.invited_by], [guest, 'viewer', owner]);
  refused(await api.call('Auth.AddMember', { id, user_id: guest, role: 'admin' }), 'CONFLICT', /already/, 409);

  const home = (await other.call('Auth.GetProfile')).body.org_id;
  const switched = await other.call('Auth.SwitchOrganization', { org_id: id });
  assert.equal(switched.body.user.org_id, id);
  assert.deepEqual((await other.call('Auth.IsAdmin')).body, { is_admin: false });
  const invite = { id, user_id: UNKNOWN, role: 'member' };
  refused(await other.call('Auth.AddMember', invite), 'INSUFFICIENT_PERMISSIONS', /owner or admin/, 403);

  assert.equal((await api.call('Auth.ChangeRole', { id, user_id: guest, role: 'admin' })).body.role, 'admin');
  assert.deepEqual((await other.call('Auth.IsAdmin')).body, { is_admin: true }, 'the new role counts at once');
  const rise = { id, user_id: guest, role: 'owner' };
  refused(await other.call('Auth.ChangeRole', rise), 'INSUFFICIENT_PERMISSIONS', /role owner/, 403);
  refused(await api.call('Auth.RemoveMember', { id, user_id: owner }), 'CONFLICT', /at least one owner/, 409);

  assert.equal((await api.call('Auth.RemoveMember', { id, user_id: guest })).code, 'OK');
  refused(await other.call('Auth.GetProfile'), 'AUTH_REQUIRED', /^Invalid or expired token$/, 401);
  refused(await api.call('Auth.RemoveMember', { id, user_id: guest }), 'RESOURCE_NOT_FOUND', /not found/, 404);
  assert.notEqual(home, id);
});

contract('login by redirect is refused where it is not configured', async ({ api }) => {
  refused(await api.call('Auth.StartRedirect'), 'INTERNAL_ERROR', /not configured/, 500);
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
