import assert from 'node:assert/strict';
import test from 'node:test';
import type { UnaryName } from '../../../rpc/index.js';
import { type Api, grpcApi, restApi } from '../../support/api.js';
import { contract, meteredService, PAID_READS_MAX, tierOf } from '../../support/contract.js';
import { startDefiLlama } from '../../support/defillama-server.js';
import { ageless } from '../../support/provenance.js';
import { startTestService, type TestService } from '../../support/service.js';

const sumOf = (byChain: Record<string, number>): number => Object.values(byChain).reduce((sum, usd) => sum + usd, 0);
const near = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.abs(b);

contract('the value of a protocol is broken down by chain, in plain numbers', async ({ api }) => {
  const { body } = await api.call('Defi.GetProtocolTvl', { protocol: 'aave' });
  assert.equal(body.protocol, 'aave');
  assert.ok(Object.values(body.chains).every((usd) => typeof usd === 'number' && usd > 0));
  assert.ok(near(sumOf(body.chains), body.tvl_usd));
  assert.deepEqual(body.data, { source: 'generated', name: 'Aave', category: 'Lending' });
  assert.deepEqual([body.source, body.is_stale], ['generated', false]);
  for (const protocol of ['Aave', 'AAVE', 'aave-v3', 'Aave V2']) {
    assert.deepEqual(ageless((await api.call('Defi.GetProtocolTvl', { protocol })).body), ageless(body));
  }
});

contract('a chain has at most ten top protocols, the largest first, in any case of its name', async ({ api }) => {
  const { body } = await api.call('Defi.GetChainTvl', { chain: 'Ethereum' });
  assert.deepEqual([body.chain, body.top_protocols.length], ['Ethereum', 10]);
  const values: number[] = body.top_protocols.map(({ tvl_usd }: { tvl_usd: number }) => tvl_usd);
  assert.deepEqual(
    values,
    [...values].sort((a, b) => b - a),
  );
  assert.deepEqual(Object.keys(body.top_protocols[0]).sort(), ['category', 'name', 'slug', 'tvl_usd']);
  assert.ok(body.tvl_usd > values.reduce((sum, usd) => sum + usd, 0));
  for (const chain of ['ethereum', 'ETHEREUM']) {
    assert.deepEqual(ageless((await api.call('Defi.GetChainTvl', { chain })).body), ageless(body));
  }
  const { body: tron } = await api.call('Defi.GetChainTvl', { chain: 'tron' });
  assert.ok(tron.top_protocols.length < 10 && tron.chain === 'Tron');
});

contract('unknown protocols and chains are not found', async ({ api }) => {
  for (const name of ['no such thing', '__proto__', 'x/y']) {
    const protocol = await api.call('Defi.GetProtocolTvl', { protocol: name });
    assert.deepEqual([protocol.code, protocol.message], ['RESOURCE_NOT_FOUND', `protocol ${name} not found`]);
    const chain = await api.call('Defi.GetChainTvl', { chain: name });
    assert.deepEqual([chain.code, chain.message], ['RESOURCE_NOT_FOUND', `chain ${name} not found`]);
  }
  assert.equal((await api.call('Defi.GetChainTvl', { chain: ' ' })).message, 'Missing required field: chain');
});

contract('stablecoins add up by chain and by coin', async ({ api }) => {
  const { body } = await api.call('Defi.GetStablecoins');
  assert.ok(near(sumOf(body.supply_by_chain), body.total_supply_usd));
  const coins = body.data.stablecoins as readonly { symbol: string; name: string; supply_usd: number }[];
  assert.ok(coins.some(({ symbol, name }) => symbol === 'USDT' && name === 'Tether'));
  assert.ok(
    near(
      coins.reduce((sum, { supply_usd }) => sum + supply_usd, 0),
      body.total_supply_usd,
    ),
  );
  assert.equal(body.data.source, 'generated');
});

/** The keys of a row of each paid read. */
const paidReads = {
  'Defi.ListTokenUnlocks': ['circSupply', 'events', 'maxSupply', 'name', 'token'],
  'Defi.ListPerpFunding': ['apy', 'funding_rate_8h', 'open_interest_usd', 'pool', 'symbol', 'venue'],
  'Defi.ListTreasuries': ['name', 'own_tokens_usd', 'stablecoins_usd', 'token', 'treasury_usd'],
  'Defi.ListEtfFlows': ['asset', 'day', 'ticker', 'total_flow_usd'],
  'Defi.ListLendingRates': ['borrow_apy', 'chain', 'pool', 'protocol', 'supply_apy', 'symbol', 'total_borrow_usd'],
} as const satisfies Partial<Record<UnaryName, readonly string[]>>;
const paidMethods = Object.keys(paidReads) as (keyof typeof paidReads)[];

