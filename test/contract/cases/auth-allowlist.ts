import assert from 'node:assert/strict';
import test from 'node:test';
import type { Answer } from '../../support/api.js';
import { contract, sharedService } from '../../support/contract.js';
import { idToken } from '../../support/id-token.js';
import { DEV_SECRET, MANAGEMENT_KEY } from '../../support/service.js';

/**
 * Each case leaves the list empty: otherwise a user who is not on it could not begin the next case.
 */

const managed = { managementKey: MANAGEMENT_KEY };

function refused({ code, http }: Answer, expected: string, status: number): void {
  assert.equal(code, expected);
  if (http !== undefined) assert.equal(http.status, status);
}

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
  refused(stranger, 'PERMISSION_DENIED', 403);
  assert.match(stranger.message ?? '', /not on the allowlist/);
  const known = await api.call('Auth.Login', { idp_token: await idToken(DEV_SECRET, 'a') }, { token: null });
  assert.equal(known.body.user.email, 'a@example.com');

  for (const email of ['a@example.com', 'B@Example.com']) {
    const removed = await api.call('Auth.RemoveFromAllowlist', { email }, managed);
    assert.equal(removed.body.email, email.toLowerCase());
  }
  refused(await api.call('Auth.RemoveFromAllowlist', { email: 'a@example.com' }, managed), 'RESOURCE_NOT_FOUND', 404);
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
