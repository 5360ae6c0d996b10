import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import type { MethodName } from '../../../../contract/index.js';
import { Gate } from '../../../../service/access/gate.js';
import { checkJsonSize, JSON_LISTS_MAX, JSON_VALUES_MAX } from '../../../../service/access/index.js';
import { Quotas, RateLimits } from '../../../../service/access/limits.js';
import { SqlUsageStore } from '../../../../service/access/usage-counts.js';
import { WindowCounter } from '../../../../service/access/window-counter.js';
import { ApiError } from '../../../../service/api-error.js';
import { type Authenticator, defaultTiers, type Tier, Tiers } from '../../../../service/identity/index.js';
import { sharedState } from '../../../support/shared-state.js';

const openUsage = async () => new SqlUsageStore((await sharedState()).db);

const limited = (retryAfter: number) => ({
  code: 'RATE_LIMITED',
  message: `Too many requests, try again in ${retryAfter} s`,
  details: { retry_after: retryAfter },
});

test('a caller above the rate is told how many whole seconds to wait, and may continue after them', async () => {
  let nowMs = 1_000_000;
  const limits = new RateLimits({ requests: 3, windowS: 10 }, () => nowMs);
  for (let i = 0; i < 3; i++) await limits.consume('ann');
  await assert.rejects(limits.consume('ann'), limited(10));
  await limits.consume('bob');
  nowMs += 7_500;
  await assert.rejects(limits.consume('ann'), limited(3));
  nowMs += 2_499;
  await assert.rejects(limits.consume('ann'), limited(1));
  nowMs += 1;
  await limits.consume('ann');
});

test('bad credentials count for their address, until it has to wait; a good one from there passes', async () => {
  const authenticate = async (authorization?: string) => {
    if (authorization === 'good')
      return { credentialId: 'c', tier: 'local', role: 'owner', credential: 'session', scopes: [] };
    throw authorization === 'broken' ? new Error('the store is away') : new ApiError('AUTH_REQUIRED', 'bad');
  };
  const gate = new Gate({
    authenticator: { authenticate } as unknown as Authenticator,
    rateLimits: new RateLimits({ requests: 3, windowS: 60 }),
    quotas: null as unknown as Quotas, // methods without a meter ask for no quota
    idempotency: null as never,
    payments: null,
  });
  const admit = (authorization: string, address = 'here', method: MethodName = 'Strategies.List') =>
    gate.admit(method, { authorization, address });
  for (let i = 0; i < 2; i++) await assert.rejects(admit('bad'), { code: 'AUTH_REQUIRED' });
  for (let i = 0; i < 3; i++) await assert.rejects(admit('broken'), /the store is away/);
  await admit('', 'here', 'Auth.Login'); // public methods draw from the same
  await assert.rejects(admit('bad'), { code: 'RATE_LIMITED' });
  await assert.rejects(admit('', 'here', 'Auth.Login'), { code: 'RATE_LIMITED' });
  await assert.rejects(admit('bad', 'elsewhere'), { code: 'AUTH_REQUIRED' });
  for (let i = 0; i < 3; i++) assert.equal((await admit('good')).caller?.credentialId, 'c');
});

test('a month holds as many backtests as the tier allows; the refusal gives the limit and its end', async () => {
  let nowMs = Date.UTC(2023, 11, 31, 23, 59, 59, 999);
  const [local, free] = defaultTiers;
  const tiers = new Tiers([local, { ...free, monthlyMax: { ...free.monthlyMax, backtests: 3, api_calls: null } }]);
  const quotas = new Quotas({ store: await openUsage(), tiers, clock: () => nowMs });
  const orgId = randomUUID();
  const caller = { orgId, tier: 'free' };
  await quotas.consume(caller, 'backtests');
  await assert.rejects(quotas.consume(caller, 'backtests', 3), { code: 'USAGE_LIMIT_EXCEEDED' });
  await quotas.consume(caller, 'backtests', 2);
  await assert.rejects(quotas.consume(caller, 'backtests'), {
    code: 'USAGE_LIMIT_EXCEEDED',
    message: 'Monthly limit of backtests: 3/3 used until 2024-01-01T00:00:00Z',
    details: { resource_type: 'backtests', limit: 3, used: 3, resets_at: '2024-01-01T00:00:00Z' },
  });
  await quotas.consume(caller, 'api_calls', 1_000);
  await quotas.consume({ orgId, tier: 'local' }, 'backtests', 1_000);
  const used = async () => (await quotas.month(orgId)).used;
  assert.deepEqual(await used(), { backtests: 1_003, api_calls: 1_000 });
  nowMs += 1;
  assert.deepEqual(await used(), {});
  await quotas.consume(caller, 'backtests', 3);
});

