import assert from 'node:assert/strict';
import test from 'node:test';
import { type Api, grpcApi, restApi } from '../support/api.js';
import { MANAGEMENT_KEY, startTestService, type TestService } from '../support/service.js';

const tier = (id: string) => ({ id, name: id, strategiesMax: 3, monthlyMax: { backtests: null, api_calls: null } });

let service: TestService;
test.before(async () => {
  service = await startTestService({ BARLINE_TIERS: JSON.stringify([tier('small'), tier('large')]) });
});
test.after(() => service.stop());

const presented = (code: string) => ({ code, tier_id: 'large', scope: 'org' });

async function newCode({ client, login }: TestService, code: string): Promise<void> {
  const request = { ...presented(code), trial_days: 7 };
  const { token } = await login();
  await client.call('PromoCodes.Create', request, { authorization: `Bearer ${token}`, managementKey: MANAGEMENT_KEY });
}

/** Presents wrong codes until the answer is a refusal; returns how many were answered. */
async function guessUntilRefused(api: Api, method: 'PromoCodes.Validate' | 'PromoCodes.Redeem'): Promise<number> {
  for (let wrong = 0; ; wrong++) {
    assert.ok(wrong < 100, 'no guess was refused');
    const { code, http } = await api.call(method, presented(`WRONG${wrong}`));
    if (code !== 'RATE_LIMITED') continue;
    const retryAfter = (JSON.parse(http?.text ?? '{}') as { retry_after?: number }).retry_after ?? 0;
    assert.deepEqual([http?.status, http?.headers.get('retry-after')], [429, String(retryAfter)]);
    assert.ok(retryAfter > 3_500 && retryAfter <= 3_600, `retry_after ${retryAfter}`);
    return wrong;
  }
}

test('a user who guesses codes has to wait, over both ways in together, and right codes do not count', async () => {
  await newCode(service, 'RIGHT-CODE');
  const { token } = await service.login();
  const rest = restApi(service.origin, token);
  for (let i = 0; i < 30; i++)
    assert.equal((await rest.call('PromoCodes.Validate', presented('right-code'))).body.valid, true);
  assert.equal(await guessUntilRefused(rest, 'PromoCodes.Validate'), 10);
  const grpc = grpcApi(service.client, token);
  assert.equal((await grpc.call('PromoCodes.Redeem', presented('RIGHT-CODE'))).code, 'RATE_LIMITED');
});

test('a redeemed code acts at the next call of every member', async () => {
  await newCode(service, 'FOR-ALL');
  const [owner, guest] = [await service.login(), await service.login()];
  const api = restApi(service.origin, owner.token);
  await api.call('Auth.AddMember', { id: owner.orgId, user_id: guest.userId, role: 'member' });
  const member = restApi(service.origin, guest.token);
  await member.call('Auth.SwitchOrganization', { org_id: owner.orgId });
  const tierOf = async (each: Api) => (await each.call('Usage.Get')).body.tier;
  assert.deepEqual([await tierOf(api), await tierOf(member)], ['small', 'small']);
  assert.equal((await api.call('PromoCodes.Redeem', presented('FOR-ALL'))).code, 'OK');
  assert.deepEqual([await tierOf(api), await tierOf(member)], ['large', 'large']);
});

/** Wrong codes that the tests above presented, and that were answered. */
const answeredBefore = 10;

test('users of one address guess no more than the address may', async () => {
  let answered = answeredBefore;
  for (let user = 0; user < 7; user++) {
    answered += await guessUntilRefused(restApi(service.origin, (await service.login()).token), 'PromoCodes.Validate');
  }
  assert.equal(answered, 50);
});
