import assert from 'node:assert/strict';
import test from 'node:test';
import type { UnaryName } from '../../../rpc/index.js';
import { grpcApi, restApi } from '../../support/api.js';
import { contract, PAID_READS_MAX, paidService, tierOf } from '../../support/contract.js';
import { startDefiLlama } from '../../support/defillama-server.js';
import { assertRefused } from '../../support/refusals.js';
import { startTestService } from '../../support/service.js';

contract('unknown protocols and chains are not found', async ({ api }) => {
  assertRefused(await api.call('Defi.GetProtocolTvl', { protocol: '__proto__' }), 'RESOURCE_NOT_FOUND', /^protocol /);
  assertRefused(await api.call('Defi.GetChainTvl', { chain: 'x/y' }), 'RESOURCE_NOT_FOUND', /^chain x\/y not found$/);
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

test('paid reads answer with their rows and share one limit, beyond which a refusal says when it ends', async () => {
  const service = await paidService();
  const { token } = await service.login();
  const api = grpcApi(service.client, token);
  for (const method of paidMethods) {
    const { body } = await api.call(method);
    assert.ok(body.count > 0 && body.count === body.data.length, method);
    assert.deepEqual(Object.keys(body.data[0]).sort(), paidReads[method]);
    assert.equal(body.source, 'generated');
  }
  const { counters, meters } = (await api.call('Usage.Get')).body;
  assert.deepEqual(counters.defi_pro_calls, { used: PAID_READS_MAX, limit: PAID_READS_MAX });
  assert.deepEqual(meters.defi_pro, { used: PAID_READS_MAX, unit_price_usd: 0, cost_usd: 0 });
  assert.equal(counters.api_calls.used, 0);
  for (const method of paidMethods) assert.equal((await api.call(method)).code, 'quota_exceeded');
  assert.equal((await api.call('Defi.GetStablecoins')).code, 'OK', 'the other reads are not counted');
  const other = grpcApi(service.client, (await service.login()).token);
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
    const api = restApi(service.origin, token);
    const { body, http } = await api.call('Defi.GetProtocolTvl', { protocol: 'aave-v3' });
    assert.deepEqual([body.tvl_usd, body.source, body.data.source], [30_000, 'defillama', 'defillama']);
    assert.match(http?.headers.get('Age') ?? '', /^\d+$/);
    assert.equal(http?.headers.get('Cache-Control'), 'private, max-age=600');
    const failed = await api.call('Defi.ListPerpFunding'); // the provider does not know this key
    assert.deepEqual([failed.code, failed.message], ['INTERNAL_ERROR', 'defillama: HTTP 404']);
    assert.ok(!JSON.stringify(failed).includes('another-secret-key'));
    const { counters } = (await api.call('Usage.Get')).body;
    assert.deepEqual(counters.defi_pro_calls, { used: 0, limit: 1_000 });
  } finally {
    await service.stop();
  }
});
