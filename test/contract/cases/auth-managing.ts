import assert from 'node:assert/strict';
import type { Answer, Api } from '../../support/api.js';
import { contract } from '../../support/contract.js';

/**
 * What a key may do to keys, the profile and the organization: less than a login, and never more
 * than its own scopes allow.
 */

const MANAGE = 'identity:manage';

async function mint(api: Api, scopes?: readonly string[]): Promise<{ key: string; id: string }> {
  const { code, message, body } = await api.call('Auth.CreateApiKey', { name: 'a key', ...(scopes && { scopes }) });
  assert.equal(code, 'OK', message ?? '');
  return { key: body.key, id: body.key_id };
}

function refused({ code, message, http }: Answer, pattern: RegExp): void {
  assert.equal(code, 'INSUFFICIENT_PERMISSIONS');
  assert.match(message ?? '', pattern);
  if (http !== undefined) assert.equal(http.status, 403);
}

const works = async (api: Api, token: string): Promise<boolean> =>
  (await api.call('Auth.GetProfile', {}, { token })).code === 'OK';

/** A session of a user with the role viewer in the organization that the session acts for. */
async function asViewer(api: Api, other: Api): Promise<string> {
  const { org_id: id } = (await api.call('Auth.GetProfile')).body;
  const { id: user_id } = (await other.call('Auth.GetProfile')).body;
  assert.equal((await api.call('Auth.AddMember', { id, user_id, role: 'viewer' })).code, 'OK');
  return (await other.call('Auth.SwitchOrganization', { org_id: id })).body.access_token;
}

contract('a key without the managing scope changes neither keys, the profile nor the tier', async ({ api }) => {
  const full = await mint(api);
  const narrow = await mint(api, ['strategy:read', 'webhook:manage']);
  const before = (await api.call('Auth.GetProfile')).body;
  const token = narrow.key;
  const missing = /^Missing required scope: identity:manage$/;
  refused(await api.call('Auth.RevokeApiKey', { key_id: full.id }, { token }), missing);
  refused(await api.call('Auth.RevokeApiKey', { key_id: narrow.id }, { token }), missing);
  refused(await api.call('Auth.UpdateProfile', { name: 'Mallory' }, { token }), missing);
  const promo = { code: 'ANY', tier_id: 'small', scope: 'user' };
  refused(await api.call('PromoCodes.Redeem', promo, { token }), missing);
  assert.ok(await works(api, full.key));
  assert.deepEqual((await api.call('Auth.GetProfile', {}, { token })).body, before);
  const { keys } = (await api.call('Auth.ListApiKeys', {}, { token })).body;
  assert.ok(keys.some(({ key_id }: { key_id: string }) => key_id === narrow.id));
});

contract('a key with the managing scope revokes only keys that may do no more than it may', async ({ api }) => {
  const [full, wider] = [await mint(api), await mint(api, ['strategy:read', 'backtest:create'])];
  const [same, odd] = [await mint(api, ['strategy:read']), await mint(api, ['read:strategies'])];
  const manager = await mint(api, ['strategy:read', MANAGE]);
  const revoke = (key_id: string) => api.call('Auth.RevokeApiKey', { key_id }, { token: manager.key });
  refused(await revoke(wider.id), /^API key local_\w{6}\.\.\. may do more than the key of this call: backtest:create$/);
  refused(await revoke(full.id), /may do more than the key of this call: assets:read, .*, and \d+ more$/);
  assert.ok((await works(api, full.key)) && (await works(api, wider.key)));
  for (const { id, key } of [same, odd, manager]) {
    assert.equal((await revoke(id)).code, 'OK');
    assert.equal(await works(api, key), false);
  }
});

contract('a full key manages as before, except where a login is required', async ({ api, other }) => {
  const [full, second, foreign] = [await mint(api), await mint(api), await mint(other)];
  const token = full.key;
  assert.equal((await api.call('Auth.UpdateProfile', { name: 'Ann' }, { token })).body.name, 'Ann');
  assert.equal((await api.call('Auth.RevokeApiKey', { key_id: second.id }, { token })).code, 'OK');
  assert.equal((await api.call('Auth.RevokeApiKey', { key_id: foreign.id }, { token })).code, 'RESOURCE_NOT_FOUND');
  const { id: user_id, org_id: id } = (await api.call('Auth.GetProfile')).body;
  for (const answer of [
    await api.call('Auth.CreateApiKey', { name: 'more' }, { token }),
    await api.call('Auth.AddMember', { id, user_id, role: 'viewer' }, { token }),
    await api.call('Auth.ChangeRole', { id, user_id, role: 'viewer' }, { token }),
    await api.call('Auth.RemoveMember', { id, user_id }, { token }),
    await api.call('Auth.SwitchOrganization', { org_id: id }, { token }),
  ]) {
    assert.equal(answer.code, 'PERMISSION_DENIED');
  }
});

contract('a viewer manages their own keys and profile by a login, not by a key', async ({ api, other }) => {
  const token = await asViewer(api, other);
  const as = (method: Parameters<Api['call']>[0], request: object, key = token) =>
    other.call(method, request, { token: key });
  const { body: made } = await as('Auth.CreateApiKey', { name: 'reader' });
  refused(await as('Auth.UpdateProfile', { name: 'Eve' }, made.key), /^Missing required scope: identity:manage$/);
  refused(await as('Auth.RevokeApiKey', { key_id: made.key_id }, made.key), /identity:manage/);
  assert.equal((await as('Auth.UpdateProfile', { name: 'Eve' })).body.name, 'Eve');
  assert.equal((await as('Auth.RevokeApiKey', { key_id: made.key_id })).code, 'OK');
});

contract('a viewer who asks for write scopes is told which were not granted', async ({ api, other }) => {
  const token = await asViewer(api, other);
  const asking = (scopes: readonly string[]) => other.call('Auth.CreateApiKey', { name: 'writer', scopes }, { token });
  refused(
    await asking(['strategy:create', MANAGE]),
    /^The role viewer may have only reading scopes, asked for: strategy:create, identity:manage$/,
  );
  refused(await asking(Array.from({ length: 100 }, (_, i) => `${'x'.repeat(90)}:${i}`)), /, and 90 more$/);
  assert.deepEqual((await other.call('Auth.ListApiKeys', {}, { token })).body.keys, []);
  const { body } = await asking(['strategy:create', 'strategy:read']);
  assert.deepEqual([body.scopes, body.withheld_scopes], [['strategy:read'], ['strategy:create']]);
});
