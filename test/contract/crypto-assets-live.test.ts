import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { type Api, restApi } from '../support/api.js';
import { coinApiAnswers, coinGeckoAnswers, SECRET_KEY } from '../support/asset-servers.js';
import { MANAGEMENT_KEY, startTestService } from '../support/service.js';
import { startUpstream } from '../support/upstream-server.js';

/** The service with both providers switched on, over servers that speak their formats. */
async function liveService(t: TestContext) {
  const [gecko, coinApi] = [
    await startUpstream(t, coinGeckoAnswers(Date.now())),
    await startUpstream(t, coinApiAnswers(Date.now())),
  ];
  const service = await startTestService({
    BARLINE_COINGECKO_KEY: SECRET_KEY,
    BARLINE_COINGECKO_URL: gecko.url,
    BARLINE_COINAPI_KEY: SECRET_KEY,
    BARLINE_COINAPI_URL: coinApi.url,
  });
  t.after(() => service.stop());
  const { token } = await service.login();
  return { gecko, coinApi, api: restApi(service.origin, token) };
}

/** Until the update that starts with the service has evaluated both coins. */
async function untilEvaluated(api: Api): Promise<void> {
  while ((await api.call('CryptoAssets.ListAll')).body.count < 2)
    await new Promise((resolve) => setTimeout(resolve, 50));
}

test('a key switches a provider on: assets, an update in the background, candles, fallback, ages', async (t) => {
  const { gecko, coinApi, api } = await liveService(t);
  const candles = async (request: object) => await api.call('CryptoAssets.GetCandles', { symbol: 'btc', ...request });
  const management = { managementKey: MANAGEMENT_KEY };
  const { body: update } = await api.call('CryptoAssets.UpdateAll', {}, management);
  const { body: again } = await api.call('CryptoAssets.UpdateAll', {}, management);
  assert.match(again.message, /^An update is running: [01] of 2 assets done$/);
  assert.deepEqual([again.results.update_id, again.results.total], [update.results.update_id, 2]);
  await untilEvaluated(api);
  const { body: all } = await api.call('CryptoAssets.ListAll');
  assert.deepEqual([all.source, all.max_age_seconds, all.is_stale], ['coingecko', 90_000, false]);
  const bitcoin = all.assets.find(({ symbol }: { symbol: string }) => symbol === 'BTC');
  assert.deepEqual([bitcoin.price_usd, bitcoin.metadata.exchanges], [100_000, ['binance', 'gdax']]);
  assert.deepEqual([bitcoin.risk_inputs.top_10_holders_pct, bitcoin.risk_inputs.generated], [null, []]);

  const { body: market, http } = await api.call('CryptoAssets.GetMarketData', { symbol: 'BTC' });
  assert.deepEqual(
    [market.provider, market.data.source, market.data.current_price],
    ['coingecko', 'coingecko', 100_000],
  );
  assert.equal(http?.headers.get('Cache-Control'), 'private, max-age=60');
  assert.equal((await api.call('CryptoAssets.GetMarketData', { symbol: 'NOPE' })).code, 'RESOURCE_NOT_FOUND');

  assert.deepEqual((await candles({})).body.provider, 'coinapi');
  assert.deepEqual((await candles({ provider: 'coingecko' })).body.provider, 'coingecko');
  coinApi.faults.push('refused');
  const { body: fallback } = await candles({ days: 7 });
  assert.deepEqual([fallback.provider, fallback.interval, fallback.data_points > 30], ['coingecko', '4h', true]);
  coinApi.faults.push('refused');
  gecko.faults.push('wrong type', 'wrong type');
  const failed = await candles({ days: 90 });
  assert.equal(failed.code, 'INTERNAL_ERROR');
  assert.equal(failed.message, 'coinapi: HTTP 401, the key or its plan is refused');

  for (const { http } of [failed, await api.call('CryptoAssets.ListExchanges')]) {
    for (const hidden of [SECRET_KEY, gecko.url, coinApi.url]) assert.ok(!http?.text.includes(hidden), hidden);
  }
});