contract('a tier without the entitlement has no paid reads, and nothing is counted', async ({ api }) => {
  for (const method of paidMethods) {
    const { code, message } = await api.call(method);
    assert.deepEqual([code, message], ['TIER_UPGRADE_REQUIRED', 'Tier Small does not have the entitlement defi_pro']);
  }
  const { counters } = (await api.call('Usage.Get')).body;
  assert.deepEqual(counters.defi_pro_calls, { used: 0, limit: 1_000 });
});

const overBoth = (service: TestService, token: string): readonly Api[] => [
  grpcApi(service.client, token),
  restApi(service.origin, token),
];

test('paid reads answer with their rows, the same over both ways in, and each call counts once', async () => {
  const service = await meteredService();
  const { token } = await service.login();
  for (const method of paidMethods) {
    const bodies = [];
    for (const api of overBoth(service, token)) {
      const { code, body } = await api.call(method);
      assert.equal(code, 'OK', method);
      assert.ok(body.count > 0 && body.count === body.data.length);
      assert.deepEqual(Object.keys(body.data[0]).sort(), paidReads[method]);
      assert.equal(body.source, 'generated');
      bodies.push(body);
    }
    assert.deepEqual(bodies.map(ageless)[1], bodies.map(ageless)[0]);
  }
  const { counters, meters } = (await restApi(service.origin, token).call('Usage.Get')).body;
  assert.deepEqual(counters.defi_pro_calls, { used: 10, limit: PAID_READS_MAX });
  assert.deepEqual(meters.defi_pro, { used: 10, unit_price_usd: 0, cost_usd: 0 });
  assert.equal(counters.api_calls.used, 0);
});

test('the five share one limit; beyond it a refusal says when it ends, and other organizations go on', async () => {
  const service = await meteredService();
  const { token } = await service.login();
  const [grpc, rest] = overBoth(service, token) as [Api, Api];
  for (const api of [grpc, rest]) {
    for (const method of paidMethods) assert.equal((await api.call(method)).code, 'OK');
  }
  for (const method of paidMethods) {
    assert.equal((await grpc.call(method)).code, 'quota_exceeded');
    const { code, http } = await rest.call(method);
    assert.deepEqual([code, http?.status, http?.headers.get('Retry-After')], ['quota_exceeded', 429, null]);
    const { error, resource_type, limit, used, resets_at } = JSON.parse(http?.text ?? '') as Record<string, unknown>;
    assert.deepEqual(
      [error, resource_type, limit, used],
      ['quota_exceeded', 'defi_pro_calls', PAID_READS_MAX, PAID_READS_MAX],
    );
    assert.match(String(resets_at), /^20\d\d-\d\d-01T00:00:00Z$/);
  }
  assert.equal((await rest.call('Defi.GetStablecoins')).code, 'OK', 'the other reads are not counted');
  const other = restApi(service.origin, (await service.login()).token);
  assert.equal((await other.call('Defi.ListTreasuries')).code, 'OK');
});

test('with settings for a provider its figures answer, with their age; a failed paid read is not counted', async (t) => {
  const provider = await startDefiLlama(t);
  const service = await startTestService({
    BARLINE_TIERS: tierOf({ defi_pro_calls: 1_000 }),
    BARLINE_DEFILLAMA_KEY: 'another-secret-key',
    BARLINE_DEFILLAMA_URL: `${provider.url}/main`,
    BARLINE_DEFILLAMA_STABLECOINS_URL: `${provider.url}/stable`,
    BARLINE_DEFILLAMA_PRO_URL: `${provider.url}/pro`,
  });
  try {
    const { token } = await service.login();
    for (const api of overBoth(service, token)) {
      const { body, http } = await api.call('Defi.GetProtocolTvl', { protocol: 'aave-v3' });
      assert.deepEqual([body.tvl_usd, body.source, body.data.source], [30_000, 'defillama', 'defillama']);
      if (http !== undefined) {
        assert.match(http.headers.get('Age') ?? '', /^\d+$/);
        assert.equal(http.headers.get('Cache-Control'), 'private, max-age=600');
      }
      assert.equal((await api.call('Defi.GetProtocolTvl', { protocol: 'nothing' })).code, 'RESOURCE_NOT_FOUND');
      const failed = await api.call('Defi.ListPerpFunding'); // the provider does not know this key
      assert.deepEqual([failed.code, failed.message], ['INTERNAL_ERROR', 'defillama: HTTP 404']);
      assert.ok(!JSON.stringify(failed).includes('another-secret-key'));
    }
    const { counters } = (await restApi(service.origin, token).call('Usage.Get')).body;
    assert.deepEqual(counters.defi_pro_calls, { used: 0, limit: 1_000 });
  } finally {
    await service.stop();
  }
});