test('what is taken of a month and settled later stays within the lower of two limits', async () => {
  const [local, free] = defaultTiers;
  const tiers = new Tiers([local, { ...free, monthlyMax: { ...free.monthlyMax, tokens: 50 } }]);
  const quotas = new Quotas({ store: await openUsage(), tiers, clock: () => Date.UTC(2024, 1, 1) });
  const [poor, rich] = [
    { orgId: randomUUID(), tier: 'free' },
    { orgId: randomUUID(), tier: 'local' },
  ];
  assert.equal(await quotas.take(poor, 'tokens', 51, 100), false);
  assert.equal(await quotas.take(rich, 'tokens', 51, 100), true);
  assert.equal(await quotas.take(rich, 'tokens', 50, 100), false);
  await quotas.settle(rich, 'tokens', -50);
  assert.equal(await quotas.take(rich, 'tokens', 99, 100), true);
  await quotas.settle(rich, 'tokens', 10);
  assert.equal((await quotas.month(rich.orgId)).used.tokens, 110);
  assert.equal((await quotas.month(poor.orgId)).used.tokens ?? 0, 0);
});

test('a paid DeFi read needs the entitlement before it counts, and its limit ends with the month', async () => {
  let nowMs = Date.UTC(2024, 1, 29, 23, 59, 59, 999);
  const [local, free] = defaultTiers;
  const limit = { ...local, monthlyMax: { ...local?.monthlyMax, defi_pro_calls: 2 } } as Tier;
  const store = await openUsage();
  const quotas = new Quotas({ store, tiers: new Tiers([limit, free as Tier]), clock: () => nowMs });
  const orgId = randomUUID();
  const count = (tier: string) => quotas.countUnit({ orgId, tier }, 'defi_pro');
  await assert.rejects(count('free'), {
    code: 'TIER_UPGRADE_REQUIRED',
    message: 'Tier Free does not have the entitlement defi_pro',
    details: { entitlement: 'defi_pro' },
  });
  await count('local');
  await quotas.giveBack(await count('local'));
  await count('local');
  await assert.rejects(count('local'), {
    code: 'quota_exceeded',
    message: 'Monthly limit of defi_pro_calls: 2/2 used until 2024-03-01T00:00:00Z',
    details: { resource_type: 'defi_pro_calls', limit: 2, used: 2, resets_at: '2024-03-01T00:00:00Z' },
  });
  await assert.rejects(count('free'), { code: 'TIER_UPGRADE_REQUIRED' });
  assert.deepEqual((await quotas.month(orgId)).used, { defi_pro_calls: 2, defi_pro: 2 });
  nowMs += 1;
  await count('local');
});

test('names beyond the bound share counters, so no caller resets its own by naming others', () => {
  const counter = new WindowCounter(1_000, 10, 4);
  for (let i = 0; i < 5; i++) counter.count('early', 0);
  for (let i = 0; i < 10_000; i++) counter.count(`other ${i}`, 1);
  assert.ok(counter.size <= 14, `${counter.size} counters`);
  assert.equal(counter.count('early', 2).count, 6);
  const late = counter.count('late', 2).count;
  assert.ok(late > 1_000, 'it shares a counter with about 2,500 others');
  assert.equal(counter.count('late', 3).count, late + 1);
  assert.equal(counter.count('late', 1_500).count, 1); // every window has ended
});

const sized = (text: string): void => checkJsonSize(Buffer.from(text));

test('JSON is refused by its number of values, lists and objects, and not for what its texts hold', () => {
  sized(`[${'0,'.repeat(JSON_VALUES_MAX - 1)}0]`);
  assert.throws(() => sized(`[${'0,'.repeat(JSON_VALUES_MAX)}0]`), /at most 500000 values, had 500001/);
  sized(`[${'[],'.repeat(JSON_LISTS_MAX - 2)}{}]`);
  assert.throws(() => sized(`[${'[],'.repeat(JSON_LISTS_MAX)}{}]`), { code: 'PAYLOAD_TOO_LARGE' });
  sized(JSON.stringify({ text: '",[{\\'.repeat(JSON_VALUES_MAX) }));
});

test('a look at the rate counts nothing and refuses whom the next call would be refused', async () => {
  const limits = new RateLimits({ requests: 2, windowS: 60 });
  for (let i = 0; i < 5; i++) await limits.peek('a');
  for (let i = 0; i < 2; i++) await limits.consume('a');
  await assert.rejects(limits.peek('a'), { code: 'RATE_LIMITED' });
});
