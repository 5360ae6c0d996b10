import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { contract } from '../../support/contract.js';
import { assertRefused } from '../../support/refusals.js';
import { MANAGEMENT_KEY } from '../../support/service.js';

const managed = { managementKey: MANAGEMENT_KEY };
/** Codes stay in the service that the cases share. */
const newCode = () => `local_${randomBytes(6).toString('hex')}`.toUpperCase();
const asked = { trial_days: 14, tier_id: 'small', scope: 'user' };

contract('an operator makes, lists, revokes and reinstates codes', async ({ api }) => {
  const code = newCode();
  const { body } = await api.call('PromoCodes.Create', { ...asked, code: ` ${code.toLowerCase()} ` }, managed);
  const { created_at, ...made } = body.promo_code;
  assert.deepEqual(made, { ...asked, code, max_redemptions: null, redemptions: 0, active: true, expires_at: null });
  assert.ok(Date.parse(created_at) <= Date.now());
  assert.equal((await api.call('PromoCodes.Create', { ...asked, code }, managed)).code, 'CONFLICT');
  const random = await api.call('PromoCodes.Create', asked, managed);
  assert.match(random.body.promo_code.code, /^[0-9A-F]{16}$/);
  const { body: list } = await api.call('PromoCodes.List', {}, managed);
  const listed = list.promo_codes.map((each: { code: string }) => each.code);
  assert.ok(listed.includes(code) && listed.includes(random.body.promo_code.code));
  const revoked = await api.call('PromoCodes.Revoke', { code: code.toLowerCase() }, managed);
  assert.equal(revoked.body.promo_code.active, false);
  const { body: verdict } = await api.call('PromoCodes.Validate', { code, tier_id: 'small', scope: 'user' });
  assert.deepEqual([verdict.valid, verdict.trial_days, verdict.reason], [false, null, 'revoked']);
  const back = await api.call('PromoCodes.Reinstate', { code }, managed);
  assert.equal(back.body.promo_code.active, true);
  for (const method of ['PromoCodes.Revoke', 'PromoCodes.Reinstate', 'PromoCodes.ListRedemptions'] as const) {
    assertRefused(await api.call(method, { code: 'NONE' }, managed), 'RESOURCE_NOT_FOUND', /NONE not found/);
  }
  assertRefused(await api.call('PromoCodes.Create', asked), 'PERMISSION_DENIED', /Management key/);
});

contract('a code is redeemed once by each organization, up to its maximum', async ({ api, other }) => {
  const code = newCode();
  const presented = { code: code.toLowerCase(), tier_id: 'small', scope: 'org' };
  await api.call('PromoCodes.Create', { ...asked, scope: 'org', code, max_redemptions: 1 }, managed);
  const { body: verdict } = await api.call('PromoCodes.Validate', presented);
  assert.deepEqual([verdict.valid, verdict.trial_days, verdict.reason], [true, 14, null]);
  const { body: redemption } = await api.call('PromoCodes.Redeem', presented);
  assert.deepEqual([redemption.code, redemption.tier_id], [code, 'small']);
  assert.equal(Date.parse(redemption.trial_ends_at) - Date.parse(redemption.redeemed_at), 14 * 86_400_000);
  assertRefused(await api.call('PromoCodes.Redeem', presented), 'INVALID_STATE', /redeemed already/);
  assert.equal((await api.call('PromoCodes.Validate', presented)).body.reason, 'redeemed');
  assert.equal((await other.call('PromoCodes.Validate', presented)).body.reason, 'used_up');
  assertRefused(await other.call('PromoCodes.Redeem', presented), 'INVALID_STATE', /as often as it may be/);
  const { body } = await api.call('PromoCodes.ListRedemptions', { code }, managed);
  assert.deepEqual([body.code, body.total, body.redemptions], [code, 1, [redemption]]);
});

contract('a code is for its tier, its scope and its time', async ({ api }) => {
  const code = newCode();
  await api.call('PromoCodes.Create', { ...asked, code, expires_at: '2099-12-31' }, managed);
  const reason = async (changes: object) =>
    (await api.call('PromoCodes.Validate', { code, tier_id: 'small', scope: 'user', ...changes })).body.reason;
  assert.deepEqual([await reason({}), await reason({ scope: 'org' })], [null, 'other_scope']);
  assert.equal(await reason({ code: newCode() }), 'unknown');
  for (const [changes, message] of [
    [{ tier_id: 'gold' }, /tier_id must be one of small/],
    [{ code: 'a b' }, /code must be 4\.\.40/],
    [{ expires_at: '2001-01-01' }, /expires_at must be a time in the future/],
  ] as const) {
    assertRefused(await api.call('PromoCodes.Create', { ...asked, ...changes }, managed), 'VALIDATION_ERROR', message);
  }
});
