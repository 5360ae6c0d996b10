import assert from 'node:assert/strict';
import { meters } from '../../../service/access/index.js';
import { runBody } from '../../support/backtests.js';
import { contract } from '../../support/contract.js';
import { goodBody } from '../../support/good-bodies.js';

const none = { used: 0, limit: null };

contract("usage reports this month's counts, their limits and their cost", async ({ api, other }) => {
  assert.equal((await api.call('Backtests.Run', runBody)).code, 'OK');
  const { body } = await api.call('Usage.Get');
  assert.equal(body.tier, 'small');
  assert.match(body.month, /^20\d\d-(0\d|1[0-2])$/);
  assert.ok(Date.parse(body.resets_at) > Date.now() && body.resets_at.endsWith('-01T00:00:00Z'));
  assert.deepEqual(body.counters, {
    backtests: { used: 1, limit: null },
    api_calls: none,
    oracle_data_queries: none,
    tokens: none,
    defi_pro_calls: { used: 0, limit: 1_000 },
  });
  assert.deepEqual(Object.keys(body.meters), Object.keys(meters));
  assert.deepEqual(body.meters.oracle_experiment, { used: 0, unit_price_usd: 0.25, cost_usd: 0 });
  assert.equal((await other.call('Usage.Get')).body.counters.backtests.used, 0, "of the caller's organization only");
});

contract('calls are counted by the published table of prices', async ({ api }) => {
  const { body } = await api.call('Usage.ListPrices');
  assert.equal(body.currency, 'USD');
  const prices = Object.entries(meters).map(([meter, { unitPriceUsd, counter }]) => [meter, unitPriceUsd, counter]);
  assert.deepEqual(
    body.prices.map((row: Record<string, unknown>) => [row.meter, row.unit_price_usd, row.quota_counter]),
    prices,
  );
});

contract('a subscription shows its tier, the limits and how much of them is used', async ({ api }) => {
  const limits = {
    strategies: 3,
    backtests: null,
    api_calls: null,
    oracle_data_queries: null,
    tokens: null,
    defi_pro_calls: 1_000,
    max_backtests_per_sweep: 100,
    concurrent_sweep_cap: 1,
  };
  const tier = { tier_id: 'small', tier_name: 'Small', price_monthly: null, entitlements: [], limits };
  assert.deepEqual((await api.call('Usage.ListTiers')).body, { tiers: [tier] });
  const status = async () => (await api.call('Usage.GetSubscription')).body;
  const { current_period_start: start, current_period_end: end, ...fresh } = await status();
  const usage = { strategies: 0, backtests: 0, api_calls: 0, oracle_data_queries: 0, tokens: 0, defi_pro_calls: 0 };
  assert.deepEqual(fresh, { ...tier, usage, limits_exceeded: [] });
  assert.ok(Date.parse(start) <= Date.now() && Date.now() < Date.parse(end));
  for (let i = 0; i < 3; i++) await api.call('Strategies.Create', goodBody('Strategies.Create'));
  const full = await status();
  assert.deepEqual([full.usage, full.limits_exceeded], [{ ...usage, strategies: 3 }, ['strategies']]);
  const { body: used } = await api.call('Usage.GetUtilization');
  assert.deepEqual([used.strategies, used.backtests], [{ used: 3, limit: 3 }, none]);
});
