import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { CoinGecko, openCoinApi } from '../../../../../data/upstreams/assets/index.js';
import { DAY_MS, HOUR_MS } from '../../../../../engine/series/index.js';
import { ASSETS_NOW_MS, coinApiAnswers, coinGeckoAnswers, SECRET_KEY } from '../../../../support/asset-servers.js';
import { testAssetSource, testCandleSource } from '../../../../support/asset-source-contract.js';
import { startUpstream, testUpstreamFaults } from '../../../../support/upstream-server.js';

const clock = () => ASSETS_NOW_MS;

async function coinGecko(t: TestContext) {
  const server = await startUpstream(t, coinGeckoAnswers());
  return { server, source: new CoinGecko({ key: SECRET_KEY, baseUrl: server.url, clock }) };
}

async function coinApi(t: TestContext) {
  const server = await startUpstream(t, coinApiAnswers());
  return { server, source: openCoinApi({ key: SECRET_KEY, baseUrl: server.url, clock }) };
}

testAssetSource('coingecko', ['BTC', 'ETH'], async (t) => (await coinGecko(t)).source);
testCandleSource('coinapi', async (t) => (await coinApi(t)).source);

testUpstreamFaults('coingecko', async (t, limits) => {
  const server = await startUpstream(t, coinGeckoAnswers());
  const source = new CoinGecko({ key: SECRET_KEY, baseUrl: server.url, limits, clock });
  return { server, ask: () => source.globalMarket(), secret: SECRET_KEY };
});

testUpstreamFaults('coinapi', async (t, limits) => {
  const server = await startUpstream(t, coinApiAnswers());
  const source = openCoinApi({ key: SECRET_KEY, baseUrl: server.url, limits, clock });
  return { server, ask: () => source.candles('BTC', 1), secret: SECRET_KEY };
});

test('coingecko: a symbol names the largest coin that has it, and one request serves a minute', async (t) => {
  const { server, source } = await coinGecko(t);
  assert.equal((await source.snapshot('BTC')).value?.price, 100_000);
  await source.snapshot('BTC');
  const paths = server.requests.map(({ path, query }) => `${path} ${query.get('symbols')}`);
  assert.deepEqual(paths, ['/coins/markets btc']);
  const { ageMs, maxAgeMs, source: from, isStale } = await source.snapshot('BTC');
  assert.deepEqual([ageMs, maxAgeMs, from, isStale], [0, 60_000, 'coingecko', false]);
});

test('coingecko: a profile has what the provider says, and null for what it does not know', async (t) => {
  const { source } = await coinGecko(t);
  const { value: bitcoin } = await source.profile('BTC');
  assert.deepEqual(
    bitcoin?.exchanges.map(({ name, tier, country }) => [name, tier, country]),
    [
      ['binance', 1, 'Cayman Islands'],
      ['gdax', 1, 'United States'],
    ],
  );
  assert.equal(bitcoin?.exchanges[0]?.volume24hUsd, 95_140 * 100_000);
  assert.equal(bitcoin?.launchedAtMs, Date.parse('2009-01-03'));
  const { value: ether } = await source.profile('ETH');
  assert.equal(ether?.launchedAtMs, Date.parse('2015-10-20'), 'at least as old as its lowest price');
});

test('coingecko: the volume of a candle is its share of the volume of a day, in coins', async (t) => {
  const { source } = await coinGecko(t);
  const { value } = await source.candles('BTC', 1);
  assert.equal(value?.intervalMs, HOUR_MS / 2);
  for (const { volume } of value?.candles ?? []) assert.ok(Math.abs(volume - 0.5) < 0.01, `${volume}`);
});

test('the key goes into the header of its provider, never into the address', async (t) => {
  const [gecko, api] = [await coinGecko(t), await coinApi(t)];
  await gecko.source.listed();
  await api.source.candles('BTC', 1);
  for (const [request, header] of [
    [gecko.server.requests[0], 'x-cg-demo-api-key'],
    [api.server.requests[0], 'x-coinapi-key'],
  ] as const) {
    assert.equal(request?.headers[header], SECRET_KEY);
    assert.ok(![...(request?.query.values() ?? [])].includes(SECRET_KEY));
  }
});

test('coinapi: a period without a trade is no candle, and no more is asked than the days hold', async (t) => {
  const { server, source } = await coinApi(t);
  const { value } = await source.candles('ETH', 30);
  assert.equal(value?.intervalMs, 4 * HOUR_MS);
  assert.equal(value?.candles.length, (30 * DAY_MS) / (4 * HOUR_MS) - 1);
  const [request] = server.requests;
  assert.equal(request?.path, '/v1/ohlcv/BINANCE_SPOT_ETH_USDT/history');
  const query = Object.fromEntries(request?.query ?? []);
  assert.deepEqual(query, { period_id: '4HRS', time_start: '2025-05-02T12:00:00Z', limit: '181' });
});
